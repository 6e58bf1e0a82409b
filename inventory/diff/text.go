package diff

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WriteText writes a difference for people. Nodes on which the same changes are
// told together.
func (d *Difference) WriteText(w io.Writer) error {
	b := new(text)
	b.nodes(d.Nodes)
	if len(d.Cluster) > 0 {
		b.head("cluster")
		for _, c := range d.Cluster {
			b.change(c)
		}
	}
	for _, same := range d.ValueGroups() {
		b.head("on " + some(same.Nodes))
		b.WriteString(textOf(same.Changes))
	}
	for _, same := range d.FileGroups() {
		b.head(same.text())
		b.indent("  ", same.Diff)
	}
	_, err := io.WriteString(w, strings.Map(visible, b.String()))
	return err
}

// visible keeps foreign control characters from a terminal.
func visible(r rune) rune {
	if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
		return unicode.ReplacementChar
	}
	return r
}

type text struct{ strings.Builder }

// head begins a section.
func (b *text) head(title string) {
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(title + "\n")
}

func (b *text) indent(by, lines string) {
	for line := range strings.Lines(lines) {
		b.WriteString(by + strings.TrimSuffix(line, "\n") + "\n")
	}
}

// nodes lists who comes and goes.
func (b *text) nodes(nodes []NodeChange) {
	first := true
	for _, n := range nodes {
		if n.Kind == Changed {
			continue
		}
		if first {
			b.head("nodes")
			first = false
		}
		fmt.Fprintf(b, "  %s %s (%s) %s", signs[n.Kind], n.Name, strings.Join(n.Roles, ", "), n.Internal)
		if n.Address != "" {
			b.WriteString(", outside " + n.Address)
		}
		if len(n.Files) > 0 {
			b.WriteString(", " + plural(len(n.Files), "file"))
		}
		b.WriteByte('\n')
	}
}

var signs = map[Kind]string{Added: "+", Removed: "-", Changed: "~", Reordered: "~"}

func textOf(changes []Change) string {
	var b text
	for _, c := range changes {
		b.change(c)
	}
	return b.String()
}

func (b *text) change(c Change) {
	fmt.Fprintf(b, "  %s %s", signs[c.Kind], dotted(c.path))
	switch {
	case c.Secret && c.Kind == Changed:
		b.WriteString(": another secret\n")
	case c.Kind == Added:
		b.WriteString(" = " + clip(c.New) + "\n")
	case c.Kind == Removed:
		b.WriteString(" = " + clip(c.Old) + "\n")
	case c.Kind == Reordered:
		b.WriteString(" in another order: " + clip(c.New) + "\n")
	default:
		b.changed(c)
	}
	if c.From != nil {
		b.WriteString("      " + c.From.text() + "\n")
	}
}

// changed tells old and new: of lists what comes and goes, of long texts the lines.
func (b *text) changed(c Change) {
	var oldText, newText string
	if json.Unmarshal(c.Old, &oldText) == nil && json.Unmarshal(c.New, &newText) == nil && strings.Contains(oldText+newText, "\n") {
		b.WriteByte('\n')
		b.indent("      ", unified([]byte(oldText), []byte(newText)))
		return
	}
	var was, is []json.RawMessage
	if json.Unmarshal(c.Old, &was) == nil && json.Unmarshal(c.New, &is) == nil {
		b.WriteByte('\n')
		for _, item := range without(was, is) {
			b.WriteString("      - " + clip(item) + "\n")
		}
		for _, item := range without(is, was) {
			b.WriteString("      + " + clip(item) + "\n")
		}
		return
	}
	old, new := apart(string(c.Old), string(c.New))
	fmt.Fprintf(b, ": %s → %s\n", clip([]byte(old)), clip([]byte(new)))
}

// without is the items of a list that another does not have.
func without(list, other []json.RawMessage) (some []json.RawMessage) {
	has := make(map[string]int)
	for _, item := range other {
		has[string(item)]++
	}
	for _, item := range list {
		if has[string(item)]--; has[string(item)] < 0 {
			some = append(some, item)
		}
	}
	return some
}
