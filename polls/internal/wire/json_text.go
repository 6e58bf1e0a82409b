package wire

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// str takes a JSON string. One without escapes is not copied.
func (s *scanner) str() (string, error) {
	s.at++
	start := s.at
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return s.text[start : s.at-1], nil
		case c == '\\':
			return s.escaped(start)
		case c < ' ':
			return "", s.fault()
		}
	}
	return "", s.fault()
}

// escaped goes on with a string that began at start and has its first escape here.
func (s *scanner) escaped(start int) (string, error) {
	var b strings.Builder
	b.WriteString(s.text[start:s.at])
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return b.String(), nil
		case c == '\\':
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
		case c < ' ':
			return "", s.fault()
		default:
			b.WriteByte(c)
			s.at++
		}
	}
	return "", s.fault()
}

const (
	escapes = `"\/bfnrt`
	meaning = "\"\\/\b\f\n\r\t"
)

// escape takes a backslash and what belongs to it, which for a surrogate is its
// pair as well.
func (s *scanner) escape() (rune, error) {
	rest := s.text[s.at:]
	if len(rest) > 1 {
		if i := strings.IndexByte(escapes, rest[1]); i >= 0 {
			s.at += 2
			return rune(meaning[i]), nil
		}
	}
	r, ok := unit(rest)
	if !ok {
		return 0, s.fault()
	}
	s.at += len(`\u0000`)
	if r == 0 {
		return 0, errNUL
	}
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	low, _ := unit(s.text[s.at:])
	r = utf16.DecodeRune(r, low)
	if r == '\uFFFD' {
		return 0, Errorf(InvalidEncoding, "", `\ud800 to \udfff must come in pairs of a high and a low surrogate`)
	}
	s.at += len(`\u0000`)
	return r, nil
}

// unit is the four digits of a \uXXXX at the beginning of a text.
func unit(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}
