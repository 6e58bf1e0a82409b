package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func searchMethod(name string) method {
	return withString(func(_ *state, s string, p parameters) (any, error) {
		if err := p.need(0); err != nil {
			return nil, err
		}
		part, err := p.str(0, "")
		if err != nil {
			return nil, err
		}
		if name == "count" {
			return int64(strings.Count(s, part)), nil
		}
		at := strings.Index(s, part)
		if name[0] == 'r' {
			at = strings.LastIndex(s, part)
		}
		if at < 0 && strings.HasSuffix(name, "index") {
			return nil, fail("the string does not contain %q", part)
		}
		if at > 0 {
			at = utf8.RuneCountInString(s[:at])
		}
		return int64(at), nil
	}, "text")
}

func partitionMethod(fromRight bool) method {
	return withString(func(_ *state, s string, p parameters) (any, error) {
		sep, err := p.str(0, "")
		if err != nil {
			return nil, err
		}
		if sep == "" {
			return nil, fail("the separator is empty")
		}
		at := strings.Index(s, sep)
		if fromRight {
			at = strings.LastIndex(s, sep)
		}
		switch {
		case at >= 0:
			return Tuple{s[:at], sep, s[at+len(sep):]}, nil
		case fromRight:
			return Tuple{"", "", s}, nil
		}
		return Tuple{s, "", ""}, nil
	}, "sep")
}

func padMethod(name string) method {
	return withString(func(st *state, s string, p parameters) (any, error) {
		width, err := p.integer(0, 0)
		if err != nil {
			return nil, err
		}
		fill, err := p.str(1, " ")
		if err != nil {
			return nil, err
		}
		if utf8.RuneCountInString(fill) != 1 {
			return nil, fail("the fill must be one character")
		}
		align := map[string]byte{"ljust": '<', "rjust": '>', "center": '|', "zfill": '='}[name]
		if align == '=' {
			fill = "0"
		}
		return st.pad(s, width, fill, align)
	}, "width", "fillchar")
}

// pad widens s to width: to the right of it '<', to the left '>', after its
// sign '=', or around it: '^' as a format does, '|' as the method center, which
// puts an odd blank elsewhere.
func (st *state) pad(s string, width int, fill string, align byte) (string, error) {
	missing := width - utf8.RuneCountInString(s)
	if missing <= 0 {
		return s, nil
	}
	if err := st.charge(len(s) + product(missing, len(fill))); err != nil {
		return "", err
	}
	switch align {
	case '<':
		return s + strings.Repeat(fill, missing), nil
	case '^', '|':
		left := missing / 2
		if align == '|' {
			left += missing & width & 1
		}
		return strings.Repeat(fill, left) + s + strings.Repeat(fill, missing-left), nil
	case '=':
		if s != "" && (s[0] == '-' || s[0] == '+') {
			return s[:1] + strings.Repeat(fill, missing) + s[1:], nil
		}
	}
	return strings.Repeat(fill, missing) + s, nil
}

func isAll(how, s string) bool {
	some := false
	for _, r := range s {
		letter := unicode.IsLetter(r)
		digit := unicode.IsDigit(r)
		switch how {
		case "isalpha":
			some = letter
		case "isalnum":
			some = letter || digit
		case "isspace":
			some = unicode.IsSpace(r)
		case "islower", "isupper":
			if how == "islower" && unicode.IsUpper(r) || how == "isupper" && unicode.IsLower(r) {
				return false
			}
			some = some || letter
			continue
		default:
			some = digit
		}
		if !some {
			return false
		}
	}
	return some
}
