package jinja

// scope holds what a template binds: by set, for, with, macro. Names it does
// not have are looked up around it, then at the caller's, then among the
// functions of Jinja2.
type scope struct {
	parent *scope
	vars   []variable
}

type variable struct {
	name  string
	value any
}

func (sc *scope) get(name string) (any, bool) {
	for ; sc != nil; sc = sc.parent {
		for i := range sc.vars {
			if sc.vars[i].name == name {
				return sc.vars[i].value, true
			}
		}
	}
	return nil, false
}

func (sc *scope) set(name string, value any) {
	for i := range sc.vars {
		if sc.vars[i].name == name {
			sc.vars[i].value = value
			return
		}
	}
	sc.vars = append(sc.vars, variable{name, value})
}

func (sc *scope) child() *scope { return &scope{parent: sc} }

func (sc *scope) root() *scope {
	for sc.parent != nil {
		sc = sc.parent
	}
	return sc
}

// bind assigns a value to a target, unpacking it where the target has parts.
func (sc *scope) bind(st *state, t *target, v any) error {
	switch {
	case t.parts != nil:
		v, err := force(v)
		if err != nil {
			return placed(t.from, err)
		}
		items, err := st.items(v)
		if err != nil {
			return placed(t.from, err)
		}
		if len(items) != len(t.parts) {
			return failAt(t.from, "%d values cannot be unpacked into %d names", len(items), len(t.parts))
		}
		for i := range t.parts {
			if err := sc.bind(st, &t.parts[i], items[i]); err != nil {
				return err
			}
		}
		return nil
	case t.member != "":
		owner, _ := sc.get(t.name)
		ns, ok := owner.(*namespace)
		if !ok {
			return failAt(t.from, "%s is no namespace: only its members can be set", t.name)
		}
		ns.members.put(t.member, v)
		return nil
	}
	sc.set(t.name, v)
	return nil
}
