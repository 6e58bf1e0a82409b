package scaffold

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"stoa/inventory"
)

// DefaultKubernetes is the version that is written when none is asked for.
const DefaultKubernetes = "v1.34.2"

// Most nodes of a role that are counted; more are better named.
const (
	maxBalancers     = 9
	maxControlPlanes = 9
	maxWorkers       = 200
)

// counts is how many nodes a shape has by default.
var counts = map[string]struct{ balancers, controlPlanes, workers int }{
	"single":  {0, 1, 0},
	"ha":      {2, 3, 3},
	"gateway": {1, 3, 2},
}

// planNodes takes the nodes that were named, or counts some.
func planNodes(o Options, shape string) ([]Node, error) {
	counted := o.Balancers != nil || o.ControlPlanes != nil || o.Workers != nil
	if len(o.Nodes) > 0 {
		if counted {
			return nil, errors.New("nodes are either named or counted, not both")
		}
		return o.Nodes, nil
	}
	if shape == "single" {
		if counted {
			return nil, errors.New("the shape single has one node: want the shape ha or gateway for more")
		}
		n := Node{Name: "node-1", Internal: "192.168.10.11", Outer: exampleOuter, Roles: []string{inventory.ControlPlane, inventory.Worker}}
		if o.VRRP != "" {
			n.Roles = slices.Clone(roles)
		}
		if o.Gateway != "" {
			n.Outer = ""
		}
		return []Node{n}, nil
	}
	d := counts[shape]
	balancers, err1 := count("balancers", o.Balancers, d.balancers, 0, maxBalancers)
	controlPlanes, err2 := count("control planes", o.ControlPlanes, d.controlPlanes, 1, maxControlPlanes)
	workers, err3 := count("workers", o.Workers, d.workers, 0, maxWorkers)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	main := []string{inventory.ControlPlane}
	if workers == 0 {
		main = append(main, inventory.Worker)
	}
	nodes := numbered(nil, "balancer", "192.168.10.11", balancers, []string{inventory.Balancer})
	nodes = numbered(nodes, "control-plane", "192.168.10.21", controlPlanes, main)
	return numbered(nodes, "worker", "192.168.10.31", workers, []string{inventory.Worker}), nil
}

func count(what string, given *int, standard, least, most int) (int, error) {
	n := standard
	if given != nil {
		n = *given
	}
	if n < least || n > most {
		return 0, fmt.Errorf("%d %s: want %d to %d; more can be named one by one", n, what, least, most)
	}
	return n, nil
}

// numbered adds n nodes with addresses in a row.
func numbered(nodes []Node, name, from string, n int, roles []string) []Node {
	address := netip.MustParseAddr(from)
	for i := range n {
		nodes = append(nodes, Node{Name: fmt.Sprintf("%s-%d", name, i+1), Internal: address.String(), Roles: roles})
		address = address.Next()
	}
	return nodes
}

func checkNodes(nodes []Node, vrrp string) error {
	var faults []error
	seen := map[string]string{}
	controlPlanes, workers := 0, 0
	for _, n := range nodes {
		for _, word := range []string{n.Name, n.Internal} {
			if other, twice := seen[word]; twice {
				faults = append(faults, fmt.Errorf("nodes %s and %s both have %s", other, n.Name, word))
			}
			seen[word] = n.Name
		}
		if n.has(inventory.Balancer) && len(n.Roles) > 1 && vrrp == "" {
			faults = append(faults, fmt.Errorf("node %s is a balancer with another role, which needs a VRRP address", n.Name))
		}
		if n.has(inventory.ControlPlane) {
			controlPlanes++
		}
		if n.has(inventory.Worker) {
			workers++
		}
	}
	if controlPlanes%2 == 0 {
		faults = append(faults, fmt.Errorf("%d control planes: want an odd number, 1, 3 or 5", controlPlanes))
	}
	if workers == 0 {
		faults = append(faults, errors.New("no worker: give a node the role worker"))
	}
	return errors.Join(faults...)
}

var abouts = map[string]string{
	inventory.Balancer:     "Balancers take the traffic of users and of the API and spread it.",
	inventory.ControlPlane: "Control planes run the Kubernetes API and its store. Of an odd number, a minority may fail.",
	inventory.Worker:       "Workers run what you deploy.",
}

// grouped puts nodes of the same roles under one comment, in the order given, and
// counts them.
func grouped(nodes []Node) (groups []group, summary string) {
	var parts []string
	for start := 0; start < len(nodes); {
		end := start + 1
		for end < len(nodes) && slices.Equal(nodes[start].Roles, nodes[end].Roles) {
			end++
		}
		about := abouts[nodes[start].Roles[0]]
		if len(nodes[start].Roles) > 1 {
			about = "Does the work of " + strings.Join(nodes[start].Roles, " and ") + "."
		}
		groups = append(groups, group{about, nodes[start:end]})
		start = end
	}
	for _, role := range roles {
		n := 0
		for _, node := range nodes {
			if node.has(role) {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d × %s", n, role))
		}
	}
	if len(nodes) == 1 {
		parts = []string{"one node"}
	}
	return groups, strings.Join(parts, ", ")
}
