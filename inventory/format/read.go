package format

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// reader walks over a text along the nodes that the parser found in it.
type reader struct {
	document
	text    string
	pos     int
	pending []comment // passed, but not yet given to an entry
	blank   bool      // a blank line stands above pos
	err     error
}

// readYAML takes apart a text that the loader accepts.
func readYAML(text string) (*document, error) {
	if i := strings.IndexAny(text, "\u2028\u2029"); i >= 0 {
		return nil, fmt.Errorf("line %d: write the separator U+2028 or U+2029 as an escape in double quotes: to YAML it is a line break",
			1+strings.Count(text[:i], "\n"))
	}
	var parsed yaml.Node
	if err := yaml.Unmarshal([]byte(withoutVersion(text)), &parsed); err != nil {
		return nil, err
	}
	if len(parsed.Content) != 1 || parsed.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("the document is no map")
	}
	r := &reader{text: text}
	r.document.root = r.whole(parsed.Content[0])
	if r.err != nil {
		return nil, r.err
	}
	return &r.document, nil
}

// withoutVersion blanks out a %YAML line, of which the parser knows 1.1 only.
func withoutVersion(text string) string {
	rest := text
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		switch trimmed := strings.TrimLeft(line, " \t"); {
		case strings.HasPrefix(line, "%YAML"):
			at := len(text) - len(rest)
			return text[:at] + strings.Repeat(" ", len(line)) + text[at+len(line):]
		case trimmed != "" && trimmed[0] != '#' && line[0] != '%':
			return text
		}
		rest = after
	}
	return text
}

func (r *reader) whole(n *yaml.Node) *node {
	r.skip()
	for r.peek() == '%' {
		line, _, _ := strings.Cut(r.text[r.pos:], "\n")
		directive, _, _ := strings.Cut(line, " #")
		r.pos += len(directive)
		r.directives = append(r.directives, strings.TrimRight(directive, " \t"))
		r.skip()
	}
	top := &entry{}
	if r.marker("---") {
		top.head = r.take(len(r.pending))
		r.skip()
	}
	root := r.node(n, top, -1)
	r.skip()
	r.marker("...")
	r.skip()
	root.tail = append(root.tail, r.take(len(r.pending))...)
	if r.pos < len(r.text) {
		r.fail("the end")
	}
	r.header = top.head
	if top.line != "" {
		r.header = append(r.header, comment{text: top.line})
	}
	r.splitHeader(root)
	return root
}

// marker passes over a line that begins or ends a document.
func (r *reader) marker(text string) bool {
	rest, ok := strings.CutPrefix(r.text[r.pos:], text)
	if ok = ok && (rest == "" || isBlank(rest[0])); ok {
		r.pos += len(text)
	}
	return ok
}

// modeline is a comment that is only understood on top.
var modeline = regexp.MustCompile(`^#(!|cloud-config|\s*(yaml-language-server:|vim:|vi:|-\*-))`)

// splitHeader tells what heads the document from what heads its first member: a
// blank line stands between them.
func (r *reader) splitHeader(root *node) {
	if len(root.entries) == 0 {
		return
	}
	e := root.entries[0]
	n := 0
	for n < len(e.head) && modeline.MatchString(e.head[n].text) {
		n++
	}
	for i := n + 1; i < len(e.head); i++ {
		if e.head[i].blank {
			n = i
		}
	}
	if e.blank {
		n, e.blank = len(e.head), false
	}
	r.header = append(r.header, e.head[:n]...)
	e.head = e.head[n:]
}

func (r *reader) peek() byte {
	if r.pos < len(r.text) {
		return r.text[r.pos]
	}
	return 0
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' }

// column is where pos stands in its line, in bytes.
func (r *reader) column() int { return r.pos - strings.LastIndexByte(r.text[:r.pos], '\n') - 1 }

func (r *reader) fail(want string) {
	if r.err == nil {
		r.err = fmt.Errorf("line %d: cannot take this YAML apart: want %s", 1+strings.Count(r.text[:r.pos], "\n"), want)
	}
	r.pos = len(r.text)
}

// expect passes over one character, after blanks and comments.
func (r *reader) expect(b byte) {
	r.skip()
	if r.peek() != b {
		r.fail(fmt.Sprintf("%q", b))
		return
	}
	r.pos++
}
