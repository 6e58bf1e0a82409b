package diff

import (
	"slices"

	"stoa/inventory"
)

// Side is one of the two documents.
type Side struct {
	Inventory *inventory.Inventory
	Files     []File // as rendered; may be left out on both sides
}

// File is a rendered file. Node is blank for one of the whole cluster.
type File struct {
	Node, Path string
	Content    []byte
}

// Kind is what happens to something.
type Kind string

const (
	Added     Kind = "added"
	Removed   Kind = "removed"
	Changed   Kind = "changed"
	Reordered Kind = "reordered" // the same parts in another order
)

// Difference is what changes.
type Difference struct {
	Cluster []Change     `json:"cluster"`
	Files   []FileChange `json:"files"` // of the whole cluster
	Nodes   []NodeChange `json:"nodes"` // those with a change: old order, then new ones
}

// NodeChange is what changes on a node.
type NodeChange struct {
	Name     string       `json:"name"`
	Kind     Kind         `json:"change"`
	Roles    []string     `json:"roles"` // of the new document, if it is there
	Internal string       `json:"internal_address"`
	Address  string       `json:"address,omitempty"`
	Changes  []Change     `json:"values"` // of what the node gets; empty for one that comes or goes
	Files    []FileChange `json:"files"`
}

// Compare says what changes from old to new.
func Compare(old, new Side) *Difference {
	d := &Difference{Cluster: []Change{}, Nodes: []NodeChange{}}
	c := comparer{file: new.Inventory.Document.Name}
	for _, name := range memberNames(old.Inventory.Root, new.Inventory.Root) {
		if name != "nodes" {
			c.values([]string{name}, old.Inventory.Root.Get(name), new.Inventory.Root.Get(name))
		}
	}
	d.Cluster = append(d.Cluster, c.list...)
	was, is := filesByNode(old.Files), filesByNode(new.Files)
	files := make(fileComparer)
	d.Files = files.files(was[""], is[""])
	before, after := nodesByName(old.Inventory), nodesByName(new.Inventory)
	for _, n := range old.Inventory.Nodes {
		change := describe(n, Removed)
		if now := after[n.Name]; now != nil {
			change = describe(now, Changed)
			c := comparer{file: c.file}
			c.values(nil, old.Inventory.View(n), new.Inventory.View(now))
			change.Changes = append(change.Changes, c.list...)
		}
		change.Files = files.files(was[n.Name], is[n.Name])
		d.keep(change)
	}
	for _, n := range new.Inventory.Nodes {
		if before[n.Name] == nil {
			change := describe(n, Added)
			change.Files = files.files(was[n.Name], is[n.Name])
			d.keep(change)
		}
	}
	return d
}

func describe(n *inventory.Node, kind Kind) NodeChange {
	return NodeChange{Name: n.Name, Kind: kind, Roles: n.Roles, Internal: n.Internal, Address: n.Address, Changes: []Change{}}
}

// keep adds a node on which something changes. What stands in the files of a node
// that comes or goes is not told: it is all of it.
func (d *Difference) keep(n NodeChange) {
	if n.Kind != Changed {
		for i := range n.Files {
			n.Files[i].Diff = ""
		}
	}
	if n.Kind != Changed || len(n.Changes)+len(n.Files) > 0 {
		d.Nodes = append(d.Nodes, n)
	}
}

func nodesByName(inv *inventory.Inventory) map[string]*inventory.Node {
	nodes := make(map[string]*inventory.Node, len(inv.Nodes))
	for _, n := range inv.Nodes {
		nodes[n.Name] = n
	}
	return nodes
}

// Empty tells that nothing changes. A file whose lines only change places is no
// change of its own: where an order has a meaning, a value tells it.
func (d *Difference) Empty() bool {
	quiet := func(files []FileChange) bool {
		return !slices.ContainsFunc(files, func(f FileChange) bool { return f.Kind != Reordered })
	}
	return len(d.Cluster) == 0 && quiet(d.Files) && !slices.ContainsFunc(d.Nodes, func(n NodeChange) bool {
		return n.Kind != Changed || len(n.Changes) > 0 || !quiet(n.Files)
	})
}

// Of is what changes on one node only.
func (d *Difference) Of(node string) *Difference {
	some := &Difference{Cluster: []Change{}, Files: []FileChange{}, Nodes: []NodeChange{}}
	for _, n := range d.Nodes {
		if n.Name == node {
			some.Nodes = append(some.Nodes, n)
		}
	}
	return some
}
