package diff

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"stoa/inventory"
)

// most is how many letters of a value are shown.
const most = 160

func clip(value []byte) string {
	if utf8.RuneCount(value) <= most {
		return string(value)
	}
	return string([]rune(string(value))[:most-1]) + "…"
}

// apart leaves out what two long texts have in common in front, so that what
// differs can be seen.
func apart(old, new string) (string, string) {
	if len(old) <= most && len(new) <= most {
		return old, new
	}
	n := 0
	for n < len(old) && n < len(new) && old[n] == new[n] {
		n++
	}
	n = max(0, n-most/4)
	for n > 0 && n < len(old) && !utf8.RuneStart(old[n]) {
		n--
	}
	if n == 0 {
		return old, new
	}
	return "…" + old[n:], "…" + new[n:]
}

// dotted is a path as explain takes it.
func dotted(path []string) string {
	var b strings.Builder
	for i, name := range path {
		switch {
		case name != "" && strings.Trim(name, "0123456789") == "":
			b.WriteString("[" + name + "]")
		case strings.ContainsAny(name, `.["`) || name == "":
			b.WriteString(`["` + name + `"]`)
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(name)
		}
	}
	return b.String()
}

func (f *From) text() string {
	text := string(f.Origin)
	switch {
	case f.Origin == inventory.FromPatch && f.Patch == 0:
		text = "automatic patch: " + f.Rule
	case f.Origin == inventory.FromPatch:
		text = "patch " + strconv.Itoa(f.Patch)
	case f.Origin == inventory.FromCalculation:
		text = "calculated: " + f.Rule
	}
	if f.Line > 0 {
		text += fmt.Sprintf(" at %s:%d:%d", f.File, f.Line, f.Column)
	}
	if f.Template != "" {
		text += ": " + clip([]byte(f.Template))
	}
	return text
}

func (g *FileGroup) text() string {
	text := signs[g.Kind] + " " + g.Path
	if g.Kind == Reordered {
		text += ", lines in another order"
	}
	if len(g.Nodes) == 0 {
		return text + " (the cluster)"
	}
	return text + " (" + some(g.Nodes) + ")"
}

// some is the names of a few nodes and how many more there are.
func some(nodes []string) string {
	const few = 6
	if len(nodes) <= few+1 {
		return strings.Join(nodes, ", ")
	}
	return fmt.Sprintf("%s, %d more", strings.Join(nodes[:few], ", "), len(nodes)-few)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Summary is the difference in one line.
func (d *Difference) Summary() string {
	if d.Empty() {
		return "nothing changes"
	}
	counts := map[Kind]int{}
	files := len(d.Files)
	for _, n := range d.Nodes {
		counts[n.Kind]++
		if n.Kind == Changed {
			files += len(n.Files)
		}
	}
	var parts []string
	if len(d.Cluster) > 0 {
		parts = append(parts, plural(len(d.Cluster), "value")+" of the cluster changed")
	}
	for _, kind := range []Kind{Added, Removed, Changed} {
		if counts[kind] > 0 {
			parts = append(parts, plural(counts[kind], "node")+" "+string(kind))
		}
	}
	if files > 0 {
		parts = append(parts, plural(files, "file")+" changed")
	}
	return strings.Join(parts, ", ")
}
