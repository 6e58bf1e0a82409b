package inventory

import (
	"strconv"
	"unicode/utf8"
)

// jsonReader reads JSON and keeps places, which encoding/json does not.
type jsonReader struct {
	c      *collector
	text   []byte
	pos    int
	line   int32
	start  int // offset of the line's first byte
	wide   int // bytes of this line that continue a character
	depth  int
	values int
	syntax bool // what stopped it was the syntax, not a limit or a double key
	done   bool // it was stopped
}

// readJSON reads one JSON value. syntax tells that the text is not JSON.
func readJSON(c *collector, text []byte) (root *Value, syntax bool) {
	r := &jsonReader{c: c, text: text, line: 1}
	r.blank()
	root = r.value()
	if r.blank(); !r.done && r.pos < len(text) {
		r.fail("unexpected %s after the document", r.here())
	}
	if r.done {
		return nil, r.syntax
	}
	return root, false
}

func (r *jsonReader) at() Place {
	return Place{r.line, int32(r.pos-r.start-r.wide) + 1}
}

func (r *jsonReader) fail(format string, args ...any) {
	if !r.done {
		r.c.add(ParseSyntax, r.at(), "", "", "not valid JSON: "+format, args...)
		r.done, r.syntax = true, true
	}
}

func (r *jsonReader) refuse(code Code, at Place, format string, args ...any) {
	if !r.done {
		r.c.add(code, at, "", "", format, args...)
		r.done = true
	}
}

func (r *jsonReader) here() string {
	if r.pos >= len(r.text) {
		return "end of the file"
	}
	c, _ := utf8.DecodeRune(r.text[r.pos:])
	return strconv.QuoteRune(c)
}

func (r *jsonReader) blank() {
	for r.pos < len(r.text) {
		switch r.text[r.pos] {
		case '\n':
			r.line++
			r.start, r.wide = r.pos+1, 0
		case ' ', '\t', '\r':
		default:
			return
		}
		r.pos++
	}
}

func (r *jsonReader) take(b byte) bool {
	if r.done || r.pos >= len(r.text) || r.text[r.pos] != b {
		return false
	}
	r.pos++
	return true
}

func (r *jsonReader) value() *Value {
	at := r.at()
	if r.values++; r.values > maxValues {
		r.refuse(ParseTooMany, at, "more than %d values", maxValues)
	}
	if r.done {
		return nil
	}
	var v *Value
	switch {
	case r.pos >= len(r.text):
		r.fail("unexpected end of the file, want a value")
		return nil
	case r.text[r.pos] == '{' || r.text[r.pos] == '[':
		if r.depth++; r.depth > maxDepth {
			r.refuse(ParseDepth, at, "nested deeper than %d levels", maxDepth)
			return nil
		}
		if r.take('{') {
			v = r.members()
		} else if r.take('[') {
			v = r.items()
		}
		r.depth--
	case r.text[r.pos] == '"':
		v = NewString(r.str())
	default:
		v = r.word()
	}
	if v != nil {
		v.At = at
	}
	return v
}

func (r *jsonReader) members() *Value {
	m := NewMap()
	r.blank()
	if r.take('}') {
		return m
	}
	for !r.done {
		r.blank()
		at := r.at()
		if r.pos >= len(r.text) || r.text[r.pos] != '"' {
			r.fail("unexpected %s, want a member name in double quotes", r.here())
			return nil
		}
		name := r.str()
		if m.find(name) >= 0 {
			r.refuse(ParseDuplicateKey, at, "member %q stands twice in one object", name)
		}
		r.blank()
		if !r.take(':') {
			r.fail("unexpected %s, want ':' after the member name", r.here())
		}
		r.blank()
		m.add(Member{Name: name, At: at, Value: r.value()})
		r.blank()
		if r.take('}') {
			return m
		}
		if !r.take(',') {
			r.fail("unexpected %s, want ',' or '}'", r.here())
		}
	}
	return nil
}

func (r *jsonReader) items() *Value {
	l := NewList()
	r.blank()
	if r.take(']') {
		return l
	}
	for !r.done {
		r.blank()
		l.Items = append(l.Items, r.value())
		r.blank()
		if r.take(']') {
			return l
		}
		if !r.take(',') {
			r.fail("unexpected %s, want ',' or ']'", r.here())
		}
	}
	return nil
}
