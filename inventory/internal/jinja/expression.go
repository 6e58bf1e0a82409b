package jinja

func (n *literal) eval(*state, *scope) (any, error) { return n.value, nil }

func (n *name) eval(st *state, sc *scope) (any, error) {
	v, ok := sc.get(n.name)
	if !ok {
		var err error
		if v, ok, err = st.lookup(n.name); err != nil {
			return nil, placed(n.from, err)
		}
	}
	if !ok {
		if v, ok = global(n.name); !ok {
			return &undefined{n.name}, nil
		}
	}
	return forceAt(n.from, v)
}

// forceAt is force with a place for the error.
func forceAt(offset int, v any) (any, error) {
	switch v.(type) {
	case string, int64, bool, nil, *Map:
		return v, nil
	}
	v, err := force(v)
	return v, placed(offset, err)
}

func (n *listNode) eval(st *state, sc *scope) (any, error) {
	items, err := evalAll(st, sc, n.items)
	return newList(items), err
}

func (n *tupleNode) eval(st *state, sc *scope) (any, error) {
	items, err := evalAll(st, sc, n.items)
	return Tuple(items), err
}

func evalAll(st *state, sc *scope, nodes []expression) ([]any, error) {
	if err := st.charge(bytesPerItem * len(nodes)); err != nil {
		return nil, err
	}
	items := make([]any, len(nodes))
	for i, e := range nodes {
		v, err := e.eval(st, sc)
		if err != nil {
			return nil, err
		}
		items[i] = v
	}
	return items, nil
}

func (n *mapNode) eval(st *state, sc *scope) (any, error) {
	m := &Map{own: true}
	for i, k := range n.keys {
		key, err := k.eval(st, sc)
		if err != nil {
			return nil, err
		}
		value, err := n.values[i].eval(st, sc)
		if err != nil {
			return nil, err
		}
		if err := m.SetKey(key, value); err != nil {
			return nil, placed(k.place().from, err)
		}
	}
	return m, st.charge(4 * bytesPerItem * len(n.keys))
}

func (n *conditional) eval(st *state, sc *scope) (any, error) {
	v, err := n.test.eval(st, sc)
	if err != nil {
		return nil, err
	}
	if truth(v) {
		return n.then.eval(st, sc)
	}
	if n.otherwise == nil {
		return &undefined{"the else of " + st.quote(n.where)}, nil
	}
	return n.otherwise.eval(st, sc)
}

func (n *logical) eval(st *state, sc *scope) (any, error) {
	left, err := n.left.eval(st, sc)
	if err != nil || truth(left) == n.or {
		return left, err
	}
	return n.right.eval(st, sc)
}

func (n *unary) eval(st *state, sc *scope) (any, error) {
	v, err := n.of.eval(st, sc)
	if err != nil {
		return nil, err
	}
	if n.op == "not" {
		return !truth(v), nil
	}
	v, err = negated(v, n.op == "-")
	return v, placed(n.from, err)
}

func (n *binary) eval(st *state, sc *scope) (any, error) {
	left, err := n.left.eval(st, sc)
	if err != nil {
		return nil, err
	}
	right, err := n.right.eval(st, sc)
	if err != nil {
		return nil, err
	}
	v, err := st.operate(n.op, left, right)
	return v, placed(n.from, err)
}

func (n *concat) eval(st *state, sc *scope) (any, error) {
	var b []byte
	for _, part := range n.parts {
		v, err := part.eval(st, sc)
		if err != nil {
			return nil, err
		}
		if b, err = st.appendText(b, v); err != nil {
			return nil, placed(part.place().from, err)
		}
		if err := st.room(len(b)); err != nil {
			return nil, placed(n.from, err)
		}
	}
	return string(b), st.charge(len(b))
}

func (n *comparison) eval(st *state, sc *scope) (any, error) {
	left, err := n.first.eval(st, sc)
	if err != nil {
		return nil, err
	}
	for i, op := range n.ops {
		right, err := n.rest[i].eval(st, sc)
		if err != nil {
			return nil, err
		}
		holds, err := st.holds(op, left, right)
		if err != nil {
			return nil, placed(n.from, err)
		}
		if !holds {
			return false, nil
		}
		left = right
	}
	return true, nil
}

func (st *state) holds(op string, left, right any) (bool, error) {
	switch op {
	case "==":
		return st.equal(left, right)
	case "!=":
		same, err := st.equal(left, right)
		return !same, err
	case "in":
		return st.contains(right, left)
	case "not in":
		found, err := st.contains(right, left)
		return !found, err
	}
	c, err := st.compare(left, right)
	if err != nil || c == -2 {
		return false, err
	}
	switch op {
	case "<":
		return c < 0, nil
	case "<=":
		return c <= 0, nil
	case ">":
		return c > 0, nil
	}
	return c >= 0, nil
}

func (n *filterNode) eval(st *state, sc *scope) (any, error) {
	v, err := n.of.eval(st, sc)
	if err != nil {
		return nil, err
	}
	return n.apply(st, sc, v)
}

func (n *filterNode) apply(st *state, sc *scope, v any) (any, error) {
	args, err := n.args.eval(st, sc)
	if err != nil {
		return nil, err
	}
	if err := st.step(1); err != nil {
		return nil, placed(n.from, err)
	}
	result, err := n.fn(st, v, args)
	if err != nil {
		if _, own := err.(plainError); own {
			err = fail("%s: %s", n.name, err)
		}
		return nil, placed(n.from, err)
	}
	return forceAt(n.from, result)
}

func (n *testNode) eval(st *state, sc *scope) (any, error) {
	v, err := n.of.eval(st, sc)
	if err != nil {
		return nil, err
	}
	args, err := n.args.eval(st, sc)
	if err != nil {
		return nil, err
	}
	passed, err := n.fn(st, v, args)
	if err != nil {
		if _, own := err.(plainError); own {
			err = fail("is %s: %s", n.name, err)
		}
		return nil, placed(n.from, err)
	}
	return passed != n.not, nil
}

func (n *call) eval(st *state, sc *scope) (any, error) {
	callee, err := n.calleeOf(st, sc)
	if err != nil {
		return nil, err
	}
	args, err := n.args.eval(st, sc)
	if err != nil {
		return nil, err
	}
	return st.invoke(n, callee, args)
}

// calleeOf prefers the method where a mapping has a member of that name.
func (n *call) calleeOf(st *state, sc *scope) (any, error) {
	a, ok := n.callee.(*attribute)
	if !ok {
		return n.callee.eval(st, sc)
	}
	self, err := a.of.eval(st, sc)
	if err != nil {
		return nil, err
	}
	if fn := methodOf(self, a.name); fn != nil {
		return &bound{self, fn}, nil
	}
	return a.memberOf(st, self)
}

func (st *state) invoke(n *call, callee any, args arguments) (any, error) {
	if err := refuseUndefined(callee); err != nil {
		return nil, placed(n.from, err)
	}
	f, ok := callee.(callable)
	if !ok {
		return nil, failAt(n.from, "%s is %s: it cannot be called", st.quote(n.callee.place()), kindOf(callee))
	}
	if err := st.enter(); err != nil {
		return nil, placed(n.from, err)
	}
	defer st.leave()
	v, err := f.call(st, args)
	if err != nil {
		if _, own := err.(plainError); own {
			err = fail("%s: %s", st.quote(n.callee.place()), err)
		}
		return nil, placed(n.from, err)
	}
	return forceAt(n.from, v)
}

// quote is a piece of the template for use in a message.
func (st *state) quote(w where) string {
	text := st.source[w.from:min(w.to, len(st.source))]
	if r := []rune(text); len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return text
}
