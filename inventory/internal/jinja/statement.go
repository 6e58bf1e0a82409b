package jinja

func (b block) exec(st *state, sc *scope) error {
	for _, s := range b {
		if err := st.step(1); err != nil {
			return err
		}
		if err := s.exec(st, sc); err != nil {
			return err
		}
	}
	return nil
}

func (n *textNode) exec(st *state, _ *scope) error {
	st.out = append(st.out, n.text...)
	return st.charge(len(n.text))
}

func (n *printNode) exec(st *state, sc *scope) error {
	v, err := n.of.eval(st, sc)
	if err != nil {
		return err
	}
	before := len(st.out)
	if s, ok := v.(string); ok {
		if err := st.room(len(s)); err != nil {
			return placed(n.of.place().from, err)
		}
	}
	if st.out, err = st.appendText(st.out, v); err == nil {
		err = st.charge(len(st.out) - before)
	}
	return placed(n.of.place().from, err)
}

func (n *ifNode) exec(st *state, sc *scope) error {
	for i, t := range n.tests {
		v, err := t.eval(st, sc)
		if err != nil {
			return err
		}
		if truth(v) {
			return n.bodies[i].exec(st, sc)
		}
	}
	return n.orElse.exec(st, sc)
}

func (n *setNode) exec(st *state, sc *scope) error {
	v, err := n.value.eval(st, sc)
	if err != nil {
		return err
	}
	return sc.bind(st, &n.target, v)
}

func (n *setBlock) exec(st *state, sc *scope) error {
	v, err := st.filtered(n.body, n.filters, sc)
	if err != nil {
		return err
	}
	return sc.bind(st, &n.target, v)
}

func (n *filterBlock) exec(st *state, sc *scope) error {
	v, err := st.filtered(n.body, n.filters, sc)
	if err != nil {
		return err
	}
	return (&printNode{&literal{n.filters[0].where, v}}).exec(st, sc)
}

func (n *withNode) exec(st *state, sc *scope) error {
	inner := sc.child()
	for i, value := range n.values {
		v, err := value.eval(st, sc)
		if err != nil {
			return err
		}
		if err := inner.bind(st, &n.targets[i], v); err != nil {
			return err
		}
	}
	return n.body.exec(st, inner)
}

// A block without a parent template prints in place, but sees only what is set
// at the top unless it says scoped.
func (n *blockNode) exec(st *state, sc *scope) error {
	if n.scoped {
		return n.body.exec(st, sc.child())
	}
	return n.body.exec(st, sc.root().child())
}

func (n *macroNode) exec(_ *state, sc *scope) error {
	sc.set(n.name, &macro{node: n, scope: sc})
	return nil
}

func (n *callBlock) exec(st *state, sc *scope) error {
	callee, err := n.call.callee.eval(st, sc)
	if err != nil {
		return err
	}
	args, err := n.call.args.eval(st, sc)
	if err != nil {
		return err
	}
	args.named = append(args.named, variable{"caller", &macro{node: n.macro, scope: sc}})
	v, err := st.invoke(n.call, callee, args)
	if err != nil {
		return err
	}
	return (&printNode{&literal{n.where, v}}).exec(st, sc)
}

// capture runs a body and returns what it wrote.
func (st *state) capture(body block, sc *scope) (string, error) {
	outer := st.out
	st.out = nil
	err := body.exec(st, sc)
	text := string(st.out)
	st.out = outer
	return text, err
}

func (st *state) filtered(body block, filters []*filterNode, sc *scope) (any, error) {
	text, err := st.capture(body, sc.child())
	if err != nil {
		return nil, err
	}
	var v any = text
	for _, f := range filters {
		if v, err = f.apply(st, sc, v); err != nil {
			return nil, err
		}
	}
	return v, nil
}
