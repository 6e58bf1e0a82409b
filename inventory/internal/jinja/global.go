package jinja

// maxRange is the longest range() allowed, as in Jinja2's sandbox.
const maxRange = 100_000

// global returns the functions that every template has.
func global(name string) (any, bool) {
	switch name {
	case "range":
		return function(rangeFunction), true
	case "dict":
		return function(dictFunction), true
	case "namespace":
		return function(namespaceFunction), true
	case "cycler":
		return function(cyclerFunction), true
	case "joiner":
		return function(joinerFunction), true
	}
	return nil, false
}

func rangeFunction(_ *state, a arguments) (any, error) {
	if len(a.positional) == 1 {
		a.positional = []any{int64(0), a.positional[0]}
	}
	p, err := a.bind("start", "stop", "step")
	if err != nil {
		return nil, err
	}
	if err := p.need(1); err != nil {
		return nil, err
	}
	var n [3]int
	for i := range n {
		if n[i], err = p.integer(i, 1); err != nil {
			return nil, err
		}
	}
	if n[2] == 0 {
		return nil, fail("the step of a range cannot be 0")
	}
	s := span{int64(n[0]), int64(n[1]), int64(n[2])}
	if s.len() > maxRange {
		return nil, fail("the range is longer than %d", maxRange)
	}
	return s, nil
}

func dictFunction(st *state, a arguments) (any, error) {
	m := &Map{own: true}
	for _, v := range a.positional {
		if err := st.update(m, v); err != nil {
			return nil, err
		}
	}
	for _, v := range a.named {
		m.put(v.name, v.value)
	}
	return m, nil
}

// update copies a mapping, or a list of pairs, into m.
func (st *state) update(m *Map, v any) error {
	if other, ok := v.(*Map); ok {
		for _, e := range other.entries {
			m.put(e.key, e.value)
		}
		return st.step(other.Len())
	}
	pairs, err := st.forced(v)
	if err != nil {
		return err
	}
	for _, pair := range pairs {
		kv, err := st.forced(pair)
		if err != nil {
			return err
		}
		if len(kv) != 2 {
			return fail("a mapping is made of pairs, not of %d values", len(kv))
		}
		if err := m.SetKey(kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

// namespace is an object whose members a template may set from any scope.
type namespace struct{ members *Map }

func namespaceFunction(st *state, a arguments) (any, error) {
	m, err := dictFunction(st, a)
	if err != nil {
		return nil, err
	}
	return &namespace{m.(*Map)}, nil
}

type cycler struct {
	items []any
	at    int
}

func cyclerFunction(_ *state, a arguments) (any, error) {
	if len(a.positional) == 0 || len(a.named) > 0 {
		return nil, fail("cycler needs values")
	}
	return &cycler{items: a.positional}, nil
}

func (c *cycler) member(name string) (any, bool) {
	switch name {
	case "current":
		return c.items[c.at], true
	case "next":
		return function(func(*state, arguments) (any, error) {
			v := c.items[c.at]
			c.at = (c.at + 1) % len(c.items)
			return v, nil
		}), true
	case "reset":
		return function(func(*state, arguments) (any, error) {
			c.at = 0
			return nil, nil
		}), true
	}
	return nil, false
}

func joinerFunction(_ *state, a arguments) (any, error) {
	p, err := a.bind("sep")
	if err != nil {
		return nil, err
	}
	used := false
	return function(func(*state, arguments) (any, error) {
		if used {
			return p.or(0, ", "), nil
		}
		used = true
		return "", nil
	}), nil
}
