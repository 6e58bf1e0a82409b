package jinja

import (
	"math"
	"unicode/utf8"
)

// The values of a template are nil, bool, int64, float64, string, []any, *Map,
// Tuple and Lazy, given by the caller, and the ones below, which only a
// template makes.

// Lazy is a value computed when it is needed. It may be called several times
// in one rendering; a caller to whom that is dear keeps the answer.
type Lazy func() (any, error)

// Tuple is a list that prints in round brackets.
type Tuple []any

// list is a list made by a template, which may therefore change it.
type list struct{ items []any }

// undefined is what a name or member that does not exist gives.
type undefined struct{ what string }

// view is what a method or filter of Jinja2 gives that can only be walked:
// dict_keys, dict_values, dict_items, or a generator when it has no name.
type view struct {
	name  string
	items []any
}

// group is one group of the filter groupby: a pair with named members.
type group struct{ grouper, list any }

func newList(items []any) *list { return &list{items: items} }

// force computes lazy values until something solid comes out.
func force(v any) (any, error) {
	for range maxLazy {
		switch t := v.(type) {
		case Lazy:
			next, err := t()
			if err != nil {
				return nil, err
			}
			v = next
		case func() (any, error):
			v = Lazy(t)
		case int:
			return int64(t), nil
		case []string:
			items := make([]any, len(t))
			for i, s := range t {
				items[i] = s
			}
			return items, nil
		default:
			return v, nil
		}
	}
	return nil, fail("a value is computed from another in more than %d steps", maxLazy)
}

const maxLazy = 1000

// kindOf names the kind of a value in messages.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case bool:
		return "a boolean"
	case int64:
		return "an integer"
	case float64:
		return "a number"
	case string:
		return "a string"
	case []any, *list:
		return "a list"
	case Tuple, *group:
		return "a tuple"
	case *Map:
		return "a mapping"
	case *undefined:
		return "undefined"
	case *view:
		if v.name == "" {
			return "a generator"
		}
		return v.name
	case span:
		return "a range"
	case *namespace:
		return "a namespace"
	case callable:
		return "a function"
	}
	return "a value"
}

// sequence returns the items of what Python calls a sequence, strings aside.
func sequence(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case *list:
		return v.items, true
	case Tuple:
		return v, true
	case *group:
		return []any{v.grouper, v.list}, true
	case span:
		return v.items(), true
	}
	return nil, false
}

// items returns what a loop over v would visit.
func (st *state) items(v any) ([]any, error) {
	if items, ok := sequence(v); ok {
		return items, st.step(len(items))
	}
	switch v := v.(type) {
	case string:
		if err := st.step(len(v)); err != nil {
			return nil, err
		}
		items := make([]any, 0, len(v))
		for _, r := range v {
			items = append(items, string(r))
		}
		return items, nil
	case *Map:
		items := make([]any, len(v.entries))
		for i, e := range v.entries {
			items[i] = e.key
		}
		return items, st.step(len(items))
	case *view:
		return v.items, st.step(len(v.items))
	case *undefined:
		return nil, nil
	}
	return nil, fail("%s is no list: it cannot be walked", kindOf(v))
}

// forced is items with the lazy ones computed.
func (st *state) forced(v any) ([]any, error) {
	items, err := st.items(v)
	if err != nil {
		return nil, err
	}
	solid := make([]any, len(items))
	for i, item := range items {
		if solid[i], err = force(item); err != nil {
			return nil, err
		}
	}
	return solid, nil
}

func truth(v any) bool {
	switch v := v.(type) {
	case nil, *undefined:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case *Map:
		return v.Len() > 0
	case *view:
		return v.name == "" || len(v.items) > 0
	case span:
		return v.len() > 0
	}
	if items, ok := sequence(v); ok {
		return len(items) > 0
	}
	return true
}

func length(v any) (int, error) {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v), nil
	case *Map:
		return v.Len(), nil
	case *undefined:
		return 0, nil
	case span:
		return v.len(), nil
	case *view:
		if v.name == "" {
			return 0, fail("a generator has no length: add | list before")
		}
		return len(v.items), nil
	}
	if items, ok := sequence(v); ok {
		return len(items), nil
	}
	return 0, fail("%s has no length", kindOf(v))
}

// integer reads what Python takes for an integer without asking: booleans too.
func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case bool:
		return integerOf(v), true
	}
	return 0, false
}

func integerOf(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func number(v any) (float64, bool) {
	if f, ok := v.(float64); ok {
		return f, true
	}
	i, ok := integer(v)
	return float64(i), ok
}

// span is what range() gives: it holds no items until it is walked.
type span struct{ from, to, by int64 }

func (s span) len() int {
	var n float64
	if s.by > 0 {
		n = math.Ceil((float64(s.to) - float64(s.from)) / float64(s.by))
	} else {
		n = math.Ceil((float64(s.from) - float64(s.to)) / -float64(s.by))
	}
	return int(max(0, min(n, math.MaxInt32)))
}

func (s span) items() []any {
	items := make([]any, s.len())
	for i := range items {
		items[i] = s.from + int64(i)*s.by
	}
	return items
}
