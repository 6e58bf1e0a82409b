package jinja

type macro struct {
	node  *macroNode
	scope *scope // where it was defined
}

func (m *macro) call(st *state, a arguments) (any, error) {
	n := m.node
	sc := m.scope.child()
	if err := m.bindPositional(sc, a.positional); err != nil {
		return nil, err
	}
	if err := m.bindNamed(sc, a); err != nil {
		return nil, err
	}
	for i, param := range n.params {
		if i < len(a.positional) || has(sc, param) {
			continue
		}
		d := i - (len(n.params) - len(n.defaults))
		if d < 0 {
			sc.set(param, &undefined{"the parameter " + param + " of " + n.name})
			continue
		}
		v, err := n.defaults[d].eval(st, sc)
		if err != nil {
			return nil, err
		}
		sc.set(param, v)
	}
	text, err := st.capture(n.body, sc)
	return text, err
}

func has(sc *scope, name string) bool {
	for i := range sc.vars {
		if sc.vars[i].name == name {
			return true
		}
	}
	return false
}

func (m *macro) bindPositional(sc *scope, given []any) error {
	n := m.node
	if len(given) > len(n.params) && !n.varargs {
		return fail("%s takes at most %d arguments, not %d", n.name, len(n.params), len(given))
	}
	for i, param := range n.params {
		if i < len(given) {
			sc.set(param, given[i])
		}
	}
	if n.varargs {
		rest := Tuple{}
		if len(given) > len(n.params) {
			rest = given[len(n.params):]
		}
		sc.set("varargs", rest)
	}
	return nil
}

func (m *macro) bindNamed(sc *scope, a arguments) error {
	n := m.node
	if n.caller && indexOf(n.params, "caller") < 0 {
		sc.set("caller", &undefined{"caller"})
	}
	rest := &Map{own: true}
	for _, v := range a.named {
		i := indexOf(n.params, v.name)
		switch {
		case i >= 0 && i < len(a.positional):
			return fail("%s gets its argument %q twice", n.name, v.name)
		case i >= 0 || v.name == "caller" && n.caller:
			sc.set(v.name, v.value)
		case n.kwargs:
			rest.put(v.name, v.value)
		default:
			return fail("%s has no parameter %q", n.name, v.name)
		}
	}
	if n.kwargs {
		sc.set("kwargs", rest)
	}
	return nil
}
