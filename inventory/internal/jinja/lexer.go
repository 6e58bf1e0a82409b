package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind uint8

const (
	endToken kind = iota
	textToken
	printOpen  // {{
	printClose // }}
	blockOpen  // {%
	blockClose // %}
	nameToken
	stringToken
	numberToken
	operatorToken
)

type token struct {
	kind     kind
	text     string // as written; of text and strings what it means
	value    any    // of numbers
	from, to int    // byte offsets
}

// lexer cuts a template into tokens. Its first error ends it.
type lexer struct {
	source string
	at     int
	tokens []token
	trim   bool // the last tag ended in "-": blanks after it go
	err    error
}

func lex(source string) ([]token, error) {
	l := &lexer{source: withoutLastNewline(source)}
	for l.err == nil && l.at < len(l.source) {
		l.text()
	}
	l.add(endToken, "", len(l.source))
	return l.tokens, l.err
}

// As Jinja2 does unless told otherwise: one newline at the very end goes.
func withoutLastNewline(s string) string {
	return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
}

func (l *lexer) add(k kind, text string, from int) {
	l.tokens = append(l.tokens, token{kind: k, text: text, from: from, to: l.at})
}

func (l *lexer) fail(at int, format string, args ...any) {
	if l.err == nil {
		l.err = failAt(at, format, args...)
	}
	l.at = len(l.source)
}

// text reads up to the next tag, then the tag.
func (l *lexer) text() {
	from := l.at
	rest := l.source[from:]
	open := nextTag(rest)
	if open < 0 {
		l.at = len(l.source)
		l.addText(rest, from, false)
		return
	}
	l.at = from + open
	mark := rest[open : open+2]
	after := l.at + 2
	strip := strings.HasPrefix(l.source[after:], "-")
	if strip || strings.HasPrefix(l.source[after:], "+") {
		after++
	}
	l.addText(rest[:open], from, strip)
	tag := l.at
	l.at = after
	switch mark {
	case "{#":
		l.comment(tag)
	case "{{":
		l.add(printOpen, mark, tag)
		l.expression(tag, "}}", printClose)
	default:
		if end := l.wordTag(after, "raw"); end > 0 {
			l.raw(tag, end)
			return
		}
		l.add(blockOpen, mark, tag)
		l.expression(tag, "%}", blockClose)
	}
}

func nextTag(s string) int {
	for i := 0; ; i++ {
		j := strings.IndexByte(s[i:], '{')
		if j < 0 || i+j+1 >= len(s) {
			return -1
		}
		i += j
		if c := s[i+1]; c == '{' || c == '%' || c == '#' {
			return i
		}
	}
}

func (l *lexer) addText(s string, from int, strip bool) {
	if l.trim {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
		l.trim = false
	}
	if strip {
		s = strings.TrimRightFunc(s, unicode.IsSpace)
	}
	if s == "" {
		return
	}
	l.add(textToken, newlines(s), from)
}

func newlines(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

func (l *lexer) comment(tag int) {
	end := strings.Index(l.source[l.at:], "#}")
	if end < 0 {
		l.fail(tag, "the comment is not closed: #} is missing")
		return
	}
	l.at += end
	l.trim = l.source[l.at-1] == '-'
	l.at += 2
}

// wordTag reads "word %}" at an offset and returns where it ends, or 0.
func (l *lexer) wordTag(at int, word string) int {
	s := strings.TrimLeftFunc(l.source[at:], unicode.IsSpace)
	s, ok := strings.CutPrefix(s, word)
	if !ok {
		return 0
	}
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	l.trim = strings.HasPrefix(s, "-")
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	if s, ok = strings.CutPrefix(s, "%}"); !ok {
		l.trim = false
		return 0
	}
	return len(l.source) - len(s)
}

func (l *lexer) raw(tag, from int) {
	trim := l.trim
	for at := from; ; {
		open := strings.Index(l.source[at:], "{%")
		if open < 0 {
			l.fail(tag, "raw is not closed: {%% endraw %%} is missing")
			return
		}
		at += open
		after := at + 2
		strip := strings.HasPrefix(l.source[after:], "-")
		if strip || strings.HasPrefix(l.source[after:], "+") {
			after++
		}
		end := l.wordTag(after, "endraw")
		if end == 0 {
			at += 2
			continue
		}
		trimAfter := l.trim
		l.trim, l.at = trim, at
		l.addText(l.source[from:at], from, strip)
		l.trim, l.at = trimAfter, end
		return
	}
}

// expression reads the tokens of a tag up to its end.
func (l *lexer) expression(tag int, end string, closing kind) {
	var open []byte
	for l.err == nil {
		l.at = len(l.source) - len(strings.TrimLeftFunc(l.source[l.at:], unicode.IsSpace))
		rest := l.source[l.at:]
		if rest == "" {
			l.fail(tag, "the tag is not closed: %s is missing", end)
			return
		}
		if len(open) == 0 && l.closeTag(rest, end, closing) {
			return
		}
		open = l.token(rest, open)
	}
}

func (l *lexer) closeTag(rest, end string, closing kind) bool {
	from := l.at
	sign := ""
	if rest[0] == '-' || rest[0] == '+' && closing == blockClose {
		sign = rest[:1]
	}
	if !strings.HasPrefix(rest[len(sign):], end) {
		return false
	}
	l.trim = sign == "-"
	l.at += len(sign) + len(end)
	l.add(closing, end, from)
	return true
}

var operators = []string{"**", "//", "==", "!=", ">=", "<="}

// token reads one token and keeps track of open brackets, inside which }} does
// not end the tag.
func (l *lexer) token(rest string, open []byte) []byte {
	from := l.at
	first, size := utf8.DecodeRuneInString(rest)
	switch {
	case first == '"' || first == '\'':
		l.str(rest)
	case first >= '0' && first <= '9':
		l.number(rest)
	case first == '_' || unicode.IsLetter(first):
		n := strings.IndexFunc(rest, func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)
		})
		if n < 0 {
			n = len(rest)
		}
		l.at += n
		l.add(nameToken, rest[:n], from)
	default:
		op := ""
		for _, o := range operators {
			if strings.HasPrefix(rest, o) {
				op = o
			}
		}
		if op == "" && strings.ContainsRune("+-/*%~[](){}><=.:|,;", first) {
			op = rest[:1]
		}
		if op == "" {
			l.fail(from, "%q is not expected here", rest[:size])
			return open
		}
		l.at += len(op)
		l.add(operatorToken, op, from)
		return l.bracket(op, from, open)
	}
	return open
}

func (l *lexer) bracket(op string, from int, open []byte) []byte {
	switch op {
	case "(":
		return append(open, ')')
	case "[":
		return append(open, ']')
	case "{":
		return append(open, '}')
	case ")", "]", "}":
		if len(open) == 0 {
			l.fail(from, "%q closes nothing", op)
			return open
		}
		if want := open[len(open)-1]; want != op[0] {
			l.fail(from, "%q is not expected here: %q is open", op, want)
			return open
		}
		return open[:len(open)-1]
	}
	return open
}
