package inventory_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"stoa/inventory"
)

// cluster is a document of n nodes: two balancers, three control planes, and
// workers with labels, some with patches.
func cluster(n int) []byte {
	var b strings.Builder
	b.WriteString("cluster_name: k.example\nvalues: {zone: eu}\nnode_defaults: {keyfile: k, username: ops}\nvrrp_ips: [10.255.0.1]\nnodes:\n")
	for i := range n {
		role := "worker"
		switch {
		case n > 3 && i < 2:
			role = "balancer"
		case i < 5 && n > 3 || i == 0:
			role = "control-plane"
		}
		fmt.Fprintf(&b, "  - name: node-%d\n    address: 203.%d.%d.%d\n    internal_address: 10.%d.%d.%d\n    roles: [%s]\n", i, i>>16, i>>8&255, i&255, i>>16, i>>8&255, i&255, role)
		if role == "worker" {
			fmt.Fprintf(&b, "    labels: {zone: \"{{ values.zone }}-%d\", rack: r%d}\n", i%3, i%40)
		}
	}
	b.WriteString("patches:\n  - {groups: [worker], services: {sysctl: {vm.swappiness: 1}}}\n  - {nodes: [node-1], services: {sysctl: {vm.swappiness: 2}}}\n")
	return []byte(b.String())
}

func BenchmarkValidate(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		text := cluster(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				resolveText(b, text)
			}
		})
	}
}

func BenchmarkEffective(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		text := cluster(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := inventory.WriteYAML(io.Discard, resolveText(b, text).Root); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func resolveText(t testing.TB, text []byte) *inventory.Inventory {
	doc, faults := inventory.Load("c.yaml", text)
	if doc == nil {
		t.Fatal(list(faults))
	}
	inv, faults := inventory.Resolve(t.Context(), doc, inventory.Options{})
	if inv == nil {
		t.Fatal(list(faults))
	}
	return inv
}
