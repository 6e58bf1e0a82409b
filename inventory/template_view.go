package inventory

import (
	"slices"
	"strings"

	"stoa/inventory/internal/jinja"
)

// accessMembers is the top-level members that are rendered before everything
// else, and see only one another and env.
var accessMembers = []string{"nodes", "node_defaults", "gateway_nodes", "cluster_name", "values", "procedure_history"}

// lookup gives templates the top-level names.
func (e *renderer) lookup(name string) (any, bool, error) {
	switch {
	case name == "env":
		return e.view("env", e.environ), true, nil
	case name == "globals" && !e.hidden:
		return e.view("globals", func() any { return e.viewOf(constants()) }), true, nil
	}
	v := e.root.Get(name)
	if name == "globals" {
		v = nil
	}
	if v == nil {
		if e.hidden && compiledSchema().properties[name] != nil && !isAccess(name) {
			e.unseen = name
		}
		return nil, false, nil
	}
	return e.view(name, func() any { return e.viewOf(v) }), true, nil
}

func isAccess(name string) bool { return slices.Contains(accessMembers, name) }

// view makes what templates see of a top-level name, once.
func (e *renderer) view(name string, build func() any) any {
	v, ok := e.views[name]
	if !ok {
		v = build()
		e.views[name] = v
	}
	return v
}

func (e *renderer) environ() any {
	m := new(jinja.Map)
	for name, value := range e.r.o.Environ {
		m.Set(name, value)
	}
	return m
}

func (e *renderer) viewOf(v *Value) any {
	if p := e.pending[v]; p != nil && p.state != done {
		return jinja.Lazy(func() (any, error) {
			if err := e.force(p); err != nil {
				return nil, err
			}
			return plain(p.v), nil
		})
	}
	switch v.Kind {
	case Map:
		m := new(jinja.Map)
		for i := range v.Members {
			e.viewMember(m, &v.Members[i])
		}
		return m
	case List:
		list := make([]any, len(v.Items))
		for i, item := range v.Items {
			list[i] = e.viewOf(item)
		}
		return list
	}
	return plain(v)
}

// viewMember keeps names that were written as numbers or bools what they are.
func (e *renderer) viewMember(m *jinja.Map, member *Member) {
	if member.Untext {
		if key, ok := resolvePlain(member.Name); ok && m.SetKey(plain(key), e.viewOf(member.Value)) == nil {
			return
		}
	}
	m.Set(member.Name, e.viewOf(member.Value))
}

// plain is a scalar as templates see it.
func plain(v *Value) any {
	switch v.Kind {
	case Bool:
		return v.Bool()
	case Int:
		if n, ok := v.Int(); ok {
			return n
		}
		return v.Text
	case Float:
		f, _ := v.Number()
		return f
	case String, Time:
		return v.Text
	}
	return nil
}

// text evaluates what stands at a path and gives its text; calculated values are
// made of others by it.
func (e *renderer) text(names ...string) (string, error) {
	v := e.root.Get(names...)
	if v == nil {
		return "", nil
	}
	if p := e.pending[v]; p != nil {
		if err := e.force(p); err != nil {
			return "", err
		}
	}
	if v.Kind == Null || v.Kind == List || v.Kind == Map {
		return "", nil
	}
	return scalarText(v), nil
}

// dotted is a path as people write it.
func dotted(segments []string) string {
	var b strings.Builder
	for i, s := range segments {
		switch {
		case s != "" && strings.Trim(s, "0123456789") == "":
			b.WriteString("[" + s + "]")
		case strings.ContainsAny(s, `.["`) || s == "":
			b.WriteString(`["` + s + `"]`)
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s)
		}
	}
	return b.String()
}
