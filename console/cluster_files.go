package console

import (
	"fmt"

	"stoa/internal/fault"
	"stoa/inventory/render"
)

// clusterFiles is the files of a node, or those of the cluster.
type clusterFiles struct {
	Check clusterCheck  `json:"check"`
	Nodes []clusterNode `json:"nodes"`
	Files []clusterFile `json:"files"`
	Notes []clusterNote `json:"notes"`
}

type clusterFile struct {
	Path    string `json:"path"`
	Mode    string `json:"mode"`
	Size    int    `json:"size"` // bytes
	Masked  bool   `json:"masked"`
	Content string `json:"content"`
}

// clusterNote is what a file cannot say itself.
type clusterNote struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// mostFiles is how many bytes the files of a node may have together. Those of a cluster of
// a thousand nodes have less than one MiB.
const mostFiles = 16 << 20

// renderCluster makes the files of one node; of none, those of the cluster. Secrets are
// always masked.
func renderCluster(c *clusterCall, body clusterNodeRequest) error {
	inv, check := c.resolve(body.clusterDocument)
	answer := clusterFiles{check, []clusterNode{}, []clusterFile{}, []clusterNote{}}
	if inv == nil {
		return c.answer(answer)
	}
	node, err := nodeOf(inv, body.Node)
	if err != nil {
		return err
	}
	files, notes, err := render.Render(inv, render.Options{Node: node, Cluster: node == nil})
	if err != nil {
		return fault.Wrap(fault.Invalid, err)
	}
	room := mostFiles
	for _, f := range files {
		if room -= len(f.Content); room < 0 {
			return fault.New(fault.TooLarge, "the files are too long to be shown here; make them with stoa inventory render")
		}
		answer.Files = append(answer.Files, clusterFile{f.Path, fmt.Sprintf("%04o", f.Mode), len(f.Content), f.Masked, string(f.Content)})
	}
	for _, n := range notes {
		answer.Notes = append(answer.Notes, clusterNote{n.Path, n.Text})
	}
	answer.Nodes = nodesOf(inv)
	return c.answer(answer)
}
