package console

import (
	"context"
	"slices"
	"strings"
	"time"

	"stoa/internal/fault"
	"stoa/internal/web"
	"stoa/inventory"
)

func (c *Console) clusterRoutes() web.Routes {
	return web.Routes{
		"GET " + base + "/cluster/examples":   c.forOperator(c.getClusterExamples),
		"POST " + base + "/cluster/check":     c.forOperator(onDocument(c, checkCluster)),
		"POST " + base + "/cluster/format":    c.forOperator(onDocument(c, formatCluster)),
		"POST " + base + "/cluster/graph":     c.forOperator(onDocument(c, graphCluster)),
		"POST " + base + "/cluster/effective": c.forOperator(onDocument(c, listClusterValues)),
		"POST " + base + "/cluster/render":    c.forOperator(onDocument(c, renderCluster)),
		"POST " + base + "/cluster/diff":      c.forOperator(onDocument(c, diffClusters)),
	}
}

// clusterDocument is a document as the page sends it; nothing of it is kept.
type clusterDocument struct {
	Document string `json:"document"`
	Name     string `json:"name"` // how faults call it; the ending .json means something
}

// clusterAssumed is what a document cannot say.
type clusterAssumed struct {
	OSFamily string `json:"osFamily"` // of every node; "": the usual one
}

// options shows a document neither the files nor the environment of this machine.
func (a clusterAssumed) options() (inventory.Options, error) {
	if a.OSFamily != "" && !slices.Contains(inventory.Families, a.OSFamily) {
		return inventory.Options{}, fault.New(fault.Invalid, "osFamily %q: want one of %s", a.OSFamily, strings.Join(inventory.Families, ", "))
	}
	return inventory.Options{OSFamily: a.OSFamily, NoFiles: true}, nil
}

// clusterRequest asks for something of one document.
type clusterRequest struct {
	clusterDocument
	clusterAssumed
}

// clusterNodeRequest asks for something of one node of it.
type clusterNodeRequest struct {
	clusterRequest
	Node string `json:"node"`
}

// clusterCall is a call that has its turn.
type clusterCall struct {
	*call
	ctx     context.Context
	options inventory.Options
}

// Documents are worked on a few at a time: one of many nodes takes a core for a moment.
const (
	clusterTurns = 2
	clusterTime  = 20 * time.Second
)

// onDocument reads what is asked for, and does it when it is its turn.
func onDocument[B interface {
	options() (inventory.Options, error)
}](c *Console, work func(*clusterCall, B) error) func(*call) error {
	return func(call *call) error {
		var body B
		if err := call.read(&body); err != nil {
			return err
		}
		options, err := body.options()
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(call.r.Context(), clusterTime)
		defer cancel()
		select {
		case c.documents <- struct{}{}:
			defer func() { <-c.documents }()
		case <-ctx.Done():
			return fault.New(fault.Unavailable, "other documents are being worked on; try again")
		}
		return work(&clusterCall{call, ctx, options}, body)
	}
}

// called is how faults call a document; each of them has the name.
func (d clusterDocument) called() string {
	const longest = 100 // bytes
	if d.Name == "" {
		return "cluster.yaml"
	}
	return d.Name[max(0, len(d.Name)-longest):]
}

// load reads a document; there is one only without faults.
func (d clusterDocument) load() (*inventory.Document, inventory.Faults) {
	return inventory.Load(d.called(), []byte(d.Document))
}

// resolve is a document as it will be used; nil when it has errors.
func (c *clusterCall) resolve(d clusterDocument) (*inventory.Inventory, clusterCheck) {
	doc, faults := d.load()
	if doc == nil {
		return nil, checked(faults)
	}
	inv, faults := inventory.Resolve(c.ctx, doc, c.options)
	return inv, checked(faults)
}

// clusterNode is a node that can be asked for.
type clusterNode struct {
	Name  string   `json:"name"`
	Roles []string `json:"roles"`
}

func nodesOf(inv *inventory.Inventory) []clusterNode {
	nodes := []clusterNode{}
	for _, n := range inv.Nodes {
		nodes = append(nodes, clusterNode{n.Name, append([]string{}, n.Roles...)})
	}
	return nodes
}
