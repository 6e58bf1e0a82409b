package inventory_test

import (
	"context"
	"fmt"
	"os"

	"stoa/inventory"
)

func Example() {
	doc, faults := inventory.Load("cluster.yaml", []byte(`
cluster_name: k8s.example.com
nodes:
  - name: one
    address: 203.0.113.10
    internal_address: 192.168.0.10
    keyfile: id_ed25519
    roles: [control-plane, worker]
`))
	if doc == nil {
		_ = faults.WriteText(os.Stdout)
		return
	}
	inv, faults := inventory.Resolve(context.Background(), doc, inventory.Options{})
	if inv == nil {
		_ = faults.WriteText(os.Stdout)
		return
	}
	node := inv.Node("one")
	fmt.Println(node.ConnectTo, inv.Modules(node))
	found, _ := inv.Explain("services.kubeadm.controlPlaneEndpoint", nil)
	_ = inventory.WriteExplanations(os.Stdout, found)
	// Output:
	// 203.0.113.10 [br_netfilter nf_conntrack]
	// services.kubeadm.controlPlaneEndpoint = "k8s.example.com:6443"
	//     calculated: cluster_name and port 6443
}
