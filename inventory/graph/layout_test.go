package graph

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"stoa/inventory"
)

// synthetic is a topology of n nodes of each role behind some gateways.
func synthetic(n, gateways, virtual int, name string) *Topology {
	t := &Topology{Cluster: strings.Repeat("long.", 60), Summary: strings.Repeat("many ", 40), Endpoints: []Endpoint{{"outside", "[fd00:1234:5678:9abc:def0:1234:5678:9abc]:6443"}}}
	for g := range gateways {
		t.Gateways = append(t.Gateways, Gateway{Name: fmt.Sprintf("gateway-%d", g), Address: "bastion.of.a.very.long.domain.name.example.com"})
	}
	for _, role := range chain {
		l := Layer{Role: role, Ports: []string{"HTTP: 20080", "HTTPS: 20443", "API: 6443"}}
		for i := range n {
			node := Node{Name: fmt.Sprintf("%s-%s-%d", name, role, i), Internal: fmt.Sprintf("fd00:1234:5678:9abc:def0:1234:5678:%x", i), Roles: chain[slices.Index(chain, role):]}
			if i%3 > 0 {
				node.Address = "2001:db8:1234:5678:9abc:def0:1234:5678"
			}
			if gateways > 0 && i%4 > 0 {
				node.Gateway = t.Gateways[i%gateways].Name
			}
			l.Nodes = append(l.Nodes, node)
		}
		t.Layers = append(t.Layers, l)
	}
	for i := range virtual {
		v := Virtual{IP: fmt.Sprintf("10.0.0.%d", i), Floating: "203.0.113.1", Router: "5", NotBind: i%2 == 0}
		for _, node := range t.Layers[0].Nodes {
			v.Hosts = append(v.Hosts, Host{node.Name, 254})
		}
		t.Virtual = append(t.Virtual, v)
	}
	return t
}

// TestNothingOverlaps computes all boxes: those beside each other are apart, each
// lies within the one around it, and every text fits into its box.
func TestNothingOverlaps(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, manyNodes, manyNodes + 1, 67, 200} {
		for _, gateways := range []int{0, 1, 3, 20} {
			for _, virtual := range []int{0, 1, 4, 30} {
				for _, name := range []string{"n", "節点", strings.Repeat("very-long-name-", 8)} {
					t.Run(fmt.Sprint(n, gateways, virtual, len(name)), func(t *testing.T) { apart(t, synthetic(n, gateways, virtual, name).lay()) })
				}
			}
		}
	}
}

func apart(t *testing.T, d *drawing) {
	panels := slices.Clone(d.panels)
	if d.side != nil {
		panels = append(panels, *d.side)
	}
	var outer []rect
	for _, p := range panels {
		outer = append(outer, p.rect)
		column := rect{p.x, p.y, titleWidth, p.h}
		if d.side != nil && p.x == d.side.x {
			column.w = p.w
		}
		texts(t, column, p.labels)
		var groups []rect
		for _, g := range p.groups {
			groups = append(groups, g.rect)
			texts(t, g.rect, g.labels)
			var cards []rect
			for _, c := range g.cards {
				cards = append(cards, c.rect)
				texts(t, c.rect, c.labels())
			}
			for _, l := range g.labels {
				cards = append(cards, rect{l.x, l.y - l.size, textWidth(l.text, l.size), l.size + 3})
			}
			disjoint(t, g.rect, cards)
		}
		disjoint(t, p.rect, groups)
	}
	for _, l := range d.heading {
		outer = append(outer, rect{l.x, l.y - l.size, textWidth(l.text, l.size), l.size})
	}
	for _, m := range d.legend {
		outer = append(outer, m.rect, rect{m.label.x, m.label.y - m.size, textWidth(m.text, m.size), m.size})
	}
	disjoint(t, d.rect, outer)
}

func disjoint(t *testing.T, around rect, boxes []rect) {
	t.Helper()
	for i, a := range boxes {
		if a.x < around.x || a.y < around.y || a.right() > around.right() || a.bottom() > around.bottom() {
			t.Fatalf("%v is not within %v", a, around)
		}
		for _, b := range boxes[:i] {
			if a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom() {
				t.Fatalf("%v and %v overlap", a, b)
			}
		}
	}
}

// texts tells that labels fit into a box and do not run into each other.
func texts(t *testing.T, around rect, labels []label) {
	t.Helper()
	var boxes []rect
	for _, l := range labels {
		boxes = append(boxes, rect{l.x, l.y - l.size, textWidth(l.text, l.size), l.size + l.size/4})
	}
	disjoint(t, around, boxes)
}

func TestShortLabelsTellNodesApart(t *testing.T) {
	l := synthetic(200, 0, 0, "a-long-common-name-of-all-nodes").Layers[2]
	for i := range l.Nodes {
		l.Nodes[i].Name += ".rack.example.com"
	}
	seen := make(map[string]bool)
	for _, f := range l.faces() {
		if seen[f.lines[0].text] {
			t.Errorf("label %q twice", f.lines[0].text)
		}
		seen[f.lines[0].text] = true
	}
}

func TestContrast(t *testing.T) {
	for name, p := range map[string]palette{"light": light, "dark": dark} {
		for _, ground := range []string{p.paper, p.panel, p.box} {
			for _, ink := range []string{p.text, p.quiet} {
				if got := contrast(ink, ground); got < 4.5 {
					t.Errorf("%s: text %s on %s has contrast %.1f, want 4.5", name, ink, ground, got)
				}
			}
			for _, ink := range []string{p.way, p.ssh, p.kinds[inventory.Balancer], p.kinds[inventory.ControlPlane], p.kinds[inventory.Worker], p.kinds["vrrp"]} {
				if got := contrast(ink, ground); got < 3 {
					t.Errorf("%s: line %s on %s has contrast %.1f, want 3", name, ink, ground, got)
				}
			}
		}
	}
}

// contrast is the ratio that WCAG defines.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(colour string) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
