package jinja

// membered is a value with members of its own.
type membered interface {
	member(name string) (any, bool)
}

func (ns *namespace) member(name string) (any, bool) { return ns.members.Get(name) }

func (g *group) member(name string) (any, bool) {
	switch name {
	case "grouper":
		return g.grouper, true
	case "list":
		return g.list, true
	}
	return nil, false
}

func (n *attribute) eval(st *state, sc *scope) (any, error) {
	of, err := n.of.eval(st, sc)
	if err != nil {
		return nil, err
	}
	return n.memberOf(st, of)
}

func (n *attribute) memberOf(st *state, of any) (any, error) {
	if u, ok := of.(*undefined); ok {
		return nil, failAt(n.from, "%s, so it has no member %q", u.message(), n.name)
	}
	if v, ok := memberOf(of, n.name); ok {
		return forceAt(n.from, v)
	}
	return &undefined{st.quote(n.where)}, nil
}

// memberOf is what a dot gives.
func memberOf(of any, name string) (any, bool) {
	switch of := of.(type) {
	case *Map:
		if v, ok := of.Get(name); ok {
			return v, true
		}
	case membered:
		return of.member(name)
	}
	if fn := methodOf(of, name); fn != nil {
		return &bound{of, fn}, true
	}
	return nil, false
}

func (n *subscript) eval(st *state, sc *scope) (any, error) {
	of, err := n.of.eval(st, sc)
	if err != nil {
		return nil, err
	}
	key, err := n.key.eval(st, sc)
	if err != nil {
		return nil, err
	}
	if u, ok := of.(*undefined); ok {
		return nil, failAt(n.from, "%s, so it has no item %s", u.message(), st.quote(n.key.place()))
	}
	if v, ok := itemOf(of, key); ok {
		return forceAt(n.from, v)
	}
	return &undefined{st.quote(n.where)}, nil
}

// itemOf is what square brackets give: an item, else a member.
func itemOf(of, key any) (any, bool) {
	if m, ok := of.(*Map); ok {
		if _, err := hashable(key); err == nil {
			if i := m.find(key); i >= 0 {
				return m.entries[i].value, true
			}
		}
	} else if i, ok := integer(key); ok {
		if s, ok := of.(string); ok {
			r := []rune(s)
			if at, ok := index(i, len(r)); ok {
				return string(r[at]), true
			}
			return nil, false
		}
		if items, ok := sequence(of); ok {
			if at, ok := index(i, len(items)); ok {
				return items[at], true
			}
		}
		return nil, false
	}
	if name, ok := key.(string); ok {
		return memberOf(of, name)
	}
	return nil, false
}

// index turns an index that may count from the end into a place.
func index(i int64, n int) (int, bool) {
	if i < 0 {
		i += int64(n)
	}
	return int(i), i >= 0 && i < int64(n)
}

func (n *slice) eval(st *state, sc *scope) (any, error) {
	of, err := n.of.eval(st, sc)
	if err != nil {
		return nil, err
	}
	if u, ok := of.(*undefined); ok {
		return nil, failAt(n.from, "%s, so it has no items", u.message())
	}
	var bounds [3]*int64
	for i, e := range []expression{n.start, n.end, n.step} {
		if e == nil {
			continue
		}
		v, err := e.eval(st, sc)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		b, ok := integer(v)
		if !ok {
			return nil, failAt(e.place().from, "a slice needs integers, not %s", kindOf(v))
		}
		bounds[i] = &b
	}
	v, err := st.cut(of, bounds)
	return v, placed(n.from, err)
}

func (st *state) cut(of any, bounds [3]*int64) (any, error) {
	if s, ok := of.(string); ok {
		r := []rune(s)
		places, err := places(len(r), bounds)
		if err != nil {
			return nil, err
		}
		cut := make([]rune, len(places))
		for i, at := range places {
			cut[i] = r[at]
		}
		return string(cut), st.charge(len(s))
	}
	items, ok := sequence(of)
	if !ok {
		return nil, fail("%s has no slices", kindOf(of))
	}
	places, err := places(len(items), bounds)
	if err != nil {
		return nil, err
	}
	cut := make([]any, len(places))
	for i, at := range places {
		cut[i] = items[at]
	}
	if err := st.charge(bytesPerItem * len(cut)); err != nil {
		return nil, err
	}
	if kindOf(of) == "a tuple" {
		return Tuple(cut), nil
	}
	return newList(cut), nil
}

// places lists the indexes that a slice of n items picks.
func places(n int, bounds [3]*int64) ([]int, error) {
	by := int64(1)
	if bounds[2] != nil {
		by = *bounds[2]
	}
	if by == 0 {
		return nil, fail("the step of a slice cannot be 0")
	}
	low, high := int64(0), int64(n)
	from, to := low, high
	if by < 0 {
		low, high = -1, int64(n)-1
		from, to = high, low
	}
	if bounds[0] != nil {
		from = clamp(*bounds[0], n, low, high)
	}
	if bounds[1] != nil {
		to = clamp(*bounds[1], n, low, high)
	}
	var at []int
	for i := from; by > 0 && i < to || by < 0 && i > to; i += by {
		at = append(at, int(i))
		if by > int64(n) || by < -int64(n) {
			break // one item at most, and i must not overflow
		}
	}
	return at, nil
}

func clamp(i int64, n int, low, high int64) int64 {
	if i < 0 {
		i += int64(n)
	}
	return max(low, min(i, high))
}
