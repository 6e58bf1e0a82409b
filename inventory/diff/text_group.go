package diff

import (
	"fmt"
	"slices"
	"strings"
)

// alike is nodes of which the same is told.
type alike struct {
	nodes []string
	text  string
	diff  string
}

// groupValues puts nodes together that get the same other values.
func groupValues(nodes []NodeChange) []*alike {
	var groups []*alike
	known := make(map[string]*alike)
	for _, n := range nodes {
		if len(n.Changes) == 0 {
			continue
		}
		var b text
		for _, c := range n.Changes {
			b.change(c)
		}
		if known[b.String()] == nil {
			known[b.String()] = &alike{text: b.String()}
			groups = append(groups, known[b.String()])
		}
		g := known[b.String()]
		g.nodes = append(g.nodes, n.Name)
	}
	for _, g := range groups {
		g.nodes = some(g.nodes)
	}
	return groups
}

// groupFiles puts nodes together on which a file changes in the same way. Files
// of nodes that come or go are not told.
func groupFiles(d *Difference) []*alike {
	var groups []*alike
	known := make(map[FileChange]*alike)
	add := func(node string, files []FileChange) {
		for _, f := range files {
			if known[f] == nil {
				known[f] = &alike{text: fmt.Sprintf("%s %s", signs[f.Kind], f.Path), diff: f.Diff}
				if f.Kind == Reordered {
					known[f].text += ", lines in another order"
				}
				groups = append(groups, known[f])
			}
			known[f].nodes = append(known[f].nodes, node)
		}
	}
	for _, n := range d.Nodes {
		if n.Kind == Changed {
			add(n.Name, n.Files)
		}
	}
	add("the cluster", d.Files)
	for _, g := range groups {
		g.text += fmt.Sprintf(" (%s)", strings.Join(some(g.nodes), ", "))
	}
	return groups
}

// some is the names of a few nodes and how many more there are.
func some(nodes []string) []string {
	const few = 6
	if len(nodes) <= few+1 {
		return nodes
	}
	return append(slices.Clone(nodes[:few]), fmt.Sprintf("%d more", len(nodes)-few))
}
