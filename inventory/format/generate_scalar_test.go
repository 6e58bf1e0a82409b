package format_test

import "strings"

func (w *writer) items(col, depth int) {
	for range w.count(1, 3) {
		w.above(col)
		w.WriteString(strings.Repeat(" ", col) + "-")
		if depth > 0 && w.chance(50) {
			w.WriteString(" ")
			w.members(col+2, depth-1, names)
			continue
		}
		w.value(col, depth)
	}
}

func (w *writer) scalar(col int) {
	deeper := "\n" + strings.Repeat(" ", col+w.count(1, 3))
	switch w.count(0, 7) {
	case 0:
		return
	case 1:
		w.WriteString(" " + w.pick(quotes))
	case 2:
		w.WriteString(" \"one \\" + deeper + "two\\ " + deeper + "\n" + deeper + "three # no comment\"")
	case 3:
		w.WriteString(" plain" + deeper + "over" + "\n" + deeper + "lines")
	case 4:
		w.WriteString(" !!str 12")
	case 5:
		w.WriteString(deeper + "next-line")
	default:
		w.WriteString(" " + w.pick(plains))
	}
}

// gap draws what may stand between two tokens in brackets.
func (w *writer) gap() {
	if w.chance(15) {
		w.eol()
		w.above(1)
		w.WriteString("  ")
	}
}

func (w *writer) flow(depth int) {
	isMap := w.chance(40)
	open, shut := "[", "]"
	if isMap {
		open, shut = "{", "}"
	}
	w.WriteString(open)
	w.gap()
	keys := w.keys(names)
	for i, key := range keys {
		if w.chance(10) {
			break
		}
		if isMap {
			w.WriteString(key + ": ")
		}
		switch {
		case depth > 0 && w.chance(20):
			w.flow(depth - 1)
		case w.chance(50):
			w.WriteString(w.pick(quotes))
		default:
			w.WriteString(w.pick([]string{"yes", "0x16", "a b", "word", "a_long_word_that_makes_the_line_too_long_for_brackets_soon"}))
		}
		w.gap()
		if i < len(keys)-1 || w.chance(20) {
			w.WriteString(",")
			w.gap()
		}
	}
	w.gap()
	w.WriteString(shut)
}

func (w *writer) block(col int) {
	w.WriteString(" " + w.pick([]string{"|", ">"}) + w.pick([]string{"", "", "-", "+"}))
	w.eol()
	indent := strings.Repeat(" ", col+w.count(1, 4))
	for i := range w.count(0, 4) {
		switch {
		case i > 0 && w.chance(30):
			w.WriteString("\n")
		case i > 0 && w.chance(20):
			w.WriteString(indent + "  deeper # no comment\n")
		default:
			w.WriteString(indent + w.pick([]string{"text", "# no comment", "- item", "trailing  "}) + "\n")
		}
	}
}
