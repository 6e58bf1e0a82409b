package jinja

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// spec says how a value is written into a format.
type spec struct {
	fill      string
	align     byte // '<' '>' '^' '=' or 0
	sign      byte // '+' ' ' or 0
	prefix    bool // 0x and the like
	separator byte // ',' '_' or 0
	width     int
	precision int // -1: not given
	kind      byte
}

func (st *state) percent(s string, value any) (any, error) {
	a := arguments{positional: []any{value}}
	switch v := value.(type) {
	case Tuple:
		a.positional = v
	case *Map:
		a = arguments{positional: []any{value}}
		for _, e := range v.entries {
			if key, ok := e.key.(string); ok {
				a.named = append(a.named, variable{key, e.value})
			}
		}
	}
	return st.percentWith(s, a)
}

// percentWith is the % operator of Python's strings.
func (st *state) percentWith(s string, a arguments) (any, error) {
	var b []byte
	next := 0
	for s != "" {
		at := strings.IndexByte(s, '%')
		if at < 0 {
			b = append(b, s...)
			break
		}
		b = append(b, s[:at]...)
		s = s[at+1:]
		if rest, ok := strings.CutPrefix(s, "%"); ok {
			b, s = append(b, '%'), rest
			continue
		}
		var err error
		if b, s, err = st.percentOne(b, s, a, &next); err != nil {
			return nil, err
		}
	}
	if next < len(a.positional) && !spare(a) {
		return nil, fail("the format has %d places for %d values", next, len(a.positional))
	}
	return string(b), st.charge(len(b))
}

// spare tells whether values may stay unused: a mapping or list given alone may.
func spare(a arguments) bool {
	if len(a.positional) != 1 {
		return false
	}
	switch kindOf(a.positional[0]) {
	case "a mapping", "a list", "a range":
		return true
	}
	return false
}

func (st *state) percentOne(b []byte, s string, a arguments, next *int) ([]byte, string, error) {
	take := func() (any, error) {
		if *next >= len(a.positional) {
			return nil, fail("the format has more places than values")
		}
		*next++
		return force(a.positional[*next-1])
	}
	if strings.HasPrefix(s, "(") {
		key, rest, ok := strings.Cut(s[1:], ")")
		if !ok {
			return b, s, fail("the format lacks %q", ")")
		}
		s = rest
		take = func() (any, error) {
			for _, v := range a.named {
				if v.name == key {
					return force(v.value)
				}
			}
			return nil, fail("there is no value %q for the format", key)
		}
	}
	f := spec{fill: " ", align: '>', precision: -1}
	for s != "" && strings.IndexByte("-+ #0", s[0]) >= 0 {
		switch s[0] {
		case '-':
			f.align, f.fill = '<', " "
		case '0':
			if f.align != '<' {
				f.align, f.fill = '=', "0"
			}
		case '#':
			f.prefix = true
		default:
			f.sign = s[0]
		}
		s = s[1:]
	}
	var err error
	if f.width, s, err = leadingNumber(s, 0); err != nil {
		return b, s, err
	}
	if rest, ok := strings.CutPrefix(s, "."); ok {
		if f.precision, s, err = leadingNumber(rest, 0); err != nil {
			return b, s, err
		}
	}
	if s == "" {
		return b, s, fail("the format is not complete")
	}
	f.kind = s[0]
	v, err := take()
	if err != nil {
		return b, s, err
	}
	text, err := st.formatOne(v, f, true)
	return append(b, text...), s[1:], err
}

const maxWidth = 1 << 24

func leadingNumber(s string, otherwise int) (int, string, error) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == 0 {
		return otherwise, s, nil
	}
	i, err := strconv.Atoi(s[:n])
	if err != nil || i > maxWidth {
		return 0, s, fail("the width %s is too large", s[:n])
	}
	return i, s[n:], nil
}

