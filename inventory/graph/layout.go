package graph

import "strings"

// drawing is everything with its place.
type drawing struct {
	rect
	heading []label
	legend  []mark
	panels  []panel
	side    *panel // of the gateways; nil: there are none
	routes  []route
}

// panel is one layer: its title at the left, groups of boxes at the right.
type panel struct {
	rect
	role   string // of a layer of nodes
	labels []label
	groups []group
}

// group is the boxes of a panel that are reached in the same way.
type group struct {
	rect
	gateway int // its number; -1: none
	framed  bool
	labels  []label
	cards   []card
}

// card is a face with a place.
type card struct {
	rect
	face
}

// label is a text with a place: x is where it begins, y its base line.
type label struct {
	words
	x, y int
}

// mark is an entry of the legend.
type mark struct {
	rect
	kind string
	label
}

// route is a line along points.
type route struct {
	class  string
	points [][2]int
}

// draft is a panel before it has a place.
type draft struct {
	role, title string
	notes       []string
	groups      []draftGroup
}

type draftGroup struct {
	title   string
	gateway int
	gap     int // between its boxes
	faces   []face
}

// lay gives everything its place.
func (t *Topology) lay() *drawing {
	drafts := t.drafts()
	content := leastWidth
	for _, d := range drafts {
		for _, g := range d.groups {
			w, _ := largest(g.faces)
			content = max(content, min(mostWidth, len(g.faces)*(w+g.gap)-g.gap+2*pad))
		}
	}
	d := new(drawing)
	width := titleWidth + content + 2*pad
	y := d.head(t, margin+bypass+width)
	for _, draft := range drafts {
		p := draft.place(margin+bypass, y, width)
		d.panels = append(d.panels, p)
		y = p.bottom() + layerGap
	}
	d.w, d.h = margin+bypass+width+margin, y-layerGap+margin
	if len(t.Gateways) > 0 {
		d.placeGateways(t)
	}
	d.connect(t)
	return d
}

func (t *Topology) drafts() []draft {
	drafts := []draft{{title: "Clients", notes: []string{"Kubernetes API"}, groups: []draftGroup{{gateway: -1, gap: gap, faces: t.endpointFaces()}}}}
	if len(t.Virtual) > 0 {
		drafts = append(drafts, draft{title: "VRRP addresses", notes: []string{"move between", "balancers"}, groups: []draftGroup{{gateway: -1, gap: gap, faces: t.virtualFaces()}}})
	}
	for _, layer := range t.Layers {
		notes := layer.Ports
		if len(layer.Nodes) > 1 {
			notes = append([]string{counted(len(layer.Nodes), "node")}, notes...)
		}
		drafts = append(drafts, draft{role: layer.Role, title: titles[layer.Role], notes: notes, groups: t.byGateway(layer)})
	}
	return drafts
}

// byGateway groups the nodes of a layer: first those behind gateways, in order.
func (t *Topology) byGateway(layer Layer) []draftGroup {
	faces, space := layer.faces(), gap
	if layer.many() {
		space = tightGap
	}
	if len(t.Gateways) == 0 {
		return []draftGroup{{gateway: -1, gap: space, faces: faces}}
	}
	groups := make([]draftGroup, len(t.Gateways)+1)
	place := map[string]int{"": len(t.Gateways)}
	for i, g := range t.Gateways {
		groups[i] = draftGroup{title: "via " + clip(g.Name, labelLimit), gateway: i, gap: space}
		place[g.Name] = i
	}
	groups[len(t.Gateways)] = draftGroup{title: "direct", gateway: -1, gap: space}
	for i, n := range layer.Nodes {
		g := &groups[place[n.Gateway]]
		g.faces = append(g.faces, faces[i])
	}
	some := groups[:0]
	for _, g := range groups {
		if len(g.faces) > 0 {
			some = append(some, g)
		}
	}
	return some
}

// head places heading and legend, and says where the layers begin.
func (d *drawing) head(t *Topology, right int) int {
	x, y := margin+bypass, margin+headSize
	limit := (right - x) * 100 / (headSize * 62)
	d.heading = []label{
		{words{clip(t.Cluster, limit), "head", headSize}, x, y},
		{words{clip(t.Summary, limit*headSize/nameSize), "line", nameSize}, x, y + 24},
	}
	y += 40
	for _, role := range chain {
		w := words{strings.ReplaceAll(role, "-", " "), "line", lineSize}
		d.legend = append(d.legend, mark{rect{x, y, 4, 12}, role, label{w, x + 9, y + 10}})
		x += 9 + textWidth(w.text, w.size) + 2*gap
	}
	return y + 12 + 20
}
