package inventory

import (
	"bytes"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// exoticBreaks is what YAML 1.1 takes for line ends besides those that editors
// count; a quoted text may hold them.
const exoticBreaks = "\u0085\u2028\u2029"

// realLines is where the lines that the scanner counts begin, in lines that
// everybody counts; nil when they are the same.
func realLines(text []byte) []Place {
	if !bytes.ContainsAny(text, exoticBreaks) {
		return nil
	}
	lines, at := []Place{{1, 1}}, Place{1, 1}
	for _, r := range string(text) {
		at.Column++
		if r == '\n' {
			at = Place{at.Line + 1, 1}
		}
		if r == '\n' || strings.ContainsRune(exoticBreaks, r) {
			lines = append(lines, at)
		}
	}
	return lines
}

// place is where a node stands.
func (r *yamlReader) place(n *yaml.Node) Place {
	at := nodePlace(n)
	if r.lines != nil && int(at.Line) <= len(r.lines) {
		start := r.lines[at.Line-1]
		return Place{start.Line, start.Column + at.Column - 1}
	}
	return at
}

// maxDrip is the size up to which a faulty text is read again for its place.
const maxDrip = 1 << 20

// drip hands a text out byte by byte, so that how far the scanner came is known.
type drip struct {
	text []byte
	pos  int
}

func (d *drip) Read(p []byte) (int, error) {
	if d.pos >= len(d.text) {
		return 0, io.EOF
	}
	p[0] = d.text[d.pos]
	d.pos++
	return 1, nil
}

// stoppedAt is the offset that the scanner had read when it gave up.
func stoppedAt(text []byte) int {
	d := &drip{text: text}
	decoder := yaml.NewDecoder(d)
	for {
		var n yaml.Node
		if err := decoder.Decode(&n); err != nil {
			return d.pos
		}
	}
}

// syntaxPlace finds where a syntax fault is. The scanner's own line is that of
// the construct around it, and often the one before.
func syntaxPlace(d *Document, text []byte, line int, what string) (Place, string) {
	if len(text) > maxDrip {
		return lineStart(d, line), ""
	}
	end := stoppedAt(version11(text))
	switch {
	case strings.Contains(what, "end of stream") || strings.Contains(what, "document indicator"):
		return quoteIn(d, line), "close the quote"
	case strings.Contains(what, "could not find expected ':'"):
		return lineStart(d, line), "a line in a map is a key, a colon and a value"
	case strings.Contains(what, "cannot start any token"):
		if i := bytes.LastIndexAny(text[:end], "\t@`%"); i >= 0 {
			if text[i] == '\t' {
				return placeOf(text, i), "indent with blanks: YAML does not allow tabs there"
			}
			return placeOf(text, i), "put the value in quotes"
		}
	case strings.Contains(what, "tab character"):
		if i := bytes.LastIndexByte(text[:end], '\t'); i >= 0 {
			return placeOf(text, i), "indent with blanks: YAML does not allow tabs there"
		}
	case strings.Contains(what, "escape"):
		if i := bytes.LastIndexByte(text[:end], '\\'); i >= 0 {
			return placeOf(text, i), "in double quotes, write a backslash twice"
		}
	case strings.Contains(what, "mapping values are not allowed"):
		if i := bytes.LastIndexByte(text[:end], ':'); i >= 0 {
			return placeOf(text, i), "put the value in quotes, or mend the indent"
		}
	}
	return blockPlace(d, text, end), ""
}

// blockPlace is the first character of the line in which the scanner stopped: it
// reads a few characters ahead, at most into the next line.
func blockPlace(d *Document, text []byte, end int) Place {
	read := bytes.TrimRight(text[:min(end, len(text))], " \t\r\n")
	at := placeOf(text, len(read))
	return lineStart(d, int(at.Line))
}

func lineStart(d *Document, line int) Place {
	line = min(max(line, 1), len(d.lineStarts()))
	text := d.line(line)
	return Place{int32(line), int32(len(text)-len(strings.TrimLeft(text, " \t"))) + 1}
}

// quoteIn is the quote that opens a text in a line.
func quoteIn(d *Document, line int) Place {
	at := lineStart(d, line)
	text := d.line(int(at.Line))
	for _, before := range []string{": ", "- ", "[", "{", ", "} {
		for _, quote := range []string{`"`, "'"} {
			if i := strings.LastIndex(text, before+quote); i >= 0 {
				return Place{at.Line, int32(len([]rune(text[:i+len(before)]))) + 1}
			}
		}
	}
	return at
}
