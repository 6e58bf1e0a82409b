package graph

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// WriteSVG writes the topology as a drawing.
func (t *Topology) WriteSVG(w io.Writer) error {
	d := t.lay()
	p := &printer{}
	p.f("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"title desc\">\n", d.w, d.h, d.w, d.h)
	p.f("<title id=\"title\">Topology of %s</title>\n<desc id=\"desc\">%s</desc>\n", escape(t.Cluster), escape(t.describe()))
	p.f("<style>\n%s</style>\n<defs>\n", style())
	for _, class := range []string{"way", "ssh"} {
		p.f("<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path class=\"tip-%s\" d=\"M0 0L8 4L0 8z\"/></marker>\n", class, class)
	}
	p.f("</defs>\n<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", d.w, d.h)
	for _, l := range d.heading {
		p.label(l)
	}
	for _, m := range d.legend {
		p.rect(m.kind, m.rect, 2)
		p.label(m.label)
	}
	for _, panel := range d.panels {
		p.panel(panel)
	}
	if d.side != nil {
		p.panel(*d.side)
	}
	for _, r := range d.routes {
		p.route(r)
	}
	p.f("</svg>\n")
	_, err := io.WriteString(w, p.String())
	return err
}

// describe is the drawing in words, for those who cannot see it.
func (t *Topology) describe() string {
	parts := []string{t.Summary + "."}
	for _, e := range t.Endpoints {
		parts = append(parts, "From "+e.Who+" the Kubernetes API is at "+e.Address+".")
	}
	for _, v := range t.Virtual {
		parts = append(parts, "VRRP address "+v.IP+" is carried by "+v.carriers()+".")
	}
	for _, l := range t.Layers {
		names := make([]string, len(l.Nodes))
		for i, n := range l.Nodes {
			names[i] = n.Name
		}
		parts = append(parts, titles[l.Role]+": "+strings.Join(names, ", ")+".")
	}
	for _, g := range t.Gateways {
		parts = append(parts, "Behind gateway "+g.Name+": "+strings.Join(g.Nodes, ", ")+".")
	}
	return strings.Join(parts, " ")
}

// printer writes elements.
type printer struct{ strings.Builder }

func (p *printer) f(format string, args ...any) { fmt.Fprintf(p, format, args...) }

func (p *printer) rect(class string, r rect, round int) {
	p.f("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\"/>\n", class, r.x, r.y, r.w, r.h, round)
}

func (p *printer) label(l label) {
	p.f("<text class=\"%s\" x=\"%d\" y=\"%d\" font-size=\"%d\">%s</text>\n", l.class, l.x, l.y, l.size, escape(l.text))
}

func (p *printer) panel(panel panel) {
	p.rect("panel", panel.rect, 8)
	for _, l := range panel.labels {
		p.label(l)
	}
	for _, g := range panel.groups {
		if g.framed {
			p.rect("frame", g.rect, 6)
		}
		for _, l := range g.labels {
			p.label(l)
		}
		for _, c := range g.cards {
			p.card(c)
		}
	}
}

func (p *printer) card(c card) {
	p.f("<g>\n<title>%s</title>\n", escape(c.tip))
	p.rect("box", c.rect, 5)
	for i, kind := range c.kinds {
		p.rect(kind, rect{c.x + pad/2 + i*stripe - 1, c.y + pad/2, 3, c.h - pad}, 1)
	}
	for _, l := range c.labels() {
		p.label(l)
	}
	p.f("</g>\n")
}

// labels is the lines of a card with their places, in the middle of its height.
func (c card) labels() []label {
	_, h := c.size()
	y := c.y + pad/2 + (c.h-h)/2
	labels := make([]label, len(c.lines))
	for i, w := range c.lines {
		labels[i] = label{w, c.x + c.left(), y + w.size}
		y += w.height()
	}
	return labels
}

func (p *printer) route(r route) {
	p.f("<path class=\"%s\" d=\"M%d %d", r.class, r.points[0][0], r.points[0][1])
	for _, point := range r.points[1:] {
		p.f("L%d %d", point[0], point[1])
	}
	p.f("\" marker-end=\"url(#%s)\"/>\n", r.class)
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // into memory
	return b.String()
}
