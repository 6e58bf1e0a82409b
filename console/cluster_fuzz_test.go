package console

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/inventory"
	"stoa/inventory/diff"
	"stoa/inventory/graph"
)

// FuzzClusterDocument: whatever is dropped in, everything that can be asked of it has an
// answer, and no change leads from a document to itself.
func FuzzClusterDocument(f *testing.F) {
	files, _ := filepath.Glob("../inventory/testdata/*/*.yaml")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("{\"nodes\": [{\"name\": \"\\ud800\", \"internal_address\": \"::\", \"roles\": [\"worker\"]}]}")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		call := &clusterCall{ctx: context.Background(), options: inventory.Options{NoFiles: true}}
		inv, check := call.resolve(clusterDocument{Document: text})
		if inv == nil && check.Valid {
			t.Fatal("got no inventory of a valid document")
		}
		if inv == nil {
			return
		}
		answers := []any{check, nodesOf(inv), topologyOf(graph.New(inv))}
		for _, node := range append([]*inventory.Node{nil}, inv.Nodes...) {
			for e := range inv.Values(node) {
				v, err := valueOf(e)
				if err != nil || !strings.HasPrefix(v.Path, "/") {
					t.Fatalf("got %+v, %v, want a value with its path", v, err)
				}
			}
		}
		if side, err := sideOf(inv); err == nil {
			d := differenceOf(diff.Compare(side, side))
			if d.Changed || len(d.Cluster)+len(d.Values)+len(d.Files) > 0 {
				t.Fatalf("got %+v, want no difference to itself", d)
			}
			answers = append(answers, d)
		}
		if _, err := json.Marshal(answers); err != nil {
			t.Fatal(err)
		}
	})
}
