package jinja

import (
	"maps"
	"slices"
)

// Reference is a place where a template names something outside itself.
type Reference struct {
	Path         []any // names, and the fixed indexes between them: "nodes", int64(0), "name"
	Line, Column int
	Optional     bool // followed by default(...), is defined or is undefined
}

// References lists what a template refers to, in order of appearance: each
// with as long a path as can be told without computing.
func References(source string) ([]Reference, error) {
	t, err := Parse(source)
	if err != nil {
		return nil, err
	}
	return t.References(), nil
}

// References is the same for a parsed template.
func (t *Template) References() []Reference {
	f := &finder{}
	f.block(t.body, map[string]bool{})
	slices.SortStableFunc(f.found, func(a, b foundReference) int { return a.offset - b.offset })
	refs := make([]Reference, len(f.found))
	last, line, column := 0, 1, 1
	for i, found := range f.found {
		l, c := position(t.source[last:], found.offset-last)
		if l == 1 {
			c += column - 1
		}
		last, line, column = found.offset, line+l-1, c
		refs[i] = found.Reference
		refs[i].Line, refs[i].Column = line, column
	}
	return refs
}

type finder struct{ found []foundReference }

type foundReference struct {
	Reference
	offset int
}

// names are the ones that the template binds itself.
type names = map[string]bool

func (f *finder) block(b block, own names) {
	for _, s := range b {
		f.statement(s, own)
	}
}

func (f *finder) statement(s statement, own names) {
	switch s := s.(type) {
	case *printNode:
		f.expression(s.of, own)
	case *ifNode:
		for i, t := range s.tests {
			f.expression(t, own)
			f.block(s.bodies[i], own)
		}
		f.block(s.orElse, own)
	case *forNode:
		f.expression(s.over, own)
		inner := maps.Clone(own)
		inner["loop"] = true
		s.target.addTo(inner)
		f.expression(s.condition, inner)
		f.block(s.body, inner)
		f.block(s.orElse, maps.Clone(own))
	case *setNode:
		f.expression(s.value, own)
		s.target.addTo(own)
	case *setBlock:
		f.filters(s.filters, own)
		f.block(s.body, maps.Clone(own))
		s.target.addTo(own)
	case *filterBlock:
		f.filters(s.filters, own)
		f.block(s.body, maps.Clone(own))
	case *withNode:
		inner := maps.Clone(own)
		for i, v := range s.values {
			f.expression(v, own)
			s.targets[i].addTo(inner)
		}
		f.block(s.body, inner)
	case *macroNode:
		own[s.name] = true
		f.macro(s, own)
	case *callBlock:
		f.expression(s.call, own)
		f.macro(s.macro, own)
	case *blockNode:
		f.block(s.body, maps.Clone(own))
	}
}

func (f *finder) macro(m *macroNode, own names) {
	inner := maps.Clone(own)
	for _, param := range append([]string{"varargs", "kwargs", "caller"}, m.params...) {
		inner[param] = true
	}
	for _, d := range m.defaults {
		f.expression(d, inner)
	}
	f.block(m.body, inner)
}

func (t *target) addTo(own names) {
	if t.name != "" && t.member == "" {
		own[t.name] = true
	}
	for i := range t.parts {
		t.parts[i].addTo(own)
	}
}

func (f *finder) filters(filters []*filterNode, own names) {
	for _, n := range filters {
		f.arguments(&n.args, own)
	}
}

func (f *finder) arguments(a *argumentNodes, own names) {
	f.expressions(a.positional, own)
	for _, n := range a.named {
		f.expression(n.value, own)
	}
	f.expression(a.spread, own)
	f.expression(a.spreadMap, own)
}

func (f *finder) expressions(list []expression, own names) {
	for _, e := range list {
		f.expression(e, own)
	}
}

func (f *finder) expression(e expression, own names) {
	switch e := e.(type) {
	case *name, *attribute, *subscript:
		f.path(e, own, false)
	case *listNode:
		f.expressions(e.items, own)
	case *tupleNode:
		f.expressions(e.items, own)
	case *mapNode:
		for i := range e.keys {
			f.expression(e.keys[i], own)
			f.expression(e.values[i], own)
		}
	case *slice:
		f.expressions([]expression{e.of, e.start, e.end, e.step}, own)
	case *call:
		f.callee(e, own)
		f.arguments(&e.args, own)
	case *filterNode:
		f.path(e.of, own, e.name == "default" || e.name == "d")
		f.arguments(&e.args, own)
	case *testNode:
		f.path(e.of, own, e.name == "defined" || e.name == "undefined")
		f.arguments(&e.args, own)
	case *unary:
		f.expression(e.of, own)
	case *binary:
		f.expressions([]expression{e.left, e.right}, own)
	case *logical:
		f.expressions([]expression{e.left, e.right}, own)
	case *comparison:
		f.expression(e.first, own)
		f.expressions(e.rest, own)
	case *concat:
		f.expressions(e.parts, own)
	case *conditional:
		f.expressions([]expression{e.test, e.then, e.otherwise}, own)
	}
}

// callee leaves out the method: of a.b.items() the reference is a.b.
func (f *finder) callee(e *call, own names) {
	switch callee := e.callee.(type) {
	case *attribute:
		f.expression(callee.of, own)
	case *name:
		if _, ok := global(callee.name); !ok {
			f.path(callee, own, false)
		}
	default:
		f.expression(callee, own)
	}
}

// path reports the longest path of fixed steps that e begins with, and looks
// into whatever is not fixed.
func (f *finder) path(e expression, own names, optional bool) {
	var steps []any
	at := e
	for {
		switch n := at.(type) {
		case *attribute:
			steps = append(steps, n.name)
			at = n.of
			continue
		case *subscript:
			if key, ok := n.key.(*literal); ok {
				steps = append(steps, key.value)
			} else {
				f.expression(n.key, own)
				steps, optional = steps[:0], false
			}
			at = n.of
			continue
		case *name:
			if own[n.name] {
				return
			}
			path := []any{n.name}
			for i := len(steps) - 1; i >= 0; i-- {
				path = append(path, steps[i])
			}
			f.found = append(f.found, foundReference{Reference{Path: path, Optional: optional}, n.from})
			return
		}
		f.expression(at, own)
		return
	}
}
