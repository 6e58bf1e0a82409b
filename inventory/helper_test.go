package inventory_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stoa/inventory"
)

// check resolves a text; the name of its file is c.yaml.
func check(t *testing.T, text string) (*inventory.Inventory, inventory.Faults) {
	t.Helper()
	doc, faults := inventory.Load("c.yaml", []byte(text))
	if doc == nil {
		return nil, faults
	}
	return inventory.Resolve(t.Context(), doc, inventory.Options{Environ: map[string]string{"USER": "ops"}})
}

// resolved is the inventory of a document that has no errors.
func resolved(t *testing.T, text string) *inventory.Inventory {
	t.Helper()
	inv, faults := check(t, text)
	if inv == nil {
		t.Fatalf("faults:\n%s\nin:\n%s", list(faults), text)
	}
	return inv
}

// list is faults as LINE:COLUMN CODE PATH, one per line.
func list(faults inventory.Faults) string {
	var b strings.Builder
	for _, f := range faults {
		fmt.Fprintf(&b, "%d:%d %s %s\n", f.Line, f.Column, f.Code, f.Path)
	}
	return strings.TrimSpace(b.String())
}

// wantFaults compares the faults of a text, warnings about outer addresses aside.
func wantFaults(t *testing.T, text string, want ...string) {
	t.Helper()
	_, faults := check(t, text)
	var got []string
	for line := range strings.SplitSeq(list(faults), "\n") {
		if line != "" && !strings.Contains(line, "external") {
			got = append(got, line)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s\n%s", diff, text)
	}
}

// at is the JSON of what stands at a path of the effective document.
func at(t *testing.T, inv *inventory.Inventory, names ...string) string {
	t.Helper()
	v := inv.Root.Get(names...)
	if v == nil {
		return "absent"
	}
	var b bytes.Buffer
	if err := inventory.WriteJSON(&b, v); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// node is a document with one node that is everything, and more members.
func node(more string) string {
	return "cluster_name: k.example\nnodes: [{name: n1, address: 10.0.0.9, internal_address: 10.0.0.1, roles: [control-plane, worker], keyfile: k}]\n" + more
}
