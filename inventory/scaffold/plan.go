package scaffold

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"stoa/inventory"
)

// Example addresses; the outer ones are reserved for documentation.
const (
	exampleVRRP     = "192.168.10.10"
	exampleFloating = "203.0.113.10"
	exampleGateway  = "203.0.113.1"
	exampleOuter    = "203.0.113.11"
)

// cluster is what the template shows.
type cluster struct {
	Name, Summary          string
	Groups                 []group
	User, Keyfile          string
	Gateway                *gateway
	VRRP, Floating         string
	External, ExternalNote string
	Kubernetes             string
	Versions               string
	Examples               bool // some addresses are
	IPv6                   bool
}

type group struct {
	About string
	Nodes []Node
}

// gateway is the one machine that SSH goes through.
type gateway struct{ Name, Address, User string }

// plan fills in defaults and checks.
func plan(o Options) (*cluster, error) {
	shape := cmp.Or(o.Shape, Shapes[0])
	var faults []error
	note := func(err error) {
		if err != nil {
			faults = append(faults, err)
		}
	}
	if err := oneOf("shape", Shapes)(shape); err != nil {
		return nil, err
	}
	versions := inventory.Versions()
	c := &cluster{
		Name: cmp.Or(o.Name, "k8s.example.com"), User: cmp.Or(o.User, "root"),
		Keyfile:    cmp.Or(o.Keyfile, "{{ env.HOME }}/.ssh/id_ed25519"),
		Kubernetes: cmp.Or(o.Kubernetes, DefaultKubernetes), Versions: listing(versions, ", "),
	}
	note(oneOf("Kubernetes version", versions)(c.Kubernetes))
	note(checkName(c.Name))
	if shape == "gateway" && o.Gateway == "" {
		o.Gateway, c.Examples = exampleGateway, true
	}
	if o.Gateway != "" {
		g, err := parseGateway(o.Gateway, c.User)
		note(err)
		c.Gateway = g
	}
	nodes, err := planNodes(o, shape)
	if err != nil {
		return nil, errors.Join(append(faults, err)...)
	}
	c.Examples = c.Examples || len(o.Nodes) == 0
	note(c.endpoints(o, shape, nodes))
	note(checkNodes(nodes, c.VRRP))
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	c.IPv6 = strings.Contains(nodes[0].Internal, ":")
	c.Groups, c.Summary = grouped(nodes)
	return c, nil
}

func checkName(name string) error {
	if _, err := netip.ParseAddr(name); err == nil || !nodeName.MatchString(name) {
		return fmt.Errorf("cluster name %q: want a full domain name, as k8s.example.com", name)
	}
	return nil
}

func checkVRRP(text string) error {
	if _, err := netip.ParseAddr(text); err != nil {
		return fmt.Errorf("VRRP address %q is not an IP address", text)
	}
	return nil
}

func parseGateway(text, user string) (*gateway, error) {
	if u, address, ok := strings.Cut(text, "@"); ok {
		user, text = u, address
	}
	_, err := netip.ParseAddr(text)
	if user == "" || err != nil && !nodeName.MatchString(strings.ToLower(text)) {
		return nil, fmt.Errorf("gateway %q: want [USER@]ADDRESS, an IP address or a host name", text)
	}
	return &gateway{Name: "gateway-1", Address: text, User: user}, nil
}

// endpoints finds where the API is reached: the rules would warn of an address
// that is only known inside.
func (c *cluster) endpoints(o Options, shape string, nodes []Node) error {
	balancers := slices.ContainsFunc(nodes, func(n Node) bool { return n.has(inventory.Balancer) })
	c.VRRP = o.VRRP
	if c.VRRP == "" && shape == "ha" && len(o.Nodes) == 0 && balancers {
		c.VRRP, c.Floating = exampleVRRP, exampleFloating
	}
	if c.VRRP != "" {
		if err := checkVRRP(c.VRRP); err != nil {
			return err
		}
		if !balancers {
			return fmt.Errorf("VRRP address %s needs a balancer to carry it", c.VRRP)
		}
	}
	switch {
	case c.Gateway != nil:
		c.External, c.ExternalNote = c.Gateway.Address, "The gateway has to forward ports 80, 443 and 6443 of this address to the cluster."
	case c.Floating != "" || slices.ContainsFunc(nodes, func(n Node) bool { return n.Outer != "" }):
	default:
		c.External, c.ExternalNote = cmp.Or(c.VRRP, entrance(nodes)), "Put another address here if the cluster has one outside, as behind NAT."
	}
	return nil
}

// entrance is the node whose address the API has, without a VRRP address.
func entrance(nodes []Node) string {
	for _, role := range []string{inventory.Balancer, inventory.ControlPlane} {
		for _, n := range nodes {
			if n.has(role) {
				return n.Internal
			}
		}
	}
	return ""
}
