package jinja

import (
	"slices"
	"strings"
)

func extreme(sign int) filter {
	return func(st *state, v any, a arguments) (any, error) {
		p, err := a.bind("case_sensitive", "attribute")
		if err != nil {
			return nil, err
		}
		items, keys, err := st.keyed(v, p.or(1, nil), absent{}, !p.truth(0))
		if err != nil {
			return nil, err
		}
		if len(items) == 0 {
			return &undefined{"an item of an empty list"}, nil
		}
		best := 0
		for i := range items {
			c, err := st.compare(keys[i], keys[best])
			if err != nil {
				return nil, err
			}
			if c*sign > 0 && c != -2 {
				best = i
			}
		}
		return items[best], nil
	}
}

// keyed returns the items of v and the value each is judged by.
func (st *state) keyed(v, attribute, otherwise any, caseless bool) (items, keys []any, err error) {
	g, err := newGetter(attribute, otherwise)
	if err != nil {
		return nil, nil, err
	}
	if items, err = st.items(v); err != nil {
		return nil, nil, err
	}
	keys, err = st.keysOf(items, g, caseless)
	return items, keys, err
}

func filterSort(st *state, v any, a arguments) (any, error) {
	p, err := a.bind("reverse", "case_sensitive", "attribute")
	if err != nil {
		return nil, err
	}
	items, err := st.items(v)
	if err != nil {
		return nil, err
	}
	keys, err := st.sortKeys(items, p.or(2, nil), !p.truth(1))
	if err != nil {
		return nil, err
	}
	sorted, err := st.sorted(items, keys, p.truth(0))
	return newList(sorted), err
}

// sortKeys takes several attributes between commas.
func (st *state) sortKeys(items []any, attribute any, caseless bool) ([]any, error) {
	names, ok := attribute.(string)
	if !ok {
		g, err := newGetter(attribute, absent{})
		if err != nil {
			return nil, err
		}
		return st.keysOf(items, g, caseless)
	}
	keys := make([]any, len(items))
	for i := range keys {
		keys[i] = Tuple{}
	}
	for name := range strings.SplitSeq(names, ",") {
		column, err := st.keysOf(items, getter{path: splitPath(name), otherwise: absent{}}, caseless)
		if err != nil {
			return nil, err
		}
		for i, k := range column {
			keys[i] = append(keys[i].(Tuple), k)
		}
	}
	return keys, nil
}

func filterDictSort(st *state, v any, a arguments) (any, error) {
	p, err := a.bind("case_sensitive", "by", "reverse")
	if err != nil {
		return nil, err
	}
	by, err := p.str(1, "key")
	if err != nil {
		return nil, err
	}
	at := slices.Index([]string{"key", "value"}, by)
	if at < 0 {
		return nil, fail("by must be key or value, not %q", by)
	}
	m, ok := v.(*Map)
	if !ok {
		if err := refuseUndefined(v); err != nil {
			return nil, err
		}
		return nil, fail("a mapping is needed, not %s", kindOf(v))
	}
	pairs, keys, err := st.keyed(&view{items: pairsOf(m)}, int64(at), absent{}, !p.truth(0))
	if err != nil {
		return nil, err
	}
	sorted, err := st.sorted(pairs, keys, p.truth(2))
	return newList(sorted), err
}

func pairsOf(m *Map) []any {
	pairs := make([]any, m.Len())
	for i, e := range m.entries {
		pairs[i] = Tuple{e.key, e.value}
	}
	return pairs
}

func filterGroupBy(st *state, v any, a arguments) (any, error) {
	p, err := a.bind("attribute", "default", "case_sensitive")
	if err != nil {
		return nil, err
	}
	if err := p.need(0); err != nil {
		return nil, err
	}
	items, keys, err := st.keyed(v, p.values[0], p.values[1], !p.truth(2))
	if err != nil {
		return nil, err
	}
	_, written, err := st.keyed(v, p.values[0], p.values[1], false)
	if err != nil {
		return nil, err
	}
	places := make([]any, len(items))
	for i := range places {
		places[i] = int64(i)
	}
	if places, err = st.sorted(places, keys, false); err != nil {
		return nil, err
	}
	var groups []any
	var last any
	var current *list
	for _, place := range places {
		i := place.(int64)
		same := false
		if current != nil {
			if same, err = st.equal(last, keys[i]); err != nil {
				return nil, err
			}
		}
		if !same {
			current = newList(nil)
			groups = append(groups, &group{written[i], current})
			last = keys[i]
		}
		current.items = append(current.items, items[i])
	}
	return newList(groups), nil
}

func filterUnique(st *state, v any, a arguments) (any, error) {
	p, err := a.bind("case_sensitive", "attribute")
	if err != nil {
		return nil, err
	}
	items, keys, err := st.keyed(v, p.or(1, nil), absent{}, !p.truth(0))
	if err != nil {
		return nil, err
	}
	seen := make(map[any]bool, len(items))
	var unique []any
	for i, key := range keys {
		if _, missing := key.(*undefined); missing {
			key = tupleHash("undefined")
		} else if key, err = hashable(key); err != nil {
			return nil, err
		}
		if !seen[key] {
			seen[key] = true
			unique = append(unique, items[i])
		}
	}
	return &view{items: unique}, nil
}