// formatOne writes one value. percent tells the % operator, where d takes
// fractions too, from format().
func (st *state) formatOne(v any, f spec, percent bool) (string, error) {
	if err := st.room(f.width + max(0, f.precision)); err != nil {
		return "", err
	}
	text, err := st.formatted(v, f, percent)
	if err != nil {
		return "", err
	}
	_, isNumber := number(v)
	if f.align == 0 {
		f.align = '<'
		if isNumber {
			f.align = '>'
		}
	}
	if f.align == '=' && !isNumber {
		f.align, f.fill = '>', " "
	}
	return st.pad(text, f.width, f.fill, f.align)
}

func (st *state) formatted(v any, f spec, percent bool) (string, error) {
	switch f.kind {
	case 'r', 'a':
		b, err := st.appendRepr(nil, v, 0)
		return cutRunes(string(b), f.precision), err
	case 's':
		text, err := st.text(v)
		return cutRunes(text, f.precision), err
	case 'c':
		if i, ok := integer(v); ok && i >= 0 && i <= utf8.MaxRune {
			return string(rune(i)), nil
		}
		return st.text(v)
	case 'd', 'i', 'u', 'x', 'X', 'o', 'b', 'n':
		i, ok := integer(v)
		if x, isFloat := v.(float64); isFloat && percent {
			i, ok = int64(x), true
		}
		if !ok {
			return "", fail("%s cannot be written as an integer", kindOf(v))
		}
		return integerText(i, f), nil
	case 'f', 'F', 'e', 'E', 'g', 'G', '%':
		x, ok := number(v)
		if !ok {
			return "", fail("%s cannot be written as a number", kindOf(v))
		}
		return floatText(x, f), nil
	case 0:
		return st.formatPlain(v, f)
	}
	return "", fail("there is no format %q", string(f.kind))
}

func (st *state) formatPlain(v any, f spec) (string, error) {
	if i, ok := v.(int64); ok {
		return integerText(i, f), nil
	}
	if x, ok := v.(float64); ok && f.precision >= 0 {
		f.kind = 'g'
		return floatText(x, f), nil
	}
	text, err := st.text(v)
	return cutRunes(text, f.precision), err
}

func cutRunes(s string, n int) string {
	if n < 0 || utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}

func integerText(i int64, f spec) string {
	base, mark := 10, ""
	switch f.kind {
	case 'x', 'X':
		base, mark = 16, "0x"
	case 'o':
		base, mark = 8, "0o"
	case 'b':
		base, mark = 2, "0b"
	}
	digits := strconv.FormatUint(magnitude(i), base)
	for len(digits) < f.precision {
		digits = "0" + digits
	}
	if f.prefix {
		digits = mark + digits
	}
	if f.kind == 'X' {
		digits = strings.ToUpper(digits)
	}
	return signText(i < 0, f.sign) + grouped(digits, f.separator)
}

func floatText(x float64, f spec) string {
	precision := f.precision
	if precision < 0 {
		precision = 6
	}
	kind, unit := f.kind|0x20, ""
	if f.kind == '%' {
		x, kind, unit = x*100, 'f', "%"
	}
	if kind == 'g' && precision == 0 {
		precision = 1
	}
	digits := strconv.FormatFloat(x, kind, precision, 64)
	negative := strings.HasPrefix(digits, "-")
	digits = strings.ToLower(strings.TrimLeft(digits, "-+"))
	if f.kind < 'a' && f.kind != '%' {
		digits = strings.ToUpper(digits)
	}
	return signText(negative, f.sign) + grouped(digits, f.separator) + unit
}

func signText(negative bool, sign byte) string {
	switch {
	case negative:
		return "-"
	case sign == '+' || sign == ' ':
		return string(sign)
	}
	return ""
}

// grouped puts a separator between thousands.
func grouped(digits string, separator byte) string {
	if separator == 0 {
		return digits
	}
	whole, rest := digits, ""
	if at := strings.IndexByte(digits, '.'); at >= 0 {
		whole, rest = digits[:at], digits[at:]
	}
	var b strings.Builder
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(separator)
		}
		b.WriteByte(whole[i])
	}
	return b.String() + rest
}
