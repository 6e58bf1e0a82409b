package jinja

// loop is what a template sees as "loop" inside for. Called, it walks
// another list with the same body, if the loop is recursive.
type loop struct {
	node    *forNode
	scope   *scope // around the loop
	items   []any
	index   int
	depth   int
	changed []any // the last arguments of loop.changed
}

func (n *forNode) exec(st *state, sc *scope) error {
	over, err := n.over.eval(st, sc)
	if err != nil {
		return err
	}
	return n.walk(st, sc, over, 0)
}

func (n *forNode) walk(st *state, sc *scope, over any, depth int) error {
	items, err := st.items(over)
	if err != nil {
		return placed(n.over.place().from, err)
	}
	if items, err = n.chosen(st, sc, items); err != nil {
		return err
	}
	if len(items) == 0 {
		return n.orElse.exec(st, sc.child())
	}
	l := &loop{node: n, scope: sc, items: items, depth: depth}
	for i, item := range items {
		if err := st.step(1); err != nil {
			return placed(n.from, err)
		}
		l.index = i
		round := &scope{parent: sc, vars: make([]variable, 0, 2)}
		round.set("loop", l)
		if err := round.bind(st, &n.target, item); err != nil {
			return err
		}
		if err := n.body.exec(st, round); err != nil {
			return err
		}
	}
	return nil
}

// chosen drops the items that the loop's own if refuses.
func (n *forNode) chosen(st *state, sc *scope, items []any) ([]any, error) {
	if n.condition == nil {
		return items, nil
	}
	var kept []any
	for _, item := range items {
		if err := st.step(1); err != nil {
			return nil, placed(n.from, err)
		}
		round := sc.child()
		if err := round.bind(st, &n.target, item); err != nil {
			return nil, err
		}
		v, err := n.condition.eval(st, round)
		if err != nil {
			return nil, err
		}
		if truth(v) {
			kept = append(kept, item)
		}
	}
	return kept, nil
}

func (l *loop) member(name string) (any, bool) {
	n := len(l.items)
	switch name {
	case "index":
		return int64(l.index + 1), true
	case "index0":
		return int64(l.index), true
	case "revindex":
		return int64(n - l.index), true
	case "revindex0":
		return int64(n - l.index - 1), true
	case "first":
		return l.index == 0, true
	case "last":
		return l.index == n-1, true
	case "length":
		return int64(n), true
	case "depth":
		return int64(l.depth + 1), true
	case "depth0":
		return int64(l.depth), true
	case "previtem":
		return l.neighbour(l.index-1, "loop.previtem"), true
	case "nextitem":
		return l.neighbour(l.index+1, "loop.nextitem"), true
	case "cycle":
		return function(l.cycle), true
	case "changed":
		return function(l.hasChanged), true
	}
	return nil, false
}

func (l *loop) neighbour(i int, what string) any {
	if i < 0 || i >= len(l.items) {
		return &undefined{what}
	}
	return l.items[i]
}

func (l *loop) cycle(_ *state, a arguments) (any, error) {
	if len(a.positional) == 0 {
		return nil, fail("loop.cycle needs values")
	}
	return a.positional[l.index%len(a.positional)], nil
}

func (l *loop) hasChanged(st *state, a arguments) (any, error) {
	same := false
	if l.changed != nil {
		var err error
		if same, err = st.equal(l.changed, a.positional); err != nil {
			return nil, err
		}
	}
	l.changed = append([]any{}, a.positional...)
	return !same, nil
}

func (l *loop) call(st *state, a arguments) (any, error) {
	if !l.node.recursive {
		return nil, fail("the loop is not recursive: write recursive in its for")
	}
	p, err := a.bind("iterable")
	if err != nil {
		return nil, err
	}
	if err := p.need(0); err != nil {
		return nil, err
	}
	outer := st.out
	st.out = nil
	err = l.node.walk(st, l.scope, p.values[0], l.depth+1)
	text := string(st.out)
	st.out = outer
	return text, err
}
