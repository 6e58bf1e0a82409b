package format

import (
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle
const block = yaml.LiteralStyle | yaml.FoldedStyle

// absent tells a value that is written as nothing at all.
func (r *reader) absent(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || n.Value != "" || n.Style != 0 || n.Anchor != "" {
		return false
	}
	rest := strings.TrimLeft(r.text[r.pos:], " \t")
	return rest == "" || rest[0] != '!'
}

var property = regexp.MustCompile(`^(![<][^>\n]*>|[&!][^ \t\n,\[\]{}]*)`)

// properties reads anchor and tag of a node. Those of a block map's first key
// begin where the map begins too; the parser knows whose they are.
func (r *reader) properties(n *yaml.Node, e *entry) string {
	if n.Kind == yaml.MappingNode && len(n.Content) > 0 {
		if key := n.Content[0]; key.Line == n.Line && key.Column == n.Column {
			return ""
		}
	}
	var props []string
	for (r.peek() == '&' || r.peek() == '!') && len(props) < 2 {
		if n.Kind == yaml.MappingNode && len(props) > 0 && !r.second(n, props[0]) {
			break
		}
		word := property.FindString(r.text[r.pos:])
		if word[0] == '&' {
			r.marks = append(r.marks, mark{name: n.Anchor, anchor: true})
		}
		r.pos += len(word)
		props = append(props, word)
		if n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&(quoted|block) == 0 {
			for r.peek() == ' ' || r.peek() == '\t' {
				r.pos++
			}
			continue
		}
		r.inline(e)
		r.skip()
	}
	return strings.Join(props, " ")
}

// second tells whether a map has a second property, having one.
func (r *reader) second(n *yaml.Node, first string) bool {
	if first[0] == '&' {
		return r.peek() == '!' && n.Style&yaml.TaggedStyle != 0
	}
	return r.peek() == '&' && n.Anchor != ""
}

func (r *reader) scalar(n *yaml.Node, out *node, e *entry, indent int) {
	if n.Value == "" && n.Style&(quoted|block) == 0 {
		return
	}
	e.addHead(r.take(len(r.pending))...)
	if n.Style&block != 0 {
		r.block(out, e, indent)
		return
	}
	start := r.pos
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		r.double()
	case n.Style&yaml.SingleQuotedStyle != 0:
		r.single()
	default:
		r.plain(n.Value)
	}
	if r.err == nil {
		out.lines = trimLines(r.text[start:r.pos], n.Style&yaml.DoubleQuotedStyle != 0)
	}
}

func (r *reader) double() {
	r.expect('"')
	for r.pos < len(r.text) {
		switch r.text[r.pos] {
		case '\\':
			r.pos++
		case '"':
			r.pos++
			return
		}
		r.pos++
	}
	r.fail("a closing quote")
}

func (r *reader) single() {
	r.expect('\'')
	for r.pos < len(r.text) {
		if r.text[r.pos] == '\'' {
			if r.pos++; r.peek() != '\'' {
				return
			}
		}
		r.pos++
	}
	r.fail("a closing quote")
}

// plain passes over an unquoted scalar: the text that gives its value, in which
// a run of blanks may be written as another.
func (r *reader) plain(value string) {
	for i := 0; i < len(value); {
		if !isBlank(value[i]) {
			if r.peek() != value[i] {
				r.fail("the rest of a plain scalar")
				return
			}
			i++
			r.pos++
			continue
		}
		for i < len(value) && isBlank(value[i]) {
			i++
		}
		for isBlank(r.peek()) {
			r.pos++
		}
	}
}

// trimLines splits a scalar and drops the blanks around its line breaks, which
// count for nothing unless they are escaped.
func trimLines(text string, escapes bool) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i > 0 {
			line = strings.TrimLeft(line, " \t")
		}
		if i < len(lines)-1 {
			trimmed := strings.TrimRight(line, " \t")
			backslashes := len(trimmed) - len(strings.TrimRight(trimmed, `\`))
			if escapes && backslashes%2 == 1 && len(trimmed) < len(line) {
				trimmed = line[:len(trimmed)+1]
			}
			line = trimmed
		}
		lines[i] = line
	}
	return lines
}
