package jinja

import (
	"math"
	"math/bits"
	"strings"
)

func negated(v any, minus bool) (any, error) {
	if i, ok := integer(v); ok {
		switch {
		case !minus:
			return i, nil
		case i == math.MinInt64:
			return nil, errTooLarge
		}
		return -i, nil
	}
	if f, ok := v.(float64); ok {
		if minus {
			f = -f
		}
		return f, nil
	}
	if err := refuseUndefined(v); err != nil {
		return nil, err
	}
	return nil, fail("%s has no sign", kindOf(v))
}

const (
	errTooLarge = plainError("the number is too large: integers have 64 bits")
	errZero     = plainError("division by zero")
)

func (st *state) operate(op string, a, b any) (any, error) {
	x, ok := integer(a)
	y, ok2 := integer(b)
	if ok && ok2 {
		return integers(op, x, y)
	}
	f, ok := number(a)
	g, ok2 := number(b)
	if ok && ok2 {
		return floats(op, f, g)
	}
	if s, ok := a.(string); ok && op == "%" {
		return st.percent(s, b)
	}
	if err := refuseUndefined(a, b); err != nil {
		return nil, err
	}
	switch op {
	case "+":
		if v, err := st.joined(a, b); v != nil || err != nil {
			return v, err
		}
	case "*":
		if n, ok := integer(b); ok {
			if v, err := st.repeat(a, n); v != nil || err != nil {
				return v, err
			}
		} else if n, ok := integer(a); ok {
			if v, err := st.repeat(b, n); v != nil || err != nil {
				return v, err
			}
		}
	}
	return nil, fail("%s %s %s cannot be computed%s", kindOf(a), op, kindOf(b), plusHint(op, a, b))
}

func plusHint(op string, a, b any) string {
	_, left := a.(string)
	_, right := b.(string)
	if op == "+" && (left || right) {
		return ": join text with ~"
	}
	return ""
}

// joined adds what has an order of items; nil means the two do not fit.
func (st *state) joined(a, b any) (any, error) {
	if s, ok := a.(string); ok {
		t, ok := b.(string)
		if !ok {
			return nil, nil
		}
		if err := st.charge(len(s) + len(t)); err != nil {
			return nil, err
		}
		return s + t, nil
	}
	kind := kindOf(a)
	if kind != kindOf(b) || kind != "a list" && kind != "a tuple" {
		return nil, nil
	}
	xs, _ := sequence(a)
	ys, _ := sequence(b)
	if err := st.charge(bytesPerItem * (len(xs) + len(ys))); err != nil {
		return nil, err
	}
	items := append(append(make([]any, 0, len(xs)+len(ys)), xs...), ys...)
	if kind == "a tuple" {
		return Tuple(items), nil
	}
	return newList(items), nil
}

// repeat returns nil for what cannot be repeated.
func (st *state) repeat(v any, times int64) (any, error) {
	n := int(max(0, min(times, 1<<40)))
	if s, ok := v.(string); ok {
		if err := st.charge(product(len(s), n)); err != nil || s == "" {
			return "", err
		}
		return strings.Repeat(s, n), nil
	}
	kind := kindOf(v)
	if kind != "a list" && kind != "a tuple" {
		return nil, nil
	}
	xs, _ := sequence(v)
	if err := st.charge(product(bytesPerItem*len(xs), n)); err != nil {
		return nil, err
	}
	if len(xs) == 0 {
		n = 0
	}
	items := make([]any, 0, len(xs)*n)
	for range n {
		items = append(items, xs...)
	}
	if kind == "a tuple" {
		return Tuple(items), nil
	}
	return newList(items), nil
}

func integers(op string, x, y int64) (any, error) {
	switch op {
	case "+":
		if sum := x + y; (sum > x) == (y > 0) {
			return sum, nil
		}
		return nil, errTooLarge
	case "-":
		if difference := x - y; (difference < x) == (y > 0) {
			return difference, nil
		}
		return nil, errTooLarge
	case "*":
		return multiply(x, y)
	case "/":
		if y == 0 {
			return nil, errZero
		}
		return float64(x) / float64(y), nil
	case "//", "%":
		return divide(op, x, y)
	}
	if y < 0 {
		if x == 0 {
			return nil, errZero
		}
		return math.Pow(float64(x), float64(y)), nil
	}
	return power(x, y)
}

func multiply(x, y int64) (any, error) {
	high, low := bits.Mul64(magnitude(x), magnitude(y))
	negative := (x < 0) != (y < 0)
	switch {
	case high != 0 || low > 1<<63 || low == 1<<63 && !negative:
		return nil, errTooLarge
	case negative:
		return int64(-low), nil
	}
	return int64(low), nil
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// divide rounds down, as Python does, so the remainder has the divisor's sign.
func divide(op string, x, y int64) (any, error) {
	if y == 0 {
		return nil, errZero
	}
	if y == -1 {
		if op == "%" {
			return int64(0), nil
		}
		return negated(x, true)
	}
	quotient, remainder := x/y, x%y
	if remainder != 0 && (remainder < 0) != (y < 0) {
		quotient--
		remainder += y
	}
	if op == "%" {
		return remainder, nil
	}
	return quotient, nil
}

func power(x, y int64) (any, error) {
	result := int64(1)
	for {
		if y&1 == 1 {
			v, err := multiply(result, x)
			if err != nil {
				return nil, err
			}
			result = v.(int64)
		}
		if y >>= 1; y == 0 {
			return result, nil
		}
		v, err := multiply(x, x)
		if err != nil {
			return nil, err
		}
		x = v.(int64)
	}
}

func floats(op string, x, y float64) (any, error) {
	switch op {
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	case "**":
		v := math.Pow(x, y)
		if math.IsInf(v, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) || math.IsNaN(v) && x == x && y == y {
			return nil, fail("the power is too large or no real number")
		}
		return v, nil
	}
	if y == 0 {
		return nil, errZero
	}
	if op == "/" {
		return x / y, nil
	}
	remainder := math.Mod(x, y)
	if remainder != 0 && (remainder < 0) != (y < 0) {
		remainder += y
	}
	if op == "%" {
		return remainder, nil
	}
	return math.Round((x - remainder) / y), nil
}
