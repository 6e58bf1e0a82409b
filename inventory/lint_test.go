package inventory_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stoa/inventory"
)

func TestLint(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing to say", node(""), ""},
		{"cluster_name is an IP", strings.Replace(node(""), "k.example", "10.0.0.9", 1), "1:15 lint-cluster-name /cluster_name"},
		{"obsolete members", node("public_cluster_ip: a\nregistry: {address: b}\n"), "3:20 lint-obsolete /public_cluster_ip\n4:21 lint-obsolete /registry/address"},
		{"unused gateway", node("gateway_nodes: [{name: g, address: a, username: u, keyfile: k}]"), "3:24 lint-unused-gateway /gateway_nodes/0/name"},
		{"thresholds", node("procedure_history: {delete_threshold: 3}"), "3:39 lint-history-thresholds /procedure_history/delete_threshold"},
		{"clear password", node("node_defaults: {password: p}"), "3:27 lint-clear-password /node_defaults/password"},
		{"empty template", node("services: {resolv.conf: {search: '{{ env.NOPE }}'}}"), "3:34 lint-empty-template /services/resolv.conf/search"},
		{"many", `cluster_name: k.example
nodes:
  - {name: -lb, internal_address: 10.0.0.1, address: a, roles: [balancer], password: "{{ env.NOPE }}"}
  - {name: cp1, internal_address: fd00::1, roles: [control-plane], keyfile: k}
  - {name: cp2, internal_address: host, roles: [control-plane], keyfile: k}
vrrp_ips:
  - {ip: 10.0.0.7, floating_ip: f, id: a, password: p}
  - {ip: 10.0.1.7, id: a, password: p}
  - {ip: 10.0.1.8, router_id: "1234"}
`, `3:3 lint-even-control-planes /nodes
3:3 lint-no-worker /nodes
3:12 lint-node-name /nodes/0/name
3:86 lint-blank-password /nodes/0/password
3:86 lint-empty-template /nodes/0/password
4:35 lint-mixed-ip-families /nodes/1/internal_address
5:35 lint-internal-address /nodes/2/internal_address
8:5 lint-router-id /vrrp_ips/1/router_id
8:24 lint-vrrp-twice /vrrp_ips/1/id
8:37 lint-vrrp-twice /vrrp_ips/1/password
9:31 lint-router-id /vrrp_ips/2/router_id`},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, faults := inventory.Load("c.yaml", []byte(c.text))
			if doc == nil {
				t.Fatal(list(faults))
			}
			got := list(inventory.Lint(t.Context(), doc, inventory.Options{}))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
