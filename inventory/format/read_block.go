package format

import "strings"

// block reads a text with | or >. indent is the column of the collection it
// stands in.
func (r *reader) block(out *node, e *entry, indent int) {
	b := &blockText{style: r.peek()}
	r.pos++
	explicit := 0
	for ; r.pos < len(r.text) && strings.IndexByte("+-123456789", r.text[r.pos]) >= 0; r.pos++ {
		if c := r.text[r.pos]; c >= '1' {
			explicit = int(c - '0')
		} else {
			b.chomp = string(c)
		}
	}
	r.inline(e)
	out.block = b
	if r.pos == len(r.text) {
		return
	}
	col := max(indent, 0) + explicit
	if explicit == 0 {
		col = max(r.textColumn(), indent+1, 1)
	}
	end := r.pos // after the last line that counts
	for blanks := 0; r.pos < len(r.text); {
		line, _, broken := strings.Cut(r.text[r.pos+1:], "\n")
		content := strings.TrimLeft(line, " ")
		spaces := len(line) - len(content)
		if !broken && content == "" && spaces <= col || spaces < col && content != "" {
			break
		}
		r.pos += 1 + len(line)
		if spaces <= col && content == "" {
			blanks++
			if b.chomp != "+" {
				continue
			}
		}
		for ; blanks > 0; blanks-- {
			b.lines = append(b.lines, "")
		}
		if spaces > col || content != "" {
			b.lines = append(b.lines, line[col:])
		}
		end = r.pos
		if !broken { // the text has no last line break, and must not get one
			b.chomp = "-"
		}
	}
	r.pos = end
}

// textColumn is the indent of a block text that does not say it: that of its
// first line, or of a longer blank line above.
func (r *reader) textColumn() int {
	col := 0
	for rest := r.text[r.pos+1:]; rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		content := strings.TrimLeft(line, " ")
		col = max(col, len(line)-len(content))
		if content != "" {
			break
		}
		rest = after
	}
	return col
}
