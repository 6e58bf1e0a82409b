package inventory

import (
	"math"
	"strconv"
	"strings"
)

// equal compares as JSON Schema does: 10 equals 10.0, maps regardless of order.
func equal(a, b *Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	if x, ok := a.Number(); ok {
		y, ok := b.Number()
		return ok && x == y && a.Text == b.Text
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case Bool:
		return a.bits == b.bits
	case String, Time:
		return a.Text == b.Text
	case List:
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !equal(a.Items[i], b.Items[i]) {
				return false
			}
		}
	case Map:
		if len(a.Members) != len(b.Members) {
			return false
		}
		for i := range a.Members {
			if !equal(a.Members[i].Value, b.Get(a.Members[i].Name)) {
				return false
			}
		}
	}
	return true
}

// identity is a text that equal values share: the key under which duplicates in
// a long list are found in one pass.
func identity(v *Value) string {
	var b strings.Builder
	writeIdentity(&b, v)
	return b.String()
}

func writeIdentity(b *strings.Builder, v *Value) {
	switch v.Kind {
	case List:
		b.WriteByte('[')
		for _, item := range v.Items {
			writeIdentity(b, item)
		}
		b.WriteByte(']')
	case Map:
		b.WriteByte('{')
		for _, name := range sortedNames(v) {
			b.WriteString(strconv.Quote(name))
			writeIdentity(b, v.Get(name))
		}
		b.WriteByte('}')
	case Int, Float:
		if n, ok := v.Int(); ok {
			b.WriteString(strconv.FormatInt(n, 10))
		} else {
			b.WriteString(scalarText(v))
		}
		b.WriteByte(';')
	default:
		b.WriteByte('0' + byte(v.Kind))
		b.WriteString(strconv.Quote(scalarText(v)))
	}
}

// scalarText is a scalar in JSON's spelling, a text without its quotes.
func scalarText(v *Value) string {
	switch v.Kind {
	case Bool:
		return strconv.FormatBool(v.bits != 0)
	case Int:
		if v.Text != "" {
			return v.Text
		}
		return strconv.FormatInt(int64(v.bits), 10)
	case Float:
		return floatText(math.Float64frombits(v.bits))
	case String, Time:
		return v.Text
	}
	return "null"
}

func floatText(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
