package jinja

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// filter computes v | name(a).
type filter func(st *state, v any, a arguments) (any, error)

// The filters that call others are not in a table: Go would see a circle.
func filterNamed(name string) filter {
	switch name {
	case "map":
		return filterMap
	case "select", "reject":
		return choose(name == "select", false)
	case "selectattr", "rejectattr":
		return choose(name == "selectattr", true)
	}
	for _, table := range filterTables {
		if f, ok := table[name]; ok {
			return f
		}
	}
	return nil
}

// Our own filters come first: tojson is one of them.
var filterTables = []map[string]filter{ownFilters, sequenceFilters, textFilters, valueFilters}

func filterNames() []string {
	names := []string{"map", "select", "reject", "selectattr", "rejectattr"}
	for _, table := range filterTables {
		names = slices.AppendSeq(names, maps.Keys(table))
	}
	return names
}

var valueFilters = map[string]filter{
	"default": filterDefault,
	"d":       filterDefault,
	"abs":     filterAbs,
	"round":   filterRound,
	"int":     filterInt,
	"float":   filterFloat,
	"attr":    filterAttr,
	"items":   filterItems,
	"length":  filterLength,
	"count":   filterLength,
}

func filterDefault(_ *state, v any, a arguments) (any, error) {
	p, err := a.bind("default_value", "boolean")
	if err != nil {
		return nil, err
	}
	_, missing := v.(*undefined)
	if missing || p.truth(1) && !truth(v) {
		return p.or(0, ""), nil
	}
	return v, nil
}

func filterLength(_ *state, v any, a arguments) (any, error) {
	if _, err := a.bind(); err != nil {
		return nil, err
	}
	n, err := length(v)
	return int64(n), err
}

func filterItems(st *state, v any, a arguments) (any, error) {
	switch v := v.(type) {
	case *undefined:
		return &view{}, nil
	case *Map:
		items, err := mapMethod("items")(st, v, a)
		if err != nil {
			return nil, err
		}
		return &view{items: items.(*view).items}, nil
	}
	return nil, fail("a mapping is needed, not %s", kindOf(v))
}

func filterAttr(_ *state, v any, a arguments) (any, error) {
	p, err := a.bind("name")
	if err != nil {
		return nil, err
	}
	if err := refuseUndefined(v); err != nil {
		return nil, err
	}
	name, err := p.str(0, "")
	if err != nil {
		return nil, err
	}
	if _, isMap := v.(*Map); !isMap { // members of a mapping are items, not attributes
		if m, ok := memberOf(v, name); ok {
			return m, nil
		}
	}
	return &undefined{"the attribute " + name}, nil
}

// getter reads the argument "attribute" of a filter: 'a.b.0', or an index.
type getter struct {
	path      []any
	otherwise any // absent where the filter has no default
}

func newGetter(attribute, otherwise any) (getter, error) {
	g := getter{otherwise: otherwise}
	switch a := attribute.(type) {
	case nil, absent:
	case string:
		g.path = splitPath(a)
	case int64:
		g.path = []any{a}
	default:
		return g, fail("the attribute must be a string or an integer, not %s", kindOf(a))
	}
	return g, nil
}

func (g getter) get(v any) (any, error) {
	v, err := force(v)
	if err != nil {
		return nil, err
	}
	for _, key := range g.path {
		if err := refuseUndefined(v); err != nil {
			return nil, err
		}
		item, ok := itemOf(v, key)
		if !ok {
			item = &undefined{"the attribute " + keyText(key)}
			if _, none := g.otherwise.(absent); !none && g.otherwise != nil {
				item = g.otherwise
			}
		}
		if v, err = force(item); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func splitPath(s string) []any {
	var path []any
	for part := range strings.SplitSeq(s, ".") {
		if i, err := strconv.ParseInt(part, 10, 64); err == nil {
			path = append(path, i)
		} else {
			path = append(path, part)
		}
	}
	return path
}

func keyText(key any) string {
	if s, ok := key.(string); ok {
		return s
	}
	return spellScalar(key)
}

// keysOf computes the value to sort or compare each item by.
func (st *state) keysOf(items []any, g getter, caseless bool) ([]any, error) {
	keys := make([]any, len(items))
	for i, item := range items {
		k, err := g.get(item)
		if err != nil {
			return nil, err
		}
		if s, ok := k.(string); ok && caseless {
			k = cased("lower", s)
		}
		keys[i] = k
	}
	return keys, st.charge(bytesPerItem * len(items))
}
