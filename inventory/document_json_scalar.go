package inventory

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func (r *jsonReader) word() *Value {
	begin := r.pos
	for r.pos < len(r.text) && !strings.ContainsRune(" \t\r\n,:]}[{\"", rune(r.text[r.pos])) {
		r.pos++
	}
	word := string(r.text[begin:r.pos])
	switch word {
	case "true":
		return NewBool(true)
	case "false":
		return NewBool(false)
	case "null":
		return &Value{}
	}
	at := r.pos
	r.pos = begin
	if !isJSONNumber(word) {
		r.fail("unexpected %s, want a value", r.here())
		return nil
	}
	v := r.number(word)
	r.pos = at
	return v
}

func (r *jsonReader) number(word string) *Value {
	if !strings.ContainsAny(word, ".eE") && len(word) <= maxDigits {
		n, _ := new(big.Int).SetString(word, 10)
		return wholeNumber(n)
	}
	f, err := strconv.ParseFloat(word, 64)
	if err != nil {
		r.refuse(ParseNumber, r.at(), "number %s is out of range", short(word))
	}
	return newFloat(f)
}

func isJSONNumber(word string) bool {
	digits := func() bool {
		n := 0
		for n < len(word) && word[n] >= '0' && word[n] <= '9' {
			n++
		}
		word = word[n:]
		return n > 0
	}
	word = strings.TrimPrefix(word, "-")
	if len(word) > 1 && word[0] == '0' && word[1] >= '0' && word[1] <= '9' || !digits() {
		return false
	}
	if rest, ok := strings.CutPrefix(word, "."); ok {
		if word = rest; !digits() {
			return false
		}
	}
	if word != "" && (word[0] == 'e' || word[0] == 'E') {
		if word = word[1:]; word != "" && (word[0] == '+' || word[0] == '-') {
			word = word[1:]
		}
		return digits() && word == ""
	}
	return word == ""
}

var jsonEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// str reads a text whose opening quote is next.
func (r *jsonReader) str() string {
	r.pos++
	begin := r.pos
	var b []byte
	for r.pos < len(r.text) {
		switch c := r.text[r.pos]; {
		case c == '"':
			if b == nil {
				b = r.text[begin:r.pos]
			}
			r.pos++
			return string(b)
		case c < ' ':
			r.fail("a text must not go over lines or hold tabs")
			return ""
		case c != '\\':
			if b != nil {
				b = append(b, c)
			}
			if c >= 0x80 && c < 0xc0 {
				r.wide++
			}
			r.pos++
		default:
			if b == nil {
				b = append(make([]byte, 0, 64), r.text[begin:r.pos]...)
			}
			if b = r.escape(b); r.done {
				return ""
			}
		}
	}
	r.fail("the text has no closing quote")
	return ""
}

func (r *jsonReader) escape(b []byte) []byte {
	rest := r.text[r.pos+1:]
	if len(rest) > 0 {
		if c, ok := jsonEscapes[rest[0]]; ok {
			r.pos += 2
			return append(b, c)
		}
	}
	unit, ok := hexUnit(rest)
	if !ok {
		r.fail(`unknown escape, want one of \" \\ \/ \b \f \n \r \t \uXXXX`)
		return b
	}
	r.pos += 6
	if utf16.IsSurrogate(unit) && r.pos+1 < len(r.text) && r.text[r.pos] == '\\' {
		if low, ok := hexUnit(r.text[r.pos+1:]); ok {
			if full := utf16.DecodeRune(unit, low); full != utf8.RuneError {
				unit = full
				r.pos += 6
			}
		}
	}
	return utf8.AppendRune(b, unit)
}

func hexUnit(text []byte) (rune, bool) {
	if len(text) < 5 || text[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[1:5]), 16, 16)
	return rune(n), err == nil
}

// short is a text as much of it as fits in a sentence.
func short(text string) string {
	if utf8.RuneCountInString(text) <= 60 {
		return text
	}
	return string([]rune(text)[:57]) + "…"
}
