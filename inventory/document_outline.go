package inventory

// outline looks over a YAML text before it is parsed, since parsing builds the
// whole tree at once: a file within the size limit can hold tens of millions of
// values. It counts what surely begins a value, outside of quotes, comments and
// block texts, and never counts too much. A bound that is passed comes back as
// the code of its fault, with the place where that happened.
func outline(text []byte) (Place, Code) {
	if len(text) < 2*maxDepth {
		return Place{}, ""
	}
	o := outliner{text: text, line: 1, block: -1}
	for o.pos < len(text) {
		o.step()
		if o.values > maxValues {
			return o.at(), ParseTooMany
		}
		if o.flow > maxDepth {
			return o.at(), ParseDepth
		}
	}
	return Place{}, ""
}

type outliner struct {
	text   []byte
	pos    int
	line   int32
	start  int // offset of the line's first byte
	flow   int // open brackets and braces
	block  int // indent that a block text must exceed; -1 outside of one
	indent int // column of the line's first key, or of its last dash
	inside bool
	values int
}

func (o *outliner) at() Place { return Place{o.line, int32(o.pos-o.start) + 1} }

func (o *outliner) peek(offset int) byte {
	if o.pos+offset < len(o.text) && o.pos+offset >= 0 {
		return o.text[o.pos+offset]
	}
	return '\n'
}

func blankByte(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

func (o *outliner) newline() {
	o.pos++
	o.line++
	o.start, o.inside = o.pos, false
	if o.block >= 0 {
		o.skipBlock()
	}
}

// skipBlock passes over the lines of a block text.
func (o *outliner) skipBlock() {
	for o.pos < len(o.text) {
		end := o.pos
		for end < len(o.text) && o.text[end] == ' ' {
			end++
		}
		if end < len(o.text) && o.text[end] != '\n' && o.text[end] != '\r' && end-o.pos <= o.block-1 {
			o.block = -1
			return
		}
		for end < len(o.text) && o.text[end] != '\n' {
			end++
		}
		if end >= len(o.text) {
			o.pos = end
			return
		}
		o.pos = end + 1
		o.line++
		o.start = o.pos
	}
}

func (o *outliner) step() {
	c := o.text[o.pos]
	before := o.peek(-1)
	begins := blankByte(before) || o.flow > 0 && (before == '[' || before == '{' || before == ',' || // a token may begin here
		before == ':' && (o.peek(-2) == '"' || o.peek(-2) == '\''))
	switch {
	case c == '\n':
		o.newline()
		return
	case c == '#' && blankByte(o.peek(-1)):
		for o.peek(0) != '\n' {
			o.pos++
		}
		return
	case (c == '"' || c == '\'') && (begins || !o.inside):
		o.quoted(c)
		return
	case (c == '[' || c == '{') && (begins || !o.inside):
		o.flow++
	case (c == ']' || c == '}') && o.flow > 0:
		o.flow--
	case c == ',' && o.flow > 0, c == ':' && blankByte(o.peek(1)):
		o.values++
	case (c == '-' || c == '?') && o.flow == 0 && !o.inside && blankByte(o.peek(1)):
		o.values++
		o.indent = o.pos - o.start
		o.pos++
		return
	case (c == '|' || c == '>') && begins && o.flow == 0:
		o.block = o.indent + 1
	}
	if !blankByte(c) && !o.inside {
		o.inside = true
		if c != '|' && c != '>' {
			o.indent = o.pos - o.start
		}
	}
	o.pos++
}

func (o *outliner) quoted(quote byte) {
	if !o.inside {
		o.inside, o.indent = true, o.pos-o.start
	}
	for o.pos++; o.pos < len(o.text); o.pos++ {
		switch c := o.text[o.pos]; {
		case c == '\n':
			o.line++
			o.start = o.pos + 1
		case c == '\\' && quote == '"':
			o.pos++
		case c == quote:
			o.pos++
			return
		}
	}
}
