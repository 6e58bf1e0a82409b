package graph

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"unicode"

	"stoa/inventory"
)

// Topology is who stands where in a cluster. Its texts can be shown: they have
// no line ends and no control characters.
type Topology struct {
	Cluster   string
	Summary   string // how many nodes there are, and of which roles
	Endpoints []Endpoint
	Virtual   []Virtual
	Layers    []Layer // only those that have nodes
	Gateways  []Gateway
}

// Endpoint is where clients reach the Kubernetes API.
type Endpoint struct{ Who, Address string }

// Virtual is an address that moves between balancers.
type Virtual struct {
	IP, Floating, Router string
	NotBind              bool // nobody binds it in maintenance mode
	Hosts                []Host
}

// Host is a balancer that may carry an address; the highest priority does.
type Host struct {
	Name     string
	Priority int64
}

// Layer is the nodes that traffic meets in the same role.
type Layer struct {
	Role  string
	Ports []string // what its nodes listen on, in words
	Nodes []Node
}

// Node is one machine.
type Node struct {
	Name, Internal, Address, Gateway string
	Roles                            []string
}

// Gateway is a machine that SSH to some nodes goes through.
type Gateway struct {
	Name, Address string
	Nodes         []string
}

// chain is the roles in the order in which traffic meets them.
var chain = []string{inventory.Balancer, inventory.ControlPlane, inventory.Worker}

// titles is what a layer of a role is called.
var titles = map[string]string{inventory.Balancer: "Balancers", inventory.ControlPlane: "Control planes", inventory.Worker: "Workers"}

// New is the topology of a cluster.
func New(inv *inventory.Inventory) *Topology {
	t := &Topology{Cluster: shown(inv.Root.Get("cluster_name").Str()), Summary: summary(inv)}
	for _, e := range [][2]string{{"outside", "external"}, {"inside", "internal"}} {
		if address := inv.Root.Get("control_plain", e[1]).Str(); address != "" {
			t.Endpoints = append(t.Endpoints, Endpoint{e[0], shown(net.JoinHostPort(address, "6443"))})
		}
	}
	for _, v := range inv.VRRP {
		virtual := Virtual{IP: shown(v.IP), Floating: shown(v.Floating), Router: shown(v.RouterID), NotBind: v.NotBind}
		for _, h := range v.Hosts {
			virtual.Hosts = append(virtual.Hosts, Host{shown(h.Node.Name), h.Priority})
		}
		t.Virtual = append(t.Virtual, virtual)
	}
	t.layers(inv)
	t.gateways(inv)
	return t
}

func (t *Topology) layers(inv *inventory.Inventory) {
	http, https := inv.TargetPorts()
	ports := map[string]string{
		inventory.Balancer: "in: 80, 443, 6443", inventory.ControlPlane: "API: 6443",
		inventory.Worker: "HTTP: " + shown(http) + "\nHTTPS: " + shown(https),
	}
	for _, role := range chain {
		layer := Layer{Role: role}
		has := make(map[string]bool)
		for _, n := range inv.Nodes {
			if firstRole(n) != role {
				continue
			}
			node := Node{Name: shown(n.Name), Internal: shown(n.Internal), Address: shown(n.Address), Gateway: shown(n.Gateway)}
			for _, r := range chain {
				if n.Has(r) {
					node.Roles = append(node.Roles, r)
					has[r] = true
				}
			}
			layer.Nodes = append(layer.Nodes, node)
		}
		for _, r := range chain {
			if has[r] {
				layer.Ports = append(layer.Ports, strings.Split(ports[r], "\n")...)
			}
		}
		if len(layer.Nodes) > 0 {
			t.Layers = append(t.Layers, layer)
		}
	}
}

// firstRole is the role in which traffic meets a node first.
func firstRole(n *inventory.Node) string {
	return chain[slices.IndexFunc(chain, func(role string) bool { return n.Has(role) || role == inventory.Worker })]
}

func (t *Topology) gateways(inv *inventory.Inventory) {
	list := inv.Root.Get("gateway_nodes")
	if list == nil {
		return
	}
	for _, item := range list.Items {
		g := Gateway{Name: shown(item.Get("name").Str()), Address: shown(item.Get("address").Str())}
		for _, n := range inv.Nodes {
			if n.Gateway == item.Get("name").Str() {
				g.Nodes = append(g.Nodes, shown(n.Name))
			}
		}
		t.Gateways = append(t.Gateways, g)
	}
}

func summary(inv *inventory.Inventory) string {
	parts := []string{}
	for _, c := range []struct {
		n    int
		what string
	}{
		{len(inv.Group(inventory.Balancer)), "balancer"}, {len(inv.Group(inventory.ControlPlane)), "control plane"},
		{len(inv.Group(inventory.Worker)), "worker"}, {len(inv.VRRP), "VRRP address"}, {len(inv.Gateways), "gateway"},
	} {
		if c.n > 0 {
			parts = append(parts, counted(c.n, c.what))
		}
	}
	return counted(len(inv.Nodes), "node") + ": " + strings.Join(parts, ", ")
}

func counted(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "s"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// shown is a text without what would break a line, a terminal or a drawing.
func shown(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
