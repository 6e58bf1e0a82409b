package jinja

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

var (
	floatLiteral   = regexp.MustCompile(`^(?:\d+(_\d+)*(\.\d+(_\d+)*)?([eE][+-]?\d+(_\d+)*)|\d+(_\d+)*\.\d+(_\d+)*)`)
	integerLiteral = regexp.MustCompile(`^(?:0[bB](_?[01])+|0[oO](_?[0-7])+|0[xX](_?[0-9a-fA-F])+|[1-9](_?\d)*|0(_?0)*)`)
)

func (l *lexer) number(rest string) {
	from := l.at
	// After a dot only integers stand: a.1.2 has three parts.
	member := len(l.tokens) > 0 && l.tokens[len(l.tokens)-1].text == "." && l.tokens[len(l.tokens)-1].kind == operatorToken
	var value any
	digits := floatLiteral.FindString(rest)
	if digits != "" && !member {
		f, _ := strconv.ParseFloat(strings.ReplaceAll(digits, "_", ""), 64)
		value = f
	} else {
		digits = integerLiteral.FindString(rest)
		i, err := strconv.ParseInt(strings.ReplaceAll(digits, "_", ""), base(digits), 64)
		if err != nil {
			l.fail(from, "the number %s is too large", digits)
			return
		}
		value = i
	}
	l.at += len(digits)
	l.add(numberToken, digits, from)
	l.tokens[len(l.tokens)-1].value = value
}

func base(digits string) int {
	if len(digits) > 1 && strings.ContainsAny(digits[1:2], "bBoOxX") {
		return 0
	}
	return 10
}

func (l *lexer) str(rest string) {
	from, quote := l.at, rest[0]
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case quote:
			l.at += i + 1
			l.add(stringToken, unescape(newlines(rest[1:i])), from)
			return
		}
	}
	l.fail(from, "the string is not closed: %c is missing", quote)
}

var escapes = map[byte]string{
	'n': "\n", 't': "\t", 'r': "\r", '\\': `\`, '\'': "'", '"': `"`,
	'a': "\a", 'b': "\b", 'f': "\f", 'v': "\v", '\n': "",
}

// unescape reads the escapes of a Python string. Unknown ones stay as written.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		c := s[i]
		if text, ok := escapes[c]; ok {
			b.WriteString(text)
			continue
		}
		digits, radix, skip := codePoint(s[i:])
		r, err := strconv.ParseUint(digits, radix, 32)
		if err != nil || r > utf8.MaxRune {
			b.WriteByte('\\')
			b.WriteByte(c)
			continue
		}
		b.WriteRune(rune(r))
		i += skip + len(digits) - 1
	}
	return b.String()
}

// codePoint finds the digits of \x41, \u0041, \U00000041 and \101, and how
// many letters stand before them.
func codePoint(s string) (digits string, radix, skip int) {
	if width, ok := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]; ok && len(s) > width {
		return s[1 : width+1], 16, 1
	}
	n := 0
	for n < min(3, len(s)) && s[n] >= '0' && s[n] <= '7' {
		n++
	}
	return s[:n], 8, 0
}
