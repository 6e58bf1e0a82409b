package jinja

import "slices"

// method is a method of Python's str, list, tuple or dict.
type method func(st *state, self any, a arguments) (any, error)

// methodOf returns nil where a value has no such method.
func methodOf(self any, name string) method {
	switch self.(type) {
	case string:
		return stringMethod(name)
	case *Map:
		return mapMethod(name)
	case []any, *list, Tuple:
		return listMethod(name)
	}
	return nil
}

func mapMethod(name string) method {
	switch name {
	case "get":
		return mapGet
	case "items":
		return mapView("dict_items", func(e entry) any { return Tuple{e.key, e.value} })
	case "keys":
		return mapView("dict_keys", func(e entry) any { return e.key })
	case "values":
		return mapView("dict_values", func(e entry) any { return e.value })
	case "copy":
		return func(st *state, self any, _ arguments) (any, error) {
			m := self.(*Map)
			return m.copy(), st.step(m.Len())
		}
	case "update":
		return mapUpdate
	case "setdefault":
		return mapSetDefault
	case "pop":
		return mapPop
	}
	return nil
}

func mapGet(_ *state, self any, a arguments) (any, error) {
	p, err := a.bind("key", "default")
	if err != nil {
		return nil, err
	}
	if err := p.need(0); err != nil {
		return nil, err
	}
	if _, err := hashable(p.values[0]); err != nil {
		return nil, err
	}
	if m := self.(*Map); m.find(p.values[0]) >= 0 {
		return m.entries[m.find(p.values[0])].value, nil
	}
	return p.or(1, nil), nil
}

func mapView(name string, part func(entry) any) method {
	return func(st *state, self any, a arguments) (any, error) {
		if _, err := a.bind(); err != nil {
			return nil, err
		}
		m := self.(*Map)
		if err := st.step(m.Len()); err != nil {
			return nil, err
		}
		items := make([]any, m.Len())
		for i, e := range m.entries {
			items[i] = part(e)
		}
		return &view{name, items}, nil
	}
}

const errShared = plainError("a value of the document cannot be changed: copy it first, by | list or copy()")

func ownMap(self any) (*Map, error) {
	m := self.(*Map)
	if !m.own {
		return nil, errShared
	}
	return m, nil
}

func mapUpdate(st *state, self any, a arguments) (any, error) {
	m, err := ownMap(self)
	if err != nil {
		return nil, err
	}
	for _, v := range a.positional {
		if err := st.update(m, v); err != nil {
			return nil, err
		}
	}
	for _, v := range a.named {
		m.put(v.name, v.value)
	}
	return nil, nil
}

func mapSetDefault(_ *state, self any, a arguments) (any, error) {
	m, err := ownMap(self)
	if err != nil {
		return nil, err
	}
	p, err := a.bind("key", "default")
	if err != nil {
		return nil, err
	}
	if err := p.need(0); err != nil {
		return nil, err
	}
	if i := m.find(p.values[0]); i >= 0 {
		return m.entries[i].value, nil
	}
	v := p.or(1, nil)
	return v, m.SetKey(p.values[0], v)
}

func mapPop(_ *state, self any, a arguments) (any, error) {
	m, err := ownMap(self)
	if err != nil {
		return nil, err
	}
	p, err := a.bind("key", "default")
	if err != nil {
		return nil, err
	}
	if err := p.need(0); err != nil {
		return nil, err
	}
	if i := m.find(p.values[0]); i >= 0 {
		v := m.entries[i].value
		m.remove(i)
		return v, nil
	}
	if !p.has(1) {
		return nil, fail("there is no such key")
	}
	return p.values[1], nil
}

func listMethod(name string) method {
	switch name {
	case "index":
		return listIndex
	case "count":
		return listCount
	case "copy":
		return func(st *state, self any, _ arguments) (any, error) {
			items, err := st.items(self)
			return newList(slices.Clone(items)), err
		}
	case "append":
		return changing(func(_ *state, l *list, p parameters) error {
			l.items = append(l.items, p.values[0])
			return nil
		}, "object")
	case "extend":
		return changing(func(st *state, l *list, p parameters) error {
			items, err := st.items(p.values[0])
			l.items = append(l.items, items...)
			return err
		}, "iterable")
	case "insert":
		return changing(func(_ *state, l *list, p parameters) error {
			at, err := p.integer(0, 0)
			l.items = slices.Insert(l.items, int(clamp(int64(at), len(l.items), 0, int64(len(l.items)))), p.values[1])
			return err
		}, "index", "object")
	case "reverse":
		return changing(func(_ *state, l *list, _ parameters) error {
			slices.Reverse(l.items)
			return nil
		})
	case "pop":
		return listPop
	}
	return nil
}

// changing makes a method that changes a list in place and gives none.
func changing(change func(*state, *list, parameters) error, names ...string) method {
	return func(st *state, self any, a arguments) (any, error) {
		l, ok := self.(*list)
		if !ok {
			return nil, errShared
		}
		p, err := a.bind(names...)
		if err != nil {
			return nil, err
		}
		if err := p.need(len(names) - 1); err != nil {
			return nil, err
		}
		before := len(l.items)
		if err := change(st, l, p); err != nil {
			return nil, err
		}
		return nil, st.charge(bytesPerItem * max(0, len(l.items)-before))
	}
}

func listPop(_ *state, self any, a arguments) (any, error) {
	l, ok := self.(*list)
	if !ok {
		return nil, errShared
	}
	p, err := a.bind("index")
	if err != nil {
		return nil, err
	}
	i, err := p.integer(0, -1)
	if err != nil {
		return nil, err
	}
	at, ok := index(int64(i), len(l.items))
	if !ok {
		return nil, fail("the list has no item %d", i)
	}
	v := l.items[at]
	l.items = slices.Delete(slices.Clone(l.items), at, at+1)
	return v, nil
}

func listIndex(st *state, self any, a arguments) (any, error) {
	p, err := a.bind("value")
	if err != nil {
		return nil, err
	}
	items, err := st.items(self)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		if same, err := st.equal(item, p.values[0]); err != nil || same {
			return int64(i), err
		}
	}
	return nil, fail("the value is not in the list")
}

func listCount(st *state, self any, a arguments) (any, error) {
	p, err := a.bind("value")
	if err != nil {
		return nil, err
	}
	items, err := st.items(self)
	if err != nil {
		return nil, err
	}
	n := int64(0)
	for _, item := range items {
		same, err := st.equal(item, p.values[0])
		if err != nil {
			return nil, err
		}
		n += integerOf(same)
	}
	return n, nil
}
