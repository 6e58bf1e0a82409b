package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func stringMethod(name string) method {
	switch name {
	case "split", "rsplit":
		return splitMethod(name == "rsplit")
	case "splitlines":
		return withString(func(st *state, s string, _ parameters) (any, error) {
			return st.strings(splitLines(s))
		}, "keepends")
	case "strip", "lstrip", "rstrip":
		return withString(func(_ *state, s string, p parameters) (any, error) {
			chars, err := p.str(0, "")
			return strip(s, chars, p.given(0), name != "rstrip", name != "lstrip"), err
		}, "chars")
	case "startswith", "endswith":
		return affixMethod(strings.HasPrefix, strings.HasSuffix, name == "endswith")
	case "removeprefix", "removesuffix":
		return withString(func(_ *state, s string, p parameters) (any, error) {
			part, err := p.str(0, "")
			if name == "removeprefix" {
				return strings.TrimPrefix(s, part), err
			}
			return strings.TrimSuffix(s, part), err
		}, "text")
	case "upper", "lower", "title", "capitalize", "casefold", "swapcase":
		return withString(func(st *state, s string, _ parameters) (any, error) {
			return cased(name, s), st.charge(len(s))
		})
	case "replace":
		return withString(func(st *state, s string, p parameters) (any, error) {
			return st.replaceIn(s, p)
		}, "old", "new", "count")
	case "join":
		return withString(func(st *state, s string, p parameters) (any, error) {
			if err := p.need(0); err != nil {
				return nil, err
			}
			return st.join(p.values[0], s, true)
		}, "iterable")
	case "find", "rfind", "index", "rindex", "count":
		return searchMethod(name)
	case "partition", "rpartition":
		return partitionMethod(name == "rpartition")
	case "zfill", "ljust", "rjust", "center":
		return padMethod(name)
	case "format":
		return func(st *state, self any, a arguments) (any, error) {
			return st.format(self.(string), a)
		}
	case "isdigit", "isdecimal", "isnumeric", "isalpha", "isalnum", "isspace", "islower", "isupper":
		return withString(func(_ *state, s string, _ parameters) (any, error) {
			return isAll(name, s), nil
		})
	}
	return nil
}

// withString makes a method of a string with named parameters.
func withString(fn func(*state, string, parameters) (any, error), names ...string) method {
	return func(st *state, self any, a arguments) (any, error) {
		p, err := a.bind(names...)
		if err != nil {
			return nil, err
		}
		s := self.(string)
		if err := st.step(1 + len(s)/64); err != nil {
			return nil, err
		}
		return fn(st, s, p)
	}
}

func (st *state) strings(parts []string) (any, error) {
	if err := st.charge(bytesPerItem * len(parts)); err != nil {
		return nil, err
	}
	items := make([]any, len(parts))
	for i, s := range parts {
		items[i] = s
	}
	return newList(items), nil
}

// splitLines cuts at the ends of lines; a last empty line does not count.
func splitLines(s string) []string {
	s = newlines(s)
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

func strip(s, chars string, given, left, right bool) string {
	cut := unicode.IsSpace
	if given {
		cut = func(r rune) bool { return strings.ContainsRune(chars, r) }
	}
	if left {
		s = strings.TrimLeftFunc(s, cut)
	}
	if right {
		s = strings.TrimRightFunc(s, cut)
	}
	return s
}

func splitMethod(fromRight bool) method {
	return withString(func(st *state, s string, p parameters) (any, error) {
		limit, err := p.integer(1, -1)
		if err != nil {
			return nil, err
		}
		sep, err := p.str(0, "")
		if err != nil {
			return nil, err
		}
		if !p.given(0) {
			return st.strings(splitBlanks(s, limit, fromRight))
		}
		if sep == "" {
			return nil, fail("the separator is empty")
		}
		parts := strings.Split(s, sep)
		if extra := len(parts) - 1 - limit; limit >= 0 && extra > 0 {
			if fromRight {
				parts = append([]string{strings.Join(parts[:extra+1], sep)}, parts[extra+1:]...)
			} else {
				parts = strings.SplitN(s, sep, limit+1)
			}
		}
		return st.strings(parts)
	}, "sep", "maxsplit")
}

func splitBlanks(s string, limit int, fromRight bool) []string {
	fields := strings.Fields(s)
	if limit < 0 || len(fields) <= limit+1 {
		return fields
	}
	rest := strings.TrimSpace(s)
	if !fromRight {
		for _, f := range fields[:limit] {
			rest = strings.TrimSpace(strings.TrimPrefix(rest, f))
		}
		return append(fields[:limit:limit], rest)
	}
	last := fields[len(fields)-limit:]
	for i := len(last) - 1; i >= 0; i-- {
		rest = strings.TrimSpace(strings.TrimSuffix(rest, last[i]))
	}
	return append([]string{rest}, last...)
}

func affixMethod(prefix, suffix func(string, string) bool, end bool) method {
	return withString(func(_ *state, s string, p parameters) (any, error) {
		if err := p.need(0); err != nil {
			return nil, err
		}
		candidates := []any{p.values[0]}
		if t, ok := p.values[0].(Tuple); ok {
			candidates = t
		}
		for _, c := range candidates {
			part, ok := c.(string)
			if !ok {
				return nil, fail("a string is expected, not %s", kindOf(c))
			}
			if !end && prefix(s, part) || end && suffix(s, part) {
				return true, nil
			}
		}
		return false, nil
	}, "text")
}

func cased(how, s string) string {
	switch how {
	case "upper":
		return strings.ToUpper(s)
	case "lower", "casefold":
		return strings.ToLower(s)
	case "capitalize":
		_, size := utf8.DecodeRuneInString(s)
		return strings.ToUpper(s[:size]) + strings.ToLower(s[size:])
	}
	inWord := false
	return strings.Map(func(r rune) rune {
		first := !inWord
		inWord = unicode.IsLetter(r)
		switch {
		case how == "swapcase" && unicode.IsUpper(r), how == "title" && !first:
			return unicode.ToLower(r)
		case how == "swapcase":
			return unicode.ToUpper(r)
		}
		return unicode.ToTitle(r)
	}, s)
}

func (st *state) replaceIn(s string, p parameters) (any, error) {
	if err := p.need(1); err != nil {
		return nil, err
	}
	old, err := p.str(0, "")
	if err != nil {
		return nil, err
	}
	with, err := p.str(1, "")
	if err != nil {
		return nil, err
	}
	count, err := p.integer(2, -1)
	if err != nil {
		return nil, err
	}
	places := strings.Count(s, old)
	if count >= 0 {
		places = min(places, count)
	}
	if err := st.charge(len(s) + product(places, len(with))); err != nil {
		return nil, err
	}
	return strings.Replace(s, old, with, count), nil
}
