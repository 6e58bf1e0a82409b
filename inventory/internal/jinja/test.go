package jinja

import (
	"maps"
	"slices"
)

// test answers v is name(a).
type test func(st *state, v any, a arguments) (bool, error)

// The tests that ask for others are not in the table: Go would see a circle.
func testNamed(name string) test {
	switch name {
	case "filter":
		return named(func(name string) bool { return filterNamed(name) != nil })
	case "test":
		return named(func(name string) bool { return testNamed(name) != nil })
	}
	return tests[name]
}

func testNames() []string {
	return slices.AppendSeq([]string{"filter", "test"}, maps.Keys(tests))
}

var tests = map[string]test{
	"defined":   is(func(v any) bool { return kindOf(v) != "undefined" }),
	"undefined": is(func(v any) bool { return kindOf(v) == "undefined" }),
	"none":      is(func(v any) bool { return v == nil }),
	"boolean":   is(func(v any) bool { return kindOf(v) == "a boolean" }),
	"true":      is(func(v any) bool { return v == true }),
	"false":     is(func(v any) bool { return v == false }),
	"integer":   is(func(v any) bool { return kindOf(v) == "an integer" }),
	"float":     is(func(v any) bool { return kindOf(v) == "a number" }),
	"number":    is(func(v any) bool { _, ok := number(v); return ok }),
	"string":    is(func(v any) bool { return kindOf(v) == "a string" }),
	"mapping":   is(func(v any) bool { return kindOf(v) == "a mapping" }),
	"sequence":  is(isSequence),
	"iterable":  is(isIterable),
	"callable":  is(func(v any) bool { _, ok := v.(callable); return ok }),
	"escaped":   is(func(any) bool { return false }),
	"even":      remainder(0),
	"odd":       remainder(1),
	"upper":     letters("isupper"),
	"lower":     letters("islower"),

	"divisibleby": testDivisible,
	"sameas":      testSame,
	"in":          relation("in"),
	"==":          relation("=="),
	"eq":          relation("=="),
	"equalto":     relation("=="),
	"!=":          relation("!="),
	"ne":          relation("!="),
	"<":           relation("<"),
	"lt":          relation("<"),
	"lessthan":    relation("<"),
	"<=":          relation("<="),
	"le":          relation("<="),
	">":           relation(">"),
	"gt":          relation(">"),
	"greaterthan": relation(">"),
	">=":          relation(">="),
	"ge":          relation(">="),

	"has_role":  testHasRole,
	"has_roles": testHasRoles,
}

func is(fn func(any) bool) test {
	return func(_ *state, v any, a arguments) (bool, error) {
		_, err := a.bind()
		return fn(v), err
	}
}

func named(fn func(string) bool) test {
	return func(_ *state, v any, a arguments) (bool, error) {
		_, err := a.bind()
		name, _ := v.(string)
		return fn(name), err
	}
}

func isSequence(v any) bool {
	_, ok := sequence(v)
	return ok || slices.Contains([]string{"a string", "a mapping", "undefined"}, kindOf(v))
}

func isIterable(v any) bool {
	_, ok := v.(*view)
	return ok || isSequence(v)
}

func remainder(want int64) test {
	return func(_ *state, v any, a arguments) (bool, error) {
		if _, err := a.bind(); err != nil {
			return false, err
		}
		if f, ok := v.(float64); ok {
			r, err := floats("%", f, 2)
			return r == float64(want), err
		}
		i, ok := integer(v)
		if !ok {
			return false, notNumber(v)
		}
		return i&1 == want, nil
	}
}

func letters(how string) test {
	return func(st *state, v any, a arguments) (bool, error) {
		if _, err := a.bind(); err != nil {
			return false, err
		}
		s, err := st.text(v)
		return isAll(how, s), err
	}
}

func relation(op string) test {
	return func(st *state, v any, a arguments) (bool, error) {
		p, err := a.bind("other")
		if err != nil {
			return false, err
		}
		if err := p.need(0); err != nil {
			return false, err
		}
		return st.holds(op, v, p.values[0])
	}
}

func testDivisible(st *state, v any, a arguments) (bool, error) {
	p, err := a.bind("num")
	if err != nil {
		return false, err
	}
	if err := p.need(0); err != nil {
		return false, err
	}
	if _, ok := number(v); !ok {
		return false, notNumber(v)
	}
	rest, err := st.operate("%", v, p.values[0])
	return err == nil && !truth(rest), err
}

// testSame is identity; equal scalars count as one.
func testSame(_ *state, v any, a arguments) (bool, error) {
	p, err := a.bind("other")
	if err != nil {
		return false, err
	}
	if err := p.need(0); err != nil {
		return false, err
	}
	return v == nil && p.values[0] == nil || v != nil && same(v, p.values[0]), nil
}

func testHasRole(st *state, v any, a arguments) (bool, error) {
	p, err := a.bind("role")
	if err != nil {
		return false, err
	}
	if err := p.need(0); err != nil {
		return false, err
	}
	role, ok := p.values[0].(string)
	if !ok {
		return false, fail("a role is needed, not %s", kindOf(p.values[0]))
	}
	return st.hasAnyRole(v, []any{role})
}

func testHasRoles(st *state, v any, a arguments) (bool, error) {
	p, err := a.bind("roles")
	if err != nil {
		return false, err
	}
	if err := p.need(0); err != nil {
		return false, err
	}
	roles, ok := sequence(p.values[0])
	if !ok {
		return false, fail("a list of roles is needed, not %s", kindOf(p.values[0]))
	}
	return st.hasAnyRole(v, roles)
}

func (st *state) hasAnyRole(v any, wanted []any) (bool, error) {
	if err := refuseUndefined(v); err != nil {
		return false, err
	}
	node, ok := v.(*Map)
	if !ok {
		return false, fail("a node is needed, not %s", kindOf(v))
	}
	given, ok := node.Get("roles")
	if !ok {
		return false, fail("the node has no roles")
	}
	given, err := force(given)
	if err != nil {
		return false, err
	}
	for _, role := range wanted {
		if has, err := st.contains(given, role); err != nil || has {
			return has, err
		}
	}
	return false, nil
}
