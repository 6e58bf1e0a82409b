package format

import "strings"

// skip goes to the next token. Comments on the way are pending.
func (r *reader) skip() {
	start, breaks := r.pos, 0
	for r.pos < len(r.text) {
		switch b := r.text[r.pos]; {
		case b == '\n':
			breaks++
			r.pos++
		case isBlank(b):
			r.pos++
		case b == '#':
			col := r.column()
			r.pending = append(r.pending, comment{text: r.comment(), col: col, blank: breaks > 1})
			breaks = 0
		default:
			if r.pos > start {
				r.blank = breaks > 1
			}
			return
		}
	}
}

// comment reads the rest of the line.
func (r *reader) comment() string {
	text, _, _ := strings.Cut(r.text[r.pos:], "\n")
	r.pos += len(text)
	text = strings.TrimRight(text, " \t")
	r.comments = append(r.comments, text)
	return text
}

// inline gives an entry the comment behind what was just read.
func (r *reader) inline(e *entry) {
	for r.peek() == ' ' || r.peek() == '\t' {
		r.pos++
	}
	if r.peek() == '#' {
		e.addLine(r.comment())
	}
}

// take is the first n pending comments.
func (r *reader) take(n int) []comment {
	if n == 0 {
		return nil
	}
	taken := r.pending[:n:n]
	r.pending = r.pending[n:]
	return taken
}

// open begins an entry: pending comments are its head, but those that stand right
// below the one before, and away from this one, are that one's foot.
func (r *reader) open(before *entry) *entry {
	if before != nil {
		before.foot = r.take(r.footSize(r.blank))
	}
	e := &entry{head: r.take(len(r.pending)), blank: r.blank, from: len(r.marks)}
	r.blank = false
	return e
}

// footSize is how many pending comments follow without a blank line; apart tells
// that one comes after the last.
func (r *reader) footSize(apart bool) int {
	for i, c := range r.pending {
		if c.blank {
			return i
		}
	}
	if apart {
		return len(r.pending)
	}
	return 0
}

// end closes a block collection: pending comments that stand at its column or
// deeper are its own. A list may stand at the column of its key; what is written
// there is the list's only if it looks like an item.
func (r *reader) end(n *node, col, indent int) {
	if r.err != nil {
		return
	}
	own, item := 0, false
	for _, c := range r.pending {
		item = item && !c.blank || n.kind == listNode && strings.HasPrefix(strings.TrimLeft(c.text, "# "), "- ")
		if c.col < col || col == indent && c.col == col && !item {
			break
		}
		own++
	}
	all := r.pending
	r.pending = r.pending[:own]
	last := n.entries[len(n.entries)-1]
	last.foot = r.take(r.footSize(true))
	n.tail = r.take(len(r.pending))
	r.pending = all[own:]
}
