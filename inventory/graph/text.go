package graph

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteText writes the topology for terminals and for grep: the layers from top
// to bottom, one line per node.
func (t *Topology) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", t.Cluster, t.Summary)
	section(&b, "Clients", t.endpointRows())
	if len(t.Virtual) > 0 {
		b.WriteString("    ↓")
		section(&b, "VRRP addresses", t.virtualRows())
	}
	for _, layer := range t.Layers {
		b.WriteString("    ↓")
		title := titles[layer.Role]
		if len(layer.Nodes) > 1 {
			title += fmt.Sprintf(" (%d)", len(layer.Nodes))
		}
		section(&b, title+", "+strings.Join(layer.Ports, ", "), layer.rows())
	}
	if len(t.Gateways) > 0 {
		section(&b, "Gateways, SSH only", t.gatewayRows())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// section writes rows of cells in columns.
func section(b *strings.Builder, title string, rows [][]string) {
	fmt.Fprintf(b, "\n%s\n", title)
	var table strings.Builder
	columns := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(columns, "    %s\n", strings.Join(row, "\t"))
	}
	_ = columns.Flush() // into memory
	for line := range strings.Lines(table.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

func (t *Topology) endpointRows() (rows [][]string) {
	for _, e := range t.Endpoints {
		rows = append(rows, []string{e.Who, e.Address})
	}
	return rows
}

func (t *Topology) virtualRows() (rows [][]string) {
	for _, v := range t.Virtual {
		rows = append(rows, []string{v.IP, orDash(v.Floating), "router " + v.Router, "→ " + v.carriers() + v.maintenance()})
	}
	return rows
}

// carriers is who may carry an address, with priorities.
func (v Virtual) carriers() string {
	if len(v.Hosts) == 0 {
		return "nobody"
	}
	parts := make([]string, len(v.Hosts))
	for i, h := range v.Hosts {
		parts[i] = fmt.Sprintf("%s (%d)", h.Name, h.Priority)
	}
	return strings.Join(parts, ", ")
}

func (v Virtual) maintenance() string {
	if v.NotBind {
		return ", not bound in maintenance"
	}
	return ""
}

func (l Layer) rows() (rows [][]string) {
	address := slices.ContainsFunc(l.Nodes, func(n Node) bool { return n.Address != "" })
	for _, n := range l.Nodes {
		row := []string{n.Name, n.Internal}
		if address {
			row = append(row, orDash(n.Address))
		}
		row = append(row, strings.Join(n.Roles, ", "))
		if n.Gateway != "" {
			row = append(row, "via "+n.Gateway)
		}
		rows = append(rows, row)
	}
	return rows
}

func (t *Topology) gatewayRows() (rows [][]string) {
	for _, g := range t.Gateways {
		behind := "→ no node"
		if len(g.Nodes) > 0 {
			behind = "→ " + strings.Join(g.Nodes, ", ")
		}
		rows = append(rows, []string{g.Name, g.Address, behind})
	}
	return rows
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
