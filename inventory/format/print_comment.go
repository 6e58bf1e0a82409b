package format

import (
	"strings"
	"unicode/utf8"
)

// maxSpread is how much longer a line may be than another for their comments to
// stand in one column.
const maxSpread = 32

// String joins the lines. Comments behind neighbouring lines of one level stand
// below each other.
func (p *printer) String() string {
	var b strings.Builder
	for i := 0; i < len(p.lines); {
		end, column := p.run(i)
		for ; i < end; i++ {
			l := p.lines[i]
			b.WriteString(l.text)
			if l.comment != "" {
				b.WriteString(strings.Repeat(" ", max(1, column-utf8.RuneCountInString(l.text))))
				b.WriteString(l.comment)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// run is where the lines end whose comments belong together, and their column; 0
// when they are too unlike.
func (p *printer) run(start int) (end, column int) {
	first := p.lines[start]
	if first.comment == "" {
		return start + 1, 0
	}
	shortest, longest := len(first.text), 0
	for end = start; end < len(p.lines); end++ {
		l := p.lines[end]
		if l.comment == "" || l.col != first.col {
			break
		}
		n := utf8.RuneCountInString(l.text)
		shortest, longest = min(shortest, n), max(longest, n)
	}
	if longest-shortest > maxSpread {
		return end, 0
	}
	return end, longest + 1
}
