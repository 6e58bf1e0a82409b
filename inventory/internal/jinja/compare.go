package jinja

import (
	"cmp"
	"math/big"
	"reflect"
	"slices"
	"strings"
)

const maxNesting = 200 // of values, where a walk would otherwise not end

func (st *state) equal(a, b any) (bool, error) { return st.equalDeep(a, b, 0) }

func (st *state) equalDeep(a, b any, depth int) (bool, error) {
	if depth > maxNesting {
		return false, fail("values are nested more than %d deep", maxNesting)
	}
	if err := st.step(1); err != nil {
		return false, err
	}
	var err error
	if a, err = force(a); err != nil {
		return false, err
	}
	if b, err = force(b); err != nil {
		return false, err
	}
	if c, ok := compareNumbers(a, b); ok {
		return c == 0, nil
	}
	switch x := a.(type) {
	case nil:
		return b == nil, nil
	case string:
		y, ok := b.(string)
		return ok && x == y, nil
	case *undefined:
		_, ok := b.(*undefined)
		return ok, nil
	case *Map:
		y, ok := b.(*Map)
		if !ok || x.Len() != y.Len() {
			return false, nil
		}
		for _, e := range x.entries {
			i := y.find(e.key)
			if i < 0 {
				return false, nil
			}
			if same, err := st.equalDeep(e.value, y.entries[i].value, depth+1); err != nil || !same {
				return false, err
			}
		}
		return true, nil
	}
	xs, ok := sequence(a)
	ys, ok2 := sequence(b)
	if !ok || !ok2 {
		return same(a, b), nil
	}
	if kindOf(a) != kindOf(b) || len(xs) != len(ys) {
		return false, nil
	}
	for i := range xs {
		if same, err := st.equalDeep(xs[i], ys[i], depth+1); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// same is identity, for values that are pointers.
func same(a, b any) bool {
	return reflect.TypeOf(a).Comparable() && a == b
}

// compare orders two values as Python does: numbers, strings, and sequences of
// one kind. Anything else has no order.
func (st *state) compare(a, b any) (int, error) { return st.compareDeep(a, b, 0) }

func (st *state) compareDeep(a, b any, depth int) (int, error) {
	if depth > maxNesting {
		return 0, fail("values are nested more than %d deep", maxNesting)
	}
	var err error
	if a, err = force(a); err != nil {
		return 0, err
	}
	if b, err = force(b); err != nil {
		return 0, err
	}
	if c, ok := compareNumbers(a, b); ok {
		return c, nil
	}
	if x, ok := a.(string); ok {
		if y, ok := b.(string); ok {
			return strings.Compare(x, y), nil
		}
	}
	if err := refuseUndefined(a, b); err != nil {
		return 0, err
	}
	xs, ok := sequence(a)
	ys, ok2 := sequence(b)
	if !ok || !ok2 || kindOf(a) != kindOf(b) {
		return 0, fail("%s and %s have no order", kindOf(a), kindOf(b))
	}
	for i := range min(len(xs), len(ys)) {
		same, err := st.equalDeep(xs[i], ys[i], depth+1)
		if err != nil {
			return 0, err
		}
		if !same {
			return st.compareDeep(xs[i], ys[i], depth+1)
		}
	}
	return cmp.Compare(len(xs), len(ys)), st.step(len(xs))
}

func compareNumbers(a, b any) (int, bool) {
	x, ok := integer(a)
	y, ok2 := integer(b)
	if ok && ok2 {
		return cmp.Compare(x, y), true
	}
	f, ok := number(a)
	g, ok2 := number(b)
	if !ok || !ok2 {
		return 0, false
	}
	if f != f || g != g {
		return -2, true // not a number: neither equal nor greater
	}
	if c := cmp.Compare(f, g); c != 0 {
		return c, true
	}
	return exact(a).Cmp(exact(b)), true
}

// exact tells apart integers that have the same float64.
func exact(v any) *big.Float {
	if i, ok := integer(v); ok {
		return new(big.Float).SetInt64(i)
	}
	f, _ := number(v)
	return new(big.Float).SetFloat64(f)
}

func (st *state) contains(container, item any) (bool, error) {
	switch c := container.(type) {
	case string:
		s, ok := item.(string)
		if !ok {
			return false, fail("a string contains strings, not %s", kindOf(item))
		}
		return strings.Contains(c, s), nil
	case *Map:
		switch item.(type) {
		case *undefined, span:
			return false, nil
		}
		if _, err := hashable(item); err != nil {
			return false, err
		}
		return c.find(item) >= 0, nil
	}
	items, err := st.items(container)
	if err != nil {
		return false, err
	}
	for _, other := range items {
		if same, err := st.equal(other, item); err != nil || same {
			return same, err
		}
	}
	return false, nil
}

// sorted returns the items in the order of their keys, equal ones as they were.
func (st *state) sorted(items, keys []any, reverse bool) ([]any, error) {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	var failed error
	slices.SortStableFunc(order, func(a, b int) int {
		if failed != nil {
			return 0
		}
		if failed = st.step(1); failed != nil {
			return 0
		}
		var c int
		c, failed = st.compare(keys[a], keys[b])
		if reverse {
			return -c
		}
		return c
	})
	if failed != nil {
		return nil, failed
	}
	result := make([]any, len(items))
	for i, j := range order {
		result[i] = items[j]
	}
	return result, nil
}

// refuseUndefined is for operations that need values.
func refuseUndefined(values ...any) error {
	for _, v := range values {
		if u, ok := v.(*undefined); ok {
			return fail("%s", u.message())
		}
	}
	return nil
}

func (u *undefined) message() string { return u.what + " is undefined" }
