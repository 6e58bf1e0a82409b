package format

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// value prints a value behind a key, a dash or a question mark.
func (p *printer) value(prefix string, e *entry, col int) {
	v := e.value
	if v.props != "" {
		prefix += " " + v.props
	}
	switch {
	case v.block != nil:
		p.block(prefix, e, col)
	case v.kind == scalarNode:
		p.scalar(prefix, e, col)
	case p.fits(v, col+utf8.RuneCountInString(prefix)+1):
		text, _ := flowText(v)
		p.put(col, prefix+" "+text, e.line)
	case prefix == "-" && e.line == "":
		lead := strings.Repeat(" ", col)
		if p.lead != "" {
			lead = p.lead
		}
		p.lead = lead + "- "
		p.entries(v, col+2, false)
	default:
		p.put(col, prefix, e.line)
		p.entries(v, col+2, false)
	}
}

func (p *printer) scalar(prefix string, e *entry, col int) {
	lines := slices.Clone(e.value.lines)
	if len(lines) == 0 {
		p.put(col, prefix, e.line)
		return
	}
	lines[0] = prefix + " " + lines[0]
	for i, text := range lines {
		comment := ""
		if i == len(lines)-1 {
			comment = e.line
		}
		switch {
		case i == 0:
			p.put(col, text, comment)
		case text == "":
			p.add(line{})
		default:
			p.put(col+2, text, comment)
		}
	}
}

// block prints a text with | or >. Its indent must be told when its first line
// begins with a blank.
func (p *printer) block(prefix string, e *entry, col int) {
	b := e.value.block
	indicator := ""
	for _, text := range b.lines {
		if text != "" {
			if text[0] == ' ' || text[0] == '\t' {
				indicator = "2"
			}
			break
		}
	}
	p.put(col, prefix+" "+string(b.style)+indicator+b.chomp, e.line)
	for _, text := range b.lines {
		if text == "" {
			p.add(line{})
		} else {
			p.put(col+2, text, "")
		}
	}
	p.kept = b.chomp == "+"
}

// fits tells whether a collection stays in brackets: it was written so, has no
// comments, and leaves the line short enough. An empty one has no other form.
func (p *printer) fits(v *node, col int) bool {
	if len(v.entries) == 0 || !v.flow {
		return len(v.entries) == 0
	}
	text, ok := flowText(v)
	return ok && col+utf8.RuneCountInString(text) <= width
}

// flowText is a collection in brackets, on one line; it gives up beyond the width.
func flowText(v *node) (text string, ok bool) {
	if v.inline == nil {
		text, ok := bracketed(v)
		v.inline = &inlined{text, ok && len(text) <= 4*width} // in bytes, of a character at most
	}
	return v.inline.text, v.inline.ok
}

func bracketed(v *node) (text string, ok bool) {
	open, shut := "[", "]"
	if v.kind == mapNode {
		open, shut = "{", "}"
	}
	var b strings.Builder
	b.WriteString(open)
	for i, e := range v.entries {
		if i > 0 {
			b.WriteString(", ")
		}
		if len(e.head) > 0 || e.line != "" || b.Len() > 4*width {
			return "", false
		}
		if e.key != nil {
			text, ok := keyText(e.key)
			if !ok {
				return "", false
			}
			b.WriteString(text + ": ")
		}
		text, ok := inlineText(e.value)
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	b.WriteString(shut)
	return b.String(), len(v.tail) == 0
}

// inlineText is a node as it stands inside of brackets.
func inlineText(v *node) (text string, ok bool) {
	switch {
	case v.kind != scalarNode:
		text, ok = flowText(v)
		ok = ok && v.flow
	case v.block != nil || len(v.lines) > 1:
		return "", false
	default:
		text, ok = strings.Join(v.lines, ""), true
	}
	if v.props != "" {
		text = v.props + " " + text
	}
	return text, ok
}
