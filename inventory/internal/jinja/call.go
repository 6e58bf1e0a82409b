package jinja

// callable is what a template may call.
type callable interface {
	call(st *state, a arguments) (any, error)
}

type function func(st *state, a arguments) (any, error)

func (f function) call(st *state, a arguments) (any, error) { return f(st, a) }

// bound is a method taken from its value without being called.
type bound struct {
	self any
	fn   method
}

func (b *bound) call(st *state, a arguments) (any, error) { return b.fn(st, b.self, a) }

// arguments are the values of one call, already computed.
type arguments struct {
	positional []any
	named      []variable
}

func (n *argumentNodes) eval(st *state, sc *scope) (a arguments, err error) {
	if len(n.positional) > 0 {
		a.positional = make([]any, len(n.positional))
		for i, e := range n.positional {
			if a.positional[i], err = e.eval(st, sc); err != nil {
				return a, err
			}
		}
	}
	for _, e := range n.named {
		v, err := e.value.eval(st, sc)
		if err != nil {
			return a, err
		}
		a.named = append(a.named, variable{e.name, v})
	}
	return a, n.evalSpread(st, sc, &a)
}

func (n *argumentNodes) evalSpread(st *state, sc *scope, a *arguments) error {
	if n.spread != nil {
		v, err := n.spread.eval(st, sc)
		if err != nil {
			return err
		}
		items, err := st.forced(v)
		if err != nil {
			return placed(n.spread.place().from, err)
		}
		a.positional = append(a.positional, items...)
	}
	if n.spreadMap != nil {
		v, err := n.spreadMap.eval(st, sc)
		if err != nil {
			return err
		}
		m, ok := v.(*Map)
		if !ok {
			return failAt(n.spreadMap.place().from, "** needs a mapping, not %s", kindOf(v))
		}
		for _, key := range m.Keys() {
			v, _ := m.Get(key)
			if v, err = force(v); err != nil {
				return placed(n.spreadMap.place().from, err)
			}
			a.named = append(a.named, variable{key, v})
		}
	}
	return nil
}

// parameters are arguments sorted by the names that a filter, test or method
// gives them. A value that was not given is absent.
type parameters struct {
	names  []string
	values []any
}

type absent struct{}

func (a arguments) bind(names ...string) (parameters, error) {
	if len(a.positional) > len(names) {
		if len(names) == 0 {
			return parameters{}, fail("no arguments are allowed here")
		}
		return parameters{}, fail("%d arguments are given, at most %d are allowed", len(a.positional), len(names))
	}
	p := parameters{names, make([]any, len(names))}
	for i := range p.values {
		p.values[i] = absent{}
	}
	copy(p.values, a.positional)
	for _, v := range a.named {
		i := indexOf(names, v.name)
		if i < 0 {
			return p, fail("there is no argument %q here", v.name)
		}
		if p.has(i) {
			return p, fail("the argument %q is given twice", v.name)
		}
		p.values[i] = v.value
	}
	return p, nil
}

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

func (p parameters) has(i int) bool {
	_, none := p.values[i].(absent)
	return !none
}

func (p parameters) need(n int) error {
	for i := range n + 1 {
		if !p.has(i) {
			return fail("the argument %q is missing", p.names[i])
		}
	}
	return nil
}

func (p parameters) or(i int, otherwise any) any {
	if p.has(i) {
		return p.values[i]
	}
	return otherwise
}

func (p parameters) truth(i int) bool { return p.has(i) && truth(p.values[i]) }

// given is has, with none counting as not given.
func (p parameters) given(i int) bool { return p.has(i) && p.values[i] != nil }

func (p parameters) str(i int, otherwise string) (string, error) {
	if !p.given(i) {
		return otherwise, nil
	}
	s, ok := p.values[i].(string)
	if !ok {
		return "", fail("the argument %q must be a string, not %s", p.names[i], kindOf(p.values[i]))
	}
	return s, nil
}

func (p parameters) integer(i int, otherwise int) (int, error) {
	if !p.given(i) {
		return otherwise, nil
	}
	n, ok := integer(p.values[i])
	if !ok {
		return 0, fail("the argument %q must be an integer, not %s", p.names[i], kindOf(p.values[i]))
	}
	return int(n), nil
}
