package graph

// place gives a panel and all in it their places.
func (d draft) place(x, y, width int) panel {
	p := panel{rect: rect{x, y, width, 0}, role: d.role}
	base := y + pad + titleSize
	p.labels = append(p.labels, label{words{d.title, "title", titleSize}, x + pad, base})
	for _, note := range d.notes {
		base += lineSize + 5
		p.labels = append(p.labels, label{words{clip(note, 17), "line", lineSize}, x + pad, base})
	}
	left, top := x+titleWidth+pad, y+pad
	inner := width - titleWidth - 2*pad
	for _, g := range d.groups {
		placed := g.place(left, top, inner)
		p.groups = append(p.groups, placed)
		top = placed.bottom() + gap
	}
	p.h = max(base+pad, top-gap+pad) - y
	return p
}

// place puts faces into a grid of boxes of one size, centred.
func (g draftGroup) place(x, y, width int) group {
	placed := group{rect: rect{x, y, width, 0}, gateway: g.gateway, framed: g.title != ""}
	top, inner := y, rect{x: x, w: width}
	if placed.framed {
		placed.labels = append(placed.labels, label{words{g.title, "line", lineSize}, x + gap, y + 16})
		top, inner = y+24, rect{x: x + gap, w: width - 2*gap}
	}
	w, h := largest(g.faces)
	columns := min(max(1, (inner.w+g.gap)/(w+g.gap)), max(1, len(g.faces)))
	left := inner.x + (inner.w-columns*(w+g.gap)+g.gap)/2
	for i, f := range g.faces {
		at := rect{left + i%columns*(w+g.gap), top + i/columns*(h+g.gap), w, h}
		placed.cards = append(placed.cards, card{at, f})
	}
	rows := (len(g.faces) + columns - 1) / columns
	placed.h = top - y + max(0, rows*(h+g.gap)-g.gap)
	if placed.framed {
		placed.h += gap
	}
	return placed
}

func largest(faces []face) (w, h int) {
	for _, f := range faces {
		fw, fh := f.size()
		w, h = max(w, fw), max(h, fh)
	}
	return w, h
}

// mostBuses is how many gateways have lines to their nodes; of more, the titles
// of the groups have to do.
const mostBuses = 12

// placeGateways puts the gateways at the right side, beside the first layer of
// nodes.
func (d *drawing) placeGateways(t *Topology) {
	faces := t.gatewayFaces()
	w, h := largest(faces)
	x := d.panels[0].right() + 2*gap + min(len(faces), mostBuses)*10
	y := d.panels[0].y
	for _, p := range d.panels {
		if p.role != "" {
			y = p.y
			break
		}
	}
	side := &panel{rect: rect{x, y, max(w, textWidth("SSH goes through them", lineSize)) + 2*pad, 0}}
	top := y + pad + titleSize
	side.labels = []label{{words{"Gateways", "title", titleSize}, x + pad, top}, {words{"SSH goes through them", "line", lineSize}, x + pad, top + lineSize + 5}}
	g := group{rect: rect{x + pad, top + 2*lineSize + 8, side.w - 2*pad, 0}, gateway: -1}
	for i, f := range faces {
		g.cards = append(g.cards, card{rect{g.x, g.y + i*(h+gap), g.w, h}, f})
	}
	g.h = len(faces)*(h+gap) - gap
	side.groups = []group{g}
	side.h = g.bottom() + pad - y
	d.side = side
	d.w, d.h = side.right()+margin, max(d.h, side.bottom()+margin)
}
