package scaffold

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"stoa/inventory"
)

// Shapes is the kinds of cluster that can be written, the smallest first.
var Shapes = []string{"single", "ha", "gateway"}

// Options is what a document is written for. What is left out has a default.
type Options struct {
	Shape         string
	Name          string // of the cluster
	Balancers     *int
	ControlPlanes *int
	Workers       *int
	Nodes         []Node // instead of the three counts
	VRRP          string // address
	Gateway       string // [USER@]ADDRESS
	User          string
	Keyfile       string
	Kubernetes    string // version
}

// Node is one machine.
type Node struct {
	Name     string
	Internal string
	Outer    string
	Roles    []string
}

var roles = []string{inventory.Balancer, inventory.ControlPlane, inventory.Worker}

var nodeName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`)

// ParseNode reads NAME=ADDRESS:ROLE,ROLE. An IPv6 address stands in brackets.
func ParseNode(text string) (Node, error) {
	name, rest, ok := strings.Cut(text, "=")
	colon := strings.LastIndexByte(rest, ':')
	if !ok || colon < 0 {
		return Node{}, fmt.Errorf("node %q: want NAME=ADDRESS:ROLE,ROLE, as cp-1=192.168.10.21:control-plane,worker", text)
	}
	if !nodeName.MatchString(name) {
		return Node{}, fmt.Errorf("node %q: a name has a-z, 0-9, - and ., at most 63 characters, and begins and ends with a letter or a digit", name)
	}
	ip, err := netip.ParseAddr(strings.Trim(rest[:colon], "[]"))
	if err != nil {
		return Node{}, fmt.Errorf("node %s: %q is not an IP address", name, rest[:colon])
	}
	n := Node{Name: name, Internal: ip.String()}
	for role := range strings.SplitSeq(rest[colon+1:], ",") {
		if !slices.Contains(roles, role) || slices.Contains(n.Roles, role) {
			return Node{}, fmt.Errorf("node %s: roles %q: want some of %s, each once", name, rest[colon+1:], listing(roles, ", "))
		}
		n.Roles = append(n.Roles, role)
	}
	return n, nil
}

func (n Node) has(role string) bool { return slices.Contains(n.Roles, role) }

func listing(words []string, separator string) string { return strings.Join(words, separator) }
