package console

import (
	"stoa/internal/fault"
	"stoa/inventory"
	"stoa/inventory/diff"
	"stoa/inventory/render"
)

// clusterDiffRequest asks what changes from one document to another.
type clusterDiffRequest struct {
	Old clusterDocument `json:"old"`
	New clusterDocument `json:"new"`
	clusterAssumed
}

// clusterDiff is what changes; null when one of the documents has errors.
type clusterDiff struct {
	Old        clusterCheck `json:"old"`
	New        clusterCheck `json:"new"`
	Difference *difference  `json:"difference"`
}

// difference tells nodes on which the same changes together.
type difference struct {
	Changed bool          `json:"changed"`
	Summary string        `json:"summary"`
	Nodes   []nodeChange  `json:"nodes"`   // that come and go
	Cluster []valueChange `json:"cluster"` // values of the whole cluster
	Values  []valueGroup  `json:"values"`  // what nodes get otherwise than before
	Files   []fileGroup   `json:"files"`   // on which it shows
	LeftOff int           `json:"leftOff"` // changes of values and of files for which there was no room
}

type nodeChange struct {
	Name     string    `json:"name"`
	Change   diff.Kind `json:"change"`
	Roles    []string  `json:"roles"`
	Internal string    `json:"internal"`
	Address  string    `json:"address"`
	Files    int       `json:"files"`
}

type valueChange struct {
	Path   string     `json:"path"` // JSON pointer
	Change diff.Kind  `json:"change"`
	Old    string     `json:"old,omitempty"` // as JSON
	New    string     `json:"new,omitempty"`
	Secret bool       `json:"secret,omitempty"` // the values are masked
	From   *diff.From `json:"from,omitempty"`   // where the new value comes from
}

type valueGroup struct {
	Nodes   []string      `json:"nodes"`
	Changes []valueChange `json:"changes"`
}

type fileGroup struct {
	Path   string    `json:"path"`
	Change diff.Kind `json:"change"`
	Diff   string    `json:"diff"`  // unified
	Nodes  []string  `json:"nodes"` // none: it is a file of the cluster
}

func diffClusters(c *clusterCall, body clusterDiffRequest) error {
	old, oldCheck := c.resolve(body.Old)
	new, newCheck := c.resolve(body.New)
	answer := clusterDiff{Old: oldCheck, New: newCheck}
	if old == nil || new == nil {
		return c.answer(answer)
	}
	if len(old.Nodes)+len(new.Nodes) > mostDiffNodes {
		return fault.New(fault.TooLarge, "documents of more than %d nodes are compared with stoa inventory diff", mostDiffNodes/2)
	}
	was, err := sideOf(old)
	if err != nil {
		return fault.New(fault.Invalid, "the old document: %v", err)
	}
	is, err := sideOf(new)
	if err != nil {
		return fault.New(fault.Invalid, "the new document: %v", err)
	}
	answer.Difference = differenceOf(diff.Compare(was, is))
	return c.answer(answer)
}

// mostDiffNodes is how many nodes two documents may have together: all their files are made.
const mostDiffNodes = 4000

// sideOf is a document with its files, whose secrets are masked.
func sideOf(inv *inventory.Inventory) (diff.Side, error) {
	files, _, err := render.Render(inv, render.Options{})
	side := diff.Side{Inventory: inv}
	for _, f := range files {
		side.Files = append(side.Files, diff.File{Node: f.Node, Path: f.Path, Content: f.Content})
	}
	return side, err
}

// mostDifference is how many bytes of values and of files are told.
const mostDifference = 8 << 20

func differenceOf(d *diff.Difference) *difference {
	room := mostDifference
	told := &difference{
		Changed: !d.Empty(), Summary: d.Summary(),
		Nodes: []nodeChange{}, Values: []valueGroup{}, Files: []fileGroup{},
	}
	for _, n := range d.Nodes {
		if n.Kind != diff.Changed {
			told.Nodes = append(told.Nodes, nodeChange{n.Name, n.Kind, append([]string{}, n.Roles...), n.Internal, n.Address, len(n.Files)})
		}
	}
	told.Cluster = told.changes(d.Cluster, &room)
	for _, g := range d.ValueGroups() {
		if changes := told.changes(g.Changes, &room); len(changes) > 0 {
			told.Values = append(told.Values, valueGroup{g.Nodes, changes})
		}
	}
	for _, g := range d.FileGroups() {
		if room -= len(g.Path) + len(g.Diff) + valueOverhead; room < 0 {
			told.LeftOff++
			continue
		}
		told.Files = append(told.Files, fileGroup{g.Path, g.Kind, g.Diff, append([]string{}, g.Nodes...)})
	}
	return told
}

// changes is those for which there is room.
func (d *difference) changes(changes []diff.Change, room *int) []valueChange {
	told := []valueChange{}
	for _, c := range changes {
		v := valueChange{Path: c.Path, Change: c.Kind, Secret: c.Secret, From: c.From}
		v.Old, _ = clipped(string(c.Old))
		v.New, _ = clipped(string(c.New))
		if *room -= len(v.Path) + len(v.Old) + len(v.New) + valueOverhead; *room < 0 {
			d.LeftOff++
			continue
		}
		told = append(told, v)
	}
	return told
}
