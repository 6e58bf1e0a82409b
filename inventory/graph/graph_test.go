package graph_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/internal/goldentest"
	"stoa/inventory"
	"stoa/inventory/graph"
)

// topology resolves a document.
func topology(t *testing.T, name string, text []byte) *graph.Topology {
	t.Helper()
	doc, faults := inventory.Load(name, text)
	if doc == nil {
		t.Fatal(faults)
	}
	inv, faults := inventory.Resolve(t.Context(), doc, inventory.Options{NoFiles: true})
	if inv == nil {
		t.Fatal(faults)
	}
	return graph.New(inv)
}

func read(t *testing.T, name string) *graph.Topology {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", name, "cluster.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return topology(t, name+".yaml", text)
}

// large is a cluster of 200 nodes, half of the workers behind each of two gateways.
func large() []byte {
	var b strings.Builder
	b.WriteString("cluster_name: big.example.com\nnode_defaults: {keyfile: k}\nvrrp_ips: [{ip: 10.0.0.100, floating_ip: 203.0.113.7}, 10.0.0.101]\n")
	b.WriteString("gateway_nodes:\n  - {name: north, address: 198.51.100.1, username: ops, keyfile: k}\n  - {name: south, address: 198.51.100.2, username: ops, keyfile: k}\nnodes:\n")
	for i := range 200 {
		name, role, gateway := fmt.Sprintf("worker-%03d.rack-%02d.big.example.com", i-4, i/20), "worker", ", gateway: north"
		switch {
		case i < 2:
			name, role, gateway = fmt.Sprintf("lb-%d", i+1), "balancer", ""
		case i < 5:
			name, role = fmt.Sprintf("cp-%d", i-1), "control-plane"
		case i >= 100:
			gateway = ", gateway: south"
		}
		fmt.Fprintf(&b, "  - {name: %s, internal_address: 10.0.%d.%d, roles: [%s]%s}\n", name, 1+i/250, 1+i%250, role, gateway)
	}
	return []byte(b.String())
}

func TestGolden(t *testing.T) {
	cases := map[string]*graph.Topology{"large": topology(t, "large.yaml", large())}
	for _, name := range []string{"single", "ha", "gateways"} {
		cases[name] = read(t, name)
	}
	for name, topology := range cases {
		for ending, write := range map[string]func(io.Writer) error{"svg": topology.WriteSVG, "txt": topology.WriteText} {
			t.Run(name+" "+ending, func(t *testing.T) {
				var b bytes.Buffer
				if err := write(&b); err != nil {
					t.Fatal(err)
				}
				goldentest.Check(t, filepath.Join("testdata", name+"."+ending+".golden"), b.Bytes())
				if ending == "svg" {
					wellFormed(t, b.Bytes())
				}
			})
		}
	}
}

func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("not well formed: %v", err)
		}
	}
}

// TestForeignTextStaysText: what a document says is never markup, nor does it
// reach the terminal as a control sequence.
func TestForeignTextStaysText(t *testing.T) {
	text := `
cluster_name: "</title><script>alert(1)</script>\x1b[2J\nk8s & co"
gateway_nodes: [{name: "<g>", address: "\"]]>", username: u, keyfile: k}]
nodes: [{name: n1, internal_address: 10.0.0.1, roles: [control-plane, worker], keyfile: k, gateway: "<g>", address: "<b onclick='x'>"}]
`
	top := topology(t, "c.yaml", []byte(text))
	var svg, plain bytes.Buffer
	if err := errors.Join(top.WriteSVG(&svg), top.WriteText(&plain)); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, svg.Bytes())
	for _, markup := range []string{"<script", "<b ", "<g>\"", "\x1b"} {
		if strings.Contains(svg.String(), markup) {
			t.Errorf("the drawing has %q of the document", markup)
		}
	}
	if strings.Contains(plain.String(), "\x1b") {
		t.Errorf("the text has control characters: %q", plain.String())
	}
}
