package graph

import (
	"fmt"
	"slices"
	"strings"
)

// face is what a box shows, before it has a place.
type face struct {
	id    string   // what lines lead to
	kinds []string // one stripe each
	lines []words
	tip   string // the whole truth, where a line was clipped
}

// words is one line of text.
type words struct {
	text, class string
	size        int
}

func (w words) height() int { return w.size + w.size/3 + 1 }

// size is how much room a face needs.
func (f face) size() (w, h int) {
	for _, line := range f.lines {
		w = max(w, textWidth(line.text, line.size))
		h += line.height()
	}
	inset := pad / 2
	return w + f.left() + inset + 2, h + 2*inset
}

// left is where the texts of a face begin.
func (f face) left() int { return pad/2 + len(f.kinds)*stripe + 3 }

func name(text string) words    { return words{text, "name", nameSize} }
func line(text string) words    { return words{text, "line", lineSize} }
func fine(text string) words    { return words{text, "line", smallSize} }
func (n Node) roles() string    { return strings.Join(n.Roles, " · ") }
func (n Node) combined() bool   { return len(n.Roles) > 1 }
func (l Layer) many() bool      { return len(l.Nodes) > manyNodes }
func (t *Topology) tight() bool { return len(t.Virtual) > manyNodes }

// mostHosts is how many carriers of an address its box names.
const mostHosts = 4

func (t *Topology) endpointFaces() (faces []face) {
	for _, e := range t.Endpoints {
		faces = append(faces, face{
			kinds: []string{"client"}, tip: e.Who + ": " + e.Address,
			lines: []words{name("from " + e.Who), line(clip(e.Address, addressLimit))},
		})
	}
	return faces
}

func (t *Topology) virtualFaces() (faces []face) {
	for _, v := range t.Virtual {
		f := face{id: "vrrp " + v.IP, kinds: []string{"vrrp"}, tip: fmt.Sprintf("VRRP address %s, router %s: %s%s", v.IP, v.Router, v.carriers(), v.maintenance())}
		if t.tight() {
			f.lines = []words{{clip(v.IP, smallAddress), "name", lineSize}, fine("router " + clip(v.Router, smallLimit))}
			faces = append(faces, f)
			continue
		}
		f.lines = []words{name(clip(v.IP, addressLimit))}
		if v.Floating != "" {
			f.tip += ", outside " + v.Floating
			f.lines = append(f.lines, line("outside "+clip(v.Floating, addressLimit)))
		}
		f.lines = append(f.lines, line("router "+clip(v.Router, labelLimit)))
		for i, h := range v.Hosts {
			if i == mostHosts && len(v.Hosts) > mostHosts+1 {
				f.lines = append(f.lines, line(fmt.Sprintf("and %d more", len(v.Hosts)-i)))
				break
			}
			f.lines = append(f.lines, line(fmt.Sprintf("on %s (%d)", clip(h.Name, labelLimit-8), h.Priority)))
		}
		if v.NotBind {
			f.lines = append(f.lines, line("not bound in maintenance"))
		}
		faces = append(faces, f)
	}
	return faces
}

func (l Layer) faces() (faces []face) {
	names := make([]string, len(l.Nodes))
	for i, n := range l.Nodes {
		names[i] = n.Name
	}
	shared, roles := domain(names), slices.ContainsFunc(l.Nodes, Node.combined)
	for _, n := range l.Nodes {
		f := face{id: "node " + n.Name, kinds: n.Roles, tip: n.tip()}
		if l.many() {
			f.lines = []words{{clip(strings.TrimSuffix(n.Name, shared), smallLimit), "name", lineSize}, fine(clip(n.Internal, smallAddress))}
			if n.Address != "" {
				f.lines = append(f.lines, fine(clip(n.Address, smallAddress)))
			}
			if roles {
				f.lines = append(f.lines, fine(initials(n.Roles)))
			}
		} else {
			f.lines = []words{name(clip(n.Name, labelLimit)), line(clip(n.Internal, addressLimit))}
			if n.Address != "" {
				f.lines = append(f.lines, line("outside "+clip(n.Address, addressLimit)))
			}
			f.lines = append(f.lines, line(n.roles()))
		}
		faces = append(faces, f)
	}
	return faces
}

func (n Node) tip() string {
	tip := fmt.Sprintf("%s (%s): %s", n.Name, strings.Join(n.Roles, ", "), n.Internal)
	if n.Address != "" {
		tip += ", outside " + n.Address
	}
	if n.Gateway != "" {
		tip += ", via " + n.Gateway
	}
	return tip
}

// initials is roles where there is little room.
func initials(roles []string) string {
	short := map[string]string{"balancer": "lb", "control-plane": "cp", "worker": "wk"}
	parts := make([]string, len(roles))
	for i, role := range roles {
		parts[i] = short[role]
	}
	return strings.Join(parts, " · ")
}

func (t *Topology) gatewayFaces() (faces []face) {
	for _, g := range t.Gateways {
		faces = append(faces, face{
			kinds: []string{"gateway"}, tip: g.Name + ": " + g.Address,
			lines: []words{name(clip(g.Name, labelLimit)), line(clip(g.Address, addressLimit)), line(counted(len(g.Nodes), "node"))},
		})
	}
	return faces
}
