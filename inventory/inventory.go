package inventory

import (
	"context"
	"slices"
)

// Roles of nodes. All nodes of a role are its group.
const (
	ControlPlane = "control-plane"
	Worker       = "worker"
	Balancer     = "balancer"
)

// Families is the OS families of nodes.
var Families = []string{"debian", "ubuntu26.04", "rhel8", "rhel9", "rhel10"}

// Options says what a document cannot: what is assumed of the world around it.
type Options struct {
	OSFamily string            // of every node; debian when blank
	Environ  map[string]string // what templates see as env
	NoFiles  bool              // do not look whether files of plugin steps exist
}

// Inventory is a document as it will be used: all defaults in, rendered, checked.
type Inventory struct {
	Document *Document
	OSFamily string
	Root     *Value  // the whole effective document
	Nodes    []*Node // in the order of the document
	VRRP     []*VRRP // in the order of the document
	Gateways []string
}

// Node is one machine.
type Node struct {
	Name      string
	Address   string // outer; may be blank
	Internal  string
	ConnectTo string
	Gateway   string
	Roles     []string
	Index     int    // in the document
	Value     *Value // its item of the effective nodes

	path   string
	sysctl *Value // kernel parameters after patches; nil: as for all
}

// Has tells whether a node has a role.
func (n *Node) Has(role string) bool { return slices.Contains(n.Roles, role) }

// Kubernetes tells whether a node is more than a balancer.
func (n *Node) Kubernetes() bool { return n.Has(ControlPlane) || n.Has(Worker) }

// Node is a node by name, nil when there is none.
func (inv *Inventory) Node(name string) *Node {
	for _, n := range inv.Nodes {
		if n.Name == name {
			return n
		}
	}
	return nil
}

// Group is the nodes of a role, in order.
func (inv *Inventory) Group(role string) []*Node { return group(inv.Nodes, role) }

func group(nodes []*Node, role string) []*Node {
	var list []*Node
	for _, n := range nodes {
		if n.Has(role) {
			list = append(list, n)
		}
	}
	return list
}

// Names is the names of all nodes.
func (inv *Inventory) Names() []string {
	names := make([]string, len(inv.Nodes))
	for i, n := range inv.Nodes {
		names[i] = n.Name
	}
	return names
}

// Resolve makes an Inventory of a document, or says everything that is wrong
// with it: the schema's faults and those of all later stages together. With an
// error among the faults there is no Inventory.
func Resolve(ctx context.Context, d *Document, o Options) (*Inventory, Faults) {
	return resolve(ctx, d, o, nil)
}

func resolve(ctx context.Context, d *Document, o Options, more func(*resolver)) (*Inventory, Faults) {
	if o.OSFamily == "" {
		o.OSFamily = Families[0]
	}
	ctx, cancel := context.WithTimeout(ctx, resolveTime)
	defer cancel()
	r := &resolver{collector: collector{doc: d}, ctx: ctx, o: o, told: make(map[toldKey]bool)}
	r.run()
	if more != nil {
		more(r)
	}
	r.faults.sort()
	if r.faults.Invalid() {
		return nil, r.faults
	}
	return r.inventory(), r.faults
}
