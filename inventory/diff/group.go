package diff

// ValueGroup is nodes that get the same other values.
type ValueGroup struct {
	Nodes   []string
	Changes []Change
}

// ValueGroups puts nodes together on which the same values change.
func (d *Difference) ValueGroups() []*ValueGroup {
	var groups []*ValueGroup
	known := make(map[string]*ValueGroup)
	for _, n := range d.Nodes {
		if len(n.Changes) == 0 {
			continue
		}
		told := textOf(n.Changes)
		if known[told] == nil {
			known[told] = &ValueGroup{Changes: n.Changes}
			groups = append(groups, known[told])
		}
		known[told].Nodes = append(known[told].Nodes, n.Name)
	}
	return groups
}

// FileGroup is nodes on which a file changes in the same way. No nodes: it is a file of
// the whole cluster.
type FileGroup struct {
	FileChange
	Nodes []string
}

// FileGroups puts nodes together on which a file changes in the same way. Files of nodes
// that come or go are not among them.
func (d *Difference) FileGroups() []*FileGroup {
	var groups []*FileGroup
	known := make(map[FileChange]*FileGroup)
	for _, n := range d.Nodes {
		if n.Kind != Changed {
			continue
		}
		for _, f := range n.Files {
			if known[f] == nil {
				known[f] = &FileGroup{FileChange: f}
				groups = append(groups, known[f])
			}
			known[f].Nodes = append(known[f].Nodes, n.Name)
		}
	}
	for _, f := range d.Files {
		groups = append(groups, &FileGroup{FileChange: f})
	}
	return groups
}
