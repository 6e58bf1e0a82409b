package jinja

// filterMap applies a filter to each item, or picks an attribute of each.
func filterMap(st *state, v any, a arguments) (any, error) {
	apply, err := mapping(a)
	if err != nil {
		return nil, err
	}
	items, err := st.itemsIfAny(v)
	if err != nil {
		return nil, err
	}
	results := make([]any, len(items))
	for i, item := range items {
		if item, err = force(item); err != nil {
			return nil, err
		}
		if results[i], err = apply(st, item); err != nil {
			return nil, err
		}
	}
	return &view{items: results}, st.charge(bytesPerItem * len(items))
}

// itemsIfAny is items, but nothing for none, false and 0: so do these filters.
func (st *state) itemsIfAny(v any) ([]any, error) {
	if !truth(v) {
		return nil, nil
	}
	return st.items(v)
}

func mapping(a arguments) (func(*state, any) (any, error), error) {
	if len(a.positional) == 0 {
		p, err := a.bind("attribute", "default")
		if err != nil {
			return nil, err
		}
		if err := p.need(0); err != nil {
			return nil, err
		}
		g, err := newGetter(p.values[0], p.values[1])
		return func(_ *state, v any) (any, error) { return g.get(v) }, err
	}
	name, ok := a.positional[0].(string)
	if !ok {
		return nil, fail("the name of a filter is needed, not %s", kindOf(a.positional[0]))
	}
	f := filterNamed(name)
	if f == nil {
		return nil, fail("there is no filter %q%s", name, nearest(name, filterNames()))
	}
	rest := arguments{a.positional[1:], a.named}
	return func(st *state, v any) (any, error) { return f(st, v, rest) }, nil
}

// choose makes select, reject, selectattr and rejectattr.
func choose(keep, byAttribute bool) filter {
	return func(st *state, v any, a arguments) (any, error) {
		g := getter{otherwise: absent{}}
		if byAttribute {
			if len(a.positional) == 0 {
				return nil, fail("the attribute is missing")
			}
			var err error
			if g, err = newGetter(a.positional[0], absent{}); err != nil {
				return nil, err
			}
			a.positional = a.positional[1:]
		}
		passes, err := condition(a)
		if err != nil {
			return nil, err
		}
		items, err := st.itemsIfAny(v)
		if err != nil {
			return nil, err
		}
		var chosen []any
		for _, item := range items {
			value, err := g.get(item)
			if err != nil {
				return nil, err
			}
			passed, err := passes(st, value)
			if err != nil {
				return nil, err
			}
			if passed == keep {
				chosen = append(chosen, item)
			}
		}
		return &view{items: chosen}, st.charge(bytesPerItem * len(chosen))
	}
}

func condition(a arguments) (func(*state, any) (bool, error), error) {
	if len(a.positional) == 0 {
		return func(_ *state, v any) (bool, error) { return truth(v), nil }, nil
	}
	name, ok := a.positional[0].(string)
	if !ok {
		return nil, fail("the name of a test is needed, not %s", kindOf(a.positional[0]))
	}
	t := testNamed(name)
	if t == nil {
		return nil, fail("there is no test %q%s", name, nearest(name, testNames()))
	}
	rest := arguments{a.positional[1:], a.named}
	return func(st *state, v any) (bool, error) { return t(st, v, rest) }, nil
}
