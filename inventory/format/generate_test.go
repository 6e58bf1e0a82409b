package format_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// writer draws a document that is valid but badly written: odd indents, comments
// in every place that allows one, all kinds of scalars, anchors and aliases.
type writer struct {
	*rapid.T
	strings.Builder
	anchors []string
	n       int
}

var (
	topNames = []string{
		"nodes", "cluster_name", "node_defaults", "gateway_nodes", "vrrp_ips", "globals", "services",
		"rbac", "plugins", "values", "patches", "unknown",
	}
	names = []string{
		"name", "roles", "address", "sysctl", "ntp", "chrony", "kubeadm", "labels", "services", "install",
		"calico", "a", "b", "'c d'", `"e\n"`, "0x10", "yes", "~", "1.5", "\"<<\"", "ключ",
	}
	plains = []string{
		"yes", "no", "0x16", "22:30", "0644", "1_000", "~", "word", "two  words", "a#b", "-x", "http://x:1/y",
		"2024-01-01", ".inf", ".nan", "1.50", "a - x", "é",
	}
	quotes = []string{
		`''`, `'it''s # no comment'`, `"# no comment"`, `"a\"b\\"`, `"{{ x }}"`, `'a: b'`, `"\u2028"`,
	}
	comments = []string{"# c", "#", "#x", "# - item", "# key: value", "# \"q\" [", "#   deep  ", "# |"}
)

func (w *writer) chance(percent int) bool { return rapid.IntRange(0, 99).Draw(w.T, "chance") < percent }

func (w *writer) pick(list []string) string { return rapid.SampledFrom(list).Draw(w.T, "pick") }

func (w *writer) count(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(w.T, "count") }

func (w *writer) comment() string {
	w.n++
	return fmt.Sprint(w.pick(comments), " ", w.n)
}

// above draws comments and blank lines before a line at a column.
func (w *writer) above(col int) {
	for w.chance(30) {
		switch w.count(0, 3) {
		case 0, 1:
			w.WriteString("\n")
		case 2:
			w.WriteString(strings.Repeat(" ", col) + w.comment() + "\n")
		case 3:
			w.WriteString(strings.Repeat(" ", w.count(0, col+4)) + w.comment() + "\n")
		}
	}
}

// eol ends a line, often with a comment.
func (w *writer) eol() {
	if w.chance(25) {
		w.WriteString(strings.Repeat(" ", w.count(1, 4)) + w.comment())
	} else if w.chance(10) {
		w.WriteString("  ")
	}
	w.WriteString("\n")
}

func (w *writer) document() string {
	w.above(0)
	if w.chance(10) {
		w.WriteString("---")
		w.eol()
	}
	w.members(0, 3, topNames)
	w.above(0)
	text := w.String()
	if w.chance(10) {
		text = strings.TrimRight(text, "\n")
	}
	if w.chance(10) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

func (w *writer) keys(from []string) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(from), 1, 5, rapid.ID).Draw(w.T, "keys")
}

func (w *writer) members(col, depth int, from []string) {
	for i, key := range w.keys(from) {
		if i > 0 || col == 0 {
			w.above(col)
			w.WriteString(strings.Repeat(" ", col))
		}
		if w.chance(5) && col == 0 {
			w.WriteString("? " + key)
			w.eol()
			w.WriteString(":")
		} else {
			w.WriteString(key + ":")
		}
		w.value(col, depth)
	}
}

// value draws what comes after a colon or a dash, to the end of its last line.
func (w *writer) value(col, depth int) {
	if w.chance(10) {
		name := fmt.Sprintf("a%d", w.count(0, 3))
		defer func() { w.anchors = append(w.anchors, name) }()
		w.WriteString(" &" + name)
	} else if len(w.anchors) > 0 && w.chance(15) {
		w.WriteString(" *" + w.pick(w.anchors))
		w.eol()
		return
	}
	switch kind := w.count(0, 9); {
	case depth > 0 && kind < 3:
		w.eol()
		deeper := col + w.count(1, 4)
		w.above(deeper)
		w.WriteString(strings.Repeat(" ", deeper))
		w.members(deeper, depth-1, names)
	case depth > 0 && kind < 5:
		w.eol()
		w.items(col+w.count(1, 3), depth-1)
	case kind == 5:
		w.WriteString(" ")
		w.flow(depth)
		w.eol()
	case kind == 6:
		w.block(col)
	default:
		w.scalar(col)
		w.eol()
	}
}
