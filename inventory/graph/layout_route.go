package graph

import "stoa/inventory"

// mostEdges is how many lines between addresses and balancers still tell something.
const mostEdges = 24

// connect draws the ways of traffic from layer to layer, and of SSH.
func (d *drawing) connect(t *Topology) {
	for i := 1; i < len(d.panels); i++ {
		from, to := &d.panels[i-1], &d.panels[i]
		if t.addressed(from, to) {
			d.carry(t, from, to)
			continue
		}
		x := d.panels[0].x + titleWidth + (d.panels[0].w-titleWidth)/2
		d.routes = append(d.routes, route{"way", [][2]int{{x, from.bottom()}, {x, to.y - 2}}})
	}
	d.passBy()
	if d.side != nil {
		d.jump()
	}
}

// addressed tells that these are VRRP addresses over balancers, both in one row,
// so that a line from each to each crosses nothing.
func (t *Topology) addressed(from, to *panel) bool {
	edges := 0
	for _, v := range t.Virtual {
		edges += len(v.Hosts)
	}
	return edges > 0 && edges <= mostEdges && from.role == "" && to.role == inventory.Balancer && oneRow(from) && oneRow(to)
}

func oneRow(p *panel) bool {
	if len(p.groups) != 1 || p.groups[0].framed {
		return false
	}
	cards := p.groups[0].cards
	return cards[0].y == cards[len(cards)-1].y
}

// carry draws which balancers may carry which address.
func (d *drawing) carry(t *Topology, from, to *panel) {
	boxes := make(map[string]rect)
	for _, c := range to.groups[0].cards {
		boxes[c.id] = c.rect
	}
	for i, v := range t.Virtual {
		start := from.groups[0].cards[i]
		for _, h := range v.Hosts {
			if end, ok := boxes["node "+h.Name]; ok {
				d.routes = append(d.routes, route{"way", [][2]int{{start.middle(), start.bottom()}, {end.middle(), end.y - 2}}})
			}
		}
	}
}

// passBy draws the way of web traffic from balancers to workers, around the
// control planes.
func (d *drawing) passBy() {
	last := len(d.panels) - 1
	if last < 2 || d.panels[last-2].role != inventory.Balancer {
		return
	}
	from, to := d.panels[last-2], d.panels[last]
	x, start, end := from.x-bypass/2-2, from.y+from.h/2, to.y+to.h/2
	if to.h > 2*pad+80 { // a tall layer: meet it near its title
		end = to.y + pad + titleSize
	}
	d.routes = append(d.routes, route{"way", [][2]int{{from.x, start}, {x, start}, {x, end}, {to.x - 2, end}}})
}

// jump draws the ways of SSH: each gateway has a line of its own down the side,
// with a branch to each group behind it.
func (d *drawing) jump() {
	cards := d.side.groups[0].cards
	if len(cards) > mostBuses {
		return
	}
	for i, c := range cards {
		bus, y := d.side.x-gap-(len(cards)-1-i)*10, c.y+c.h/2
		for _, p := range d.panels {
			for _, g := range p.groups {
				if g.gateway == i {
					end := g.y + 12 + i%4*2
					d.routes = append(d.routes, route{"ssh", [][2]int{{c.x, y}, {bus, y}, {bus, end}, {g.right() + 2, end}}})
				}
			}
		}
	}
}
