package inventory

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// frameWidth is how much of a line is shown, in characters.
const frameWidth = 100

// frame is the line of a fault and the one before it.
type frame struct {
	first  int // number of the first line
	lines  []string
	column int // of the caret in the last line, from 1; 0: no frame
}

// framer cuts frames out of a document. Faults come in order, so that a line of
// many megabytes is walked once.
type framer struct {
	doc    *Document
	last   Place
	offset int // of last
}

func (fr *framer) frame(at Place) frame {
	starts := fr.doc.lineStarts()
	if at.Line < 1 || int(at.Line) > len(starts) {
		return frame{}
	}
	f := frame{first: int(at.Line)}
	if at.Line > 1 {
		f.first--
		f.lines = append(f.lines, clip(fr.doc.line(int(at.Line)-1)))
	}
	start := Place{at.Line, max(1, at.Column-frameWidth/2)}
	if at.Column <= frameWidth {
		start.Column = 1
	}
	line := fr.doc.rest(fr.walk(start))
	f.column = int(at.Column-start.Column) + 1
	if start.Column > 1 {
		line = "…" + line
		f.column++
	}
	f.lines = append(f.lines, clip(line))
	return f
}

// walk is the offset of a place at or after the last one.
func (fr *framer) walk(to Place) int {
	if fr.last.Line != to.Line || fr.last.Column > to.Column {
		fr.last, fr.offset = Place{to.Line, 1}, fr.doc.lineStarts()[to.Line-1]
	}
	for fr.last.Column < to.Column && fr.offset < len(fr.doc.text) {
		_, size := utf8.DecodeRune(fr.doc.text[fr.offset:])
		fr.offset += size
		fr.last.Column++
	}
	return fr.offset
}

func clip(line string) string {
	line = strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if r < ' ' || r == utf8.RuneError {
			return '·'
		}
		return r
	}, line)
	if utf8.RuneCountInString(line) <= frameWidth {
		return line
	}
	return string([]rune(line)[:frameWidth]) + "…"
}

// WriteText writes faults for people: place, severity, code and message, the
// line with a caret under the place, and how to mend it.
func (fs Faults) WriteText(w io.Writer) error {
	var b strings.Builder
	var fr framer
	for _, f := range fs {
		if fr.doc != f.doc {
			fr = framer{doc: f.doc}
		}
		fmt.Fprintf(&b, "%s:%d:%d: %s[%s] %s\n", f.File, f.Line, f.Column, f.Severity, f.Code, f.Message)
		fr.frame(Place{int32(f.Line), int32(f.Column)}).write(&b)
		if f.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", f.Hint)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (f frame) write(b *strings.Builder) {
	if f.column == 0 {
		return
	}
	width := len(fmt.Sprint(f.first + len(f.lines) - 1))
	for i, line := range f.lines {
		fmt.Fprintf(b, "  %*d | %s\n", width, f.first+i, line)
	}
	fmt.Fprintf(b, "  %*s | %s^\n", width, "", strings.Repeat(" ", f.column-1))
}
