package jinja

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// text is Python's str(): what {{ v }} prints.
func (st *state) text(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case *undefined:
		return "", nil
	}
	b, err := st.appendRepr(nil, v, 0)
	if err != nil {
		return "", err
	}
	return string(b), st.charge(len(b))
}

// appendText is text for writers that charge for what they write themselves.
func (st *state) appendText(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case string:
		return append(b, v...), nil
	case *undefined:
		return b, nil
	}
	return st.appendRepr(b, v, 0)
}

// appendRepr is Python's repr(): strings are quoted.
func (st *state) appendRepr(b []byte, v any, depth int) ([]byte, error) {
	v, err := force(v)
	if err != nil {
		return b, err
	}
	if depth > maxNesting {
		return b, fail("values are nested more than %d deep", maxNesting)
	}
	if err := st.room(len(b)); err != nil {
		return b, err
	}
	switch v := v.(type) {
	case string:
		return appendQuoted(b, v), nil
	case nil, bool, int64, float64:
		return append(b, spellScalar(v)...), nil
	case *undefined:
		return append(b, "Undefined"...), nil
	case []any:
		return st.appendItems(b, '[', ']', v, depth)
	case *list:
		return st.appendItems(b, '[', ']', v.items, depth)
	case Tuple:
		return st.appendItems(b, '(', ')', v, depth)
	case *group:
		return st.appendItems(b, '(', ')', []any{v.grouper, v.list}, depth)
	case *view:
		if v.name == "" {
			return st.appendItems(b, '[', ']', v.items, depth)
		}
		b, err := st.appendItems(append(append(b, v.name...), '('), '[', ']', v.items, depth)
		return append(b, ')'), err
	case span:
		b = append(append(b, "range("...), strconv.FormatInt(v.from, 10)...)
		b = append(append(b, ", "...), strconv.FormatInt(v.to, 10)...)
		if v.by != 1 {
			b = append(append(b, ", "...), strconv.FormatInt(v.by, 10)...)
		}
		return append(b, ')'), nil
	case *Map:
		return st.appendMap(b, v, depth)
	case *namespace:
		b, err := st.appendMap(append(b, "<Namespace "...), v.members, depth)
		return append(b, '>'), err
	}
	return b, fail("%s cannot be printed", kindOf(v))
}

func (st *state) appendItems(b []byte, open, end byte, items []any, depth int) ([]byte, error) {
	if err := st.step(len(items)); err != nil {
		return b, err
	}
	b = append(b, open)
	var err error
	for i, item := range items {
		if i > 0 {
			b = append(b, ", "...)
		}
		if b, err = st.appendRepr(b, item, depth+1); err != nil {
			return b, err
		}
	}
	if len(items) == 1 && end == ')' {
		b = append(b, ',')
	}
	return append(b, end), nil
}

func (st *state) appendMap(b []byte, m *Map, depth int) ([]byte, error) {
	if err := st.step(m.Len()); err != nil {
		return b, err
	}
	b = append(b, '{')
	var err error
	for i, e := range m.entries {
		if i > 0 {
			b = append(b, ", "...)
		}
		if b, err = st.appendRepr(b, e.key, depth+1); err != nil {
			return b, err
		}
		b = append(b, ": "...)
		if b, err = st.appendRepr(b, e.value, depth+1); err != nil {
			return b, err
		}
	}
	return append(b, '}'), nil
}

func spellScalar(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return spellFloat(v)
	}
	return ""
}

// spellFloat is the shortest text that reads back as f, with an exponent from
// 1e16 and below 1e-4.
func spellFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if a := math.Abs(f); a != 0 && (a >= 1e16 || a < 1e-4) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// appendQuoted writes a string literal: in single quotes, unless only double
// ones spare an escape.
func appendQuoted(b []byte, s string) []byte {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	b = append(b, quote)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == rune(quote) || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case unicode.IsPrint(r):
			b = append(b, s[i:i+size]...)
		default:
			b = appendEscape(b, r)
		}
		i += size
	}
	return append(b, quote)
}

func appendEscape(b []byte, r rune) []byte {
	letter, width := byte('x'), 2
	switch {
	case r > 0xffff:
		letter, width = 'U', 8
	case r > 0xff:
		letter, width = 'u', 4
	}
	digits := strconv.FormatInt(int64(r), 16)
	b = append(b, '\\', letter)
	for range width - len(digits) {
		b = append(b, '0')
	}
	return append(b, digits...)
}
