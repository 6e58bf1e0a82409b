package jinja

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// format is the method format of Python's strings: '{0} {name:>8}'.
func (st *state) format(s string, a arguments) (any, error) {
	var b []byte
	next := 0
	for s != "" {
		at := strings.IndexAny(s, "{}")
		if at < 0 {
			b = append(b, s...)
			break
		}
		b = append(b, s[:at]...)
		open := s[at]
		s = s[at+1:]
		if s != "" && s[0] == open {
			b, s = append(b, open), s[1:]
			continue
		}
		field, rest, ok := strings.Cut(s, "}")
		if open == '}' || !ok {
			return nil, fail("a single %q stands in the format", string(open))
		}
		if strings.Contains(field, "{") {
			return nil, fail("a place within a place of a format is not supported")
		}
		s = rest
		text, err := st.formatField(field, a, &next)
		if err != nil {
			return nil, err
		}
		b = append(b, text...)
		if err := st.room(len(b)); err != nil {
			return nil, err
		}
	}
	return string(b), st.charge(len(b))
}

func (st *state) formatField(field string, a arguments, next *int) (string, error) {
	field, format, _ := strings.Cut(field, ":")
	field, conversion, _ := strings.Cut(field, "!")
	v, err := fieldValue(field, a, next)
	if err != nil {
		return "", err
	}
	f, err := parseSpec(format)
	if err != nil {
		return "", err
	}
	switch conversion {
	case "":
	case "r", "a":
		b, err := st.appendRepr(nil, v, 0)
		if err != nil {
			return "", err
		}
		v = string(b)
	case "s":
		if v, err = st.text(v); err != nil {
			return "", err
		}
	default:
		return "", fail("there is no conversion %q", conversion)
	}
	if b, ok := v.(bool); ok && f.kind == 0 {
		v = spellScalar(b)
	}
	return st.formatOne(v, f, false)
}

// fieldValue finds what a place of a format names: ”, '0', 'a.b', 'a[0]'.
func fieldValue(field string, a arguments, next *int) (any, error) {
	end := strings.IndexAny(field, ".[")
	if end < 0 {
		end = len(field)
	}
	first, rest := field[:end], field[end:]
	if first == "" {
		first = strconv.Itoa(*next)
		*next++
	}
	v, err := argument(first, a)
	for rest != "" && err == nil {
		var key string
		if rest[0] == '.' {
			end := strings.IndexAny(rest[1:], ".[")
			if end < 0 {
				end = len(rest) - 1
			}
			key, rest = rest[1:end+1], rest[end+1:]
		} else if key, rest, _ = strings.Cut(rest[1:], "]"); key == "" {
			return nil, fail("a place of the format names no item")
		}
		v, err = part(v, key)
	}
	return v, err
}

func argument(name string, a arguments) (any, error) {
	if i, err := strconv.Atoi(name); err == nil {
		if i < 0 || i >= len(a.positional) {
			return nil, fail("the format has more places than values")
		}
		return force(a.positional[i])
	}
	for _, v := range a.named {
		if v.name == name {
			return force(v.value)
		}
	}
	return nil, fail("there is no value %q for the format", name)
}

// part is an item or member of a value, by name or by digits.
func part(of any, key string) (any, error) {
	var k any = key
	if i, err := strconv.ParseInt(key, 10, 64); err == nil {
		k = i
	}
	v, ok := itemOf(of, k)
	if !ok {
		return nil, fail("%s has no %q", kindOf(of), key)
	}
	return force(v)
}

func parseSpec(s string) (f spec, err error) {
	f = spec{fill: " ", precision: -1}
	if r, size := utf8.DecodeRuneInString(s); size > 0 && len(s) > size && strings.IndexByte("<>^=", s[size]) >= 0 {
		f.fill, f.align, s = string(r), s[size], s[size+1:]
	} else if s != "" && strings.IndexByte("<>^=", s[0]) >= 0 {
		f.align, s = s[0], s[1:]
	}
	if s != "" && strings.IndexByte("+- ", s[0]) >= 0 {
		f.sign, s = s[0], s[1:]
	}
	if rest, ok := strings.CutPrefix(s, "#"); ok {
		f.prefix, s = true, rest
	}
	if strings.HasPrefix(s, "0") && f.align == 0 {
		f.fill, f.align = "0", '='
	}
	if f.width, s, err = leadingNumber(s, 0); err != nil {
		return f, err
	}
	if s != "" && (s[0] == ',' || s[0] == '_') {
		f.separator, s = s[0], s[1:]
	}
	if rest, ok := strings.CutPrefix(s, "."); ok {
		if f.precision, s, err = leadingNumber(rest, 0); err != nil {
			return f, err
		}
	}
	if len(s) > 1 {
		return f, fail("%q is no format", s)
	}
	if s != "" {
		f.kind = s[0]
	}
	return f, nil
}
