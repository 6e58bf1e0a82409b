package inventory_test

import (
	"strings"
	"testing"

	"stoa/inventory"
)

func TestNodesWithoutNamesAreCalledAfterTheirRole(t *testing.T) {
	inv := resolved(t, `
cluster_name: k.example
node_defaults: {password: p}
nodes:
  - {internal_address: 10.0.0.1, roles: [worker, control-plane]}
  - {internal_address: 10.0.0.2, roles: [worker], name: mine}
  - {internal_address: 10.0.0.3, roles: [worker]}
  - {internal_address: 10.0.0.4, roles: [balancer]}
`)
	if got, want := strings.Join(inv.Names(), " "), "control-plane-1 mine worker-3 balancer-1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCalculatedNameMayClash(t *testing.T) {
	wantFaults(t, `
cluster_name: k.example
node_defaults: {password: p}
nodes:
  - {name: worker-2, internal_address: 10.0.0.1, roles: [control-plane, worker]}
  - {internal_address: 10.0.0.2, roles: [worker]}
`, "6:5 semantic-duplicate-name /nodes/1/name")
}

func TestListMerging(t *testing.T) {
	for _, c := range []struct{ name, list, want string }{
		{"replaces", "[a]", `[ "a" ]`},
		{"first", `[{"<<": merge}, a]`, `[ "haproxy_t", "container_t", "keepalived_t", "a" ]`},
		{"middle", `[a, {"<<": merge}, b]`, `[ "a", "haproxy_t", "container_t", "keepalived_t", "b" ]`},
		{"replace", `[{"<<": replace}, a]`, `[ "a" ]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			inv := resolved(t, node("services: {kernel_security: {selinux: {permissive: "+c.list+"}}}"))
			if got := at(t, inv, "services", "kernel_security", "selinux", "permissive"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestNodeDefaultsAreShallow(t *testing.T) {
	inv := resolved(t, `
cluster_name: k.example
node_defaults: {password: p, labels: {a: b}, boot: {timeout: 5}}
nodes:
  - {name: a, internal_address: 10.0.0.1, roles: [control-plane]}
  - {name: b, internal_address: 10.0.0.2, roles: [control-plane], labels: {c: d}, boot: {}}
`)
	for i, want := range []string{`{ "a": "b" }`, `{ "c": "d" }`} {
		if got := inv.Nodes[i].Value.Get("labels").Members[0]; `{ "`+got.Name+`": "`+got.Value.Str()+`" }` != want {
			t.Errorf("node %d: got %s", i, got.Name)
		}
	}
	if boot := inv.Nodes[1].Value.Get("boot"); len(boot.Members) != 0 {
		t.Error("an own boot is kept whole")
	}
}

func TestTemplates(t *testing.T) {
	inv := resolved(t, `
cluster_name: "{{ values.name }}.{{ env.USER }}"
values: {name: "{{ values.base | upper }}", base: k, list: [a, "{{ '' }}", "{{ env.NOPE }}"], blank: ""}
nodes: [{name: n1, address: 10.0.0.9, internal_address: 10.0.0.1, roles: [control-plane, worker], password: "{{ env.USER }}"}]
services:
  sysctl: {a.b: "{{ 2 * 21 }}", c.d: ""}
  etc_hosts: {10.0.0.7: "{{ services.kubeadm.controlPlaneEndpoint }}"}
  kubeadm: {imageRepository: "{{ plugins.calico.version }}"}
plugins:
  mine: {install: "{{ 1 == 1 }}", text: "{{ globals.compatibility_map.software.pause['v1.34.2'].version }}", raw: "{% raw %}{{ x }}{% endraw %}"}
`)
	for _, c := range []struct{ path, want string }{
		{"cluster_name", `"K.ops"`},
		{"values list", `[ "a" ]`},
		{"values blank", `""`},
		{"services etc_hosts 10.0.0.7", `"K.ops:6443"`},
		{"services kubeadm dns imageRepository", `"v3.32.0/coredns"`},
		{"plugins mine install", "true"},
		{"plugins mine text", `"3.10.1"`},
		{"plugins mine raw", `"{{ x }}"`},
		{"services sysctl a.b", "42"},
		{"services sysctl c.d", `""`},
	} {
		if got := at(t, inv, strings.Split(c.path, " ")...); got != c.want {
			t.Errorf("%s: got %s, want %s", c.path, got, c.want)
		}
	}
}

func TestControlPlain(t *testing.T) {
	const nodes = `
cluster_name: k.example
node_defaults: {password: p}
nodes:
  - {name: lb, address: 1.1.1.1, internal_address: 10.0.0.1, roles: [balancer]}
  - {name: cp, address: 1.1.1.2, internal_address: 10.0.0.2, roles: [control-plane], control_endpoint: ENDPOINT}
`
	for _, c := range []struct{ name, more, want string }{
		{"balancer first", "", `{ "internal": "10.0.0.1", "external": "1.1.1.1" }`},
		{"preferred node", "CP", `{ "internal": "10.0.0.2", "external": "1.1.1.2" }`},
		{"VRRP", "vrrp_ips: [10.0.0.5]", `{ "internal": "10.0.0.5", "external": "1.1.1.1" }`},
		{"VRRP kept against a preferred node", "vrrp_ips: [10.0.0.5] #CP", `{ "internal": "10.0.0.5", "external": "1.1.1.2" }`},
		{"preferred VRRP", "vrrp_ips: [10.0.0.5, {ip: 10.0.0.6, floating_ip: 2.2.2.2, control_endpoint: true}]", `{ "internal": "10.0.0.6", "external": "2.2.2.2" }`},
		{"VRRP without a balancer as host", "vrrp_ips: [{ip: 10.0.0.5, hosts: [cp]}]", `{ "internal": "10.0.0.1", "external": "1.1.1.1" }`},
		{"given", "control_plain: {external: x}", `{ "external": "x", "internal": "10.0.0.1" }`},
	} {
		t.Run(c.name, func(t *testing.T) {
			endpoint := "false"
			if strings.Contains(c.more, "CP") {
				endpoint = "true"
			}
			text := strings.Replace(nodes, "ENDPOINT", endpoint, 1)
			if c.more != "CP" {
				text += c.more + "\n"
			}
			if got := at(t, resolved(t, text), "control_plain"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestPatchesMergeInOrder(t *testing.T) {
	inv := resolved(t, `
cluster_name: k.example
node_defaults: {password: p}
nodes:
  - {name: a, internal_address: 10.0.0.1, address: 1.1.1.1, roles: [control-plane]}
  - {name: b, internal_address: 10.0.0.2, roles: [worker]}
  - {name: c, internal_address: 10.0.0.3, roles: [balancer]}
services: {sysctl: {x: {value: 1, groups: [worker]}, y: 1}}
patches:
  - {nodes: [b], services: {sysctl: {y: 3}}}
  - {groups: [worker, control-plane], services: {sysctl: {x: {value: 2}, y: 2}}}
  - {nodes: [c], services: {sysctl: {x: 9, y: ""}}}
  - {groups: [balancer]}
`)
	for name, want := range map[string]string{"a": "absent 2", "b": "2 2", "c": "9 absent"} {
		sysctl := inv.View(inv.Node(name)).Get("sysctl")
		var got []string
		for _, p := range []string{"x", "y"} {
			text := "absent"
			if n, ok := sysctl.Get(p).Int(); ok {
				text = string(rune('0' + n))
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("node %s: got %v, want %s", name, got, want)
		}
	}
}

func TestResourcesReplaceWhole(t *testing.T) {
	inv := resolved(t, node("plugins: {calico: {node: {resources: {limits: {cpu: 1}}}}}"))
	if got, want := at(t, inv, "plugins", "calico", "node", "resources"), `{ "limits": { "cpu": 1 } }`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLaterStagesReportWithTheSchema(t *testing.T) {
	wantFaults(t, `
cluster_name: k.example
node_defaults: {password: p}
nodes:
  - {name: a, internal_address: 10.0.0.1, roles: [control-plane], connection_port: x}
  - {name: a, internal_address: 10.0.0.2, role: [worker]}
  - 5
values: {v: "{{ values.v }}"}
services: {kubeadm: {kubernetesVersion: v9}}
`,
		`5:84 schema-type /nodes/0/connection_port`,
		`6:12 semantic-duplicate-name /nodes/1/name`,
		`6:43 schema-unknown-member /nodes/1/role`,
		`7:5 schema-type /nodes/2`,
		`8:13 template-cycle /values/v`,
		`9:41 semantic-kubernetes-version /services/kubeadm/kubernetesVersion`)
}

func TestFaultOfOneNodeHidesNoOther(t *testing.T) {
	wantFaults(t, `
cluster_name: k.example
nodes:
  - {name: a, internal_address: 10.0.0.1, roles: [worker], connection_port: x, keyfile: k}
  - {name: b, internal_address: 10.0.0.1, roles: [worker], boot: {timeout: x}}
`,
		`4:3 semantic-no-control-plane /nodes`,
		`4:77 schema-type /nodes/0/connection_port`,
		`5:5 semantic-credentials /nodes/1`,
		`5:33 semantic-duplicate-internal-address /nodes/1/internal_address`,
		`5:76 schema-type /nodes/1/boot/timeout`)
}

func TestOSFamilyPicksModules(t *testing.T) {
	doc, faults := inventory.Load("c.yaml", []byte(node("services: {modprobe: {rhel9: [zz]}}")))
	if doc == nil {
		t.Fatal(faults)
	}
	inv, faults := inventory.Resolve(t.Context(), doc, inventory.Options{OSFamily: "rhel9"})
	if inv == nil {
		t.Fatal(list(faults))
	}
	if got := strings.Join(inv.Modules(inv.Nodes[0]), " "); got != "zz" {
		t.Errorf("got %s", got)
	}
}
