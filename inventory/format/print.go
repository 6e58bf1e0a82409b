package format

import (
	"strings"
	"unicode/utf8"
)

// width is how long a line with brackets may be.
const width = 120

// maxKey is how long a key may be without a question mark; YAML's bound is 1024.
const maxKey = 1000

// printer collects lines; how far apart their comments stand is known last.
type printer struct {
	lines []line
	lead  string // takes the place of the next line's indent
	kept  bool   // a text that keeps its blank lines was printed last
}

type line struct {
	text, comment string
	col           int
}

func printYAML(d *document) string {
	p := &printer{}
	for _, text := range d.directives {
		p.add(line{text: text})
	}
	if len(d.directives) > 0 || d.root.props != "" {
		p.add(line{text: strings.TrimSpace("--- " + d.root.props)})
	}
	p.comments(d.header, 0)
	if len(d.header) > 0 && len(d.root.entries) > 0 {
		p.blank()
	}
	if len(d.root.entries) == 0 {
		p.add(line{text: "{}"})
	}
	p.entries(d.root, 0, true)
	return p.String()
}

func (p *printer) add(l line) {
	p.lines = append(p.lines, l)
	p.kept = false
}

// put adds a line at a column.
func (p *printer) put(col int, text, comment string) {
	indent := strings.Repeat(" ", col)
	if p.lead != "" {
		indent, p.lead = p.lead, ""
	}
	p.add(line{text: indent + text, comment: comment, col: col})
}

func (p *printer) blank() {
	if !p.kept {
		p.add(line{})
	}
}

func (p *printer) comments(list []comment, col int) {
	for i, c := range list {
		if c.blank && i > 0 {
			p.blank()
		}
		p.put(col, c.text, "")
	}
}

// entries prints a block collection.
func (p *printer) entries(n *node, col int, top bool) {
	for i, e := range n.entries {
		if e.key == nil {
			p.hoist(e, col)
		}
		if i > 0 && (top || e.spaced() || len(n.entries[i-1].foot) > 0) {
			p.blank()
		}
		p.comments(e.head, col)
		if len(e.head) > 0 && e.blank {
			p.blank()
		}
		p.entry(e, col)
		p.comments(e.foot, col)
	}
	if len(n.tail) > 0 && (n.tail[0].blank || top) {
		p.blank()
	}
	p.comments(n.tail, col)
}

// hoist lifts the comments between a dash and what follows above the dash.
func (p *printer) hoist(e *entry, col int) {
	v := e.value
	if v.kind == scalarNode || len(v.entries) == 0 || v.props != "" || p.fits(v, col+2) {
		return
	}
	if e.line != "" {
		e.addHead(comment{text: e.line})
		e.line = ""
	}
	first := v.entries[0]
	if first.key == nil {
		p.hoist(first, col+2)
	}
	e.addHead(first.head...)
	first.head = nil
}

func (p *printer) entry(e *entry, col int) {
	if e.key == nil {
		p.value("-", e, col)
		return
	}
	text, ok := keyText(e.key)
	if ok {
		p.value(text+":", e, col)
		return
	}
	p.value("?", &entry{value: e.key}, col)
	p.value(":", e, col)
}

// keyText is a key that fits on its line.
func keyText(k *node) (string, bool) {
	text, ok := inlineText(k)
	if k.props != "" && len(k.lines) == 0 || strings.HasPrefix(text, "*") {
		text += " " // a colon could belong to the word before
	}
	return text, ok && text != "" && utf8.RuneCountInString(text) < maxKey
}
