package inventory_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"stoa/inventory"
)

// rich is a document with a value in most corners of the schema.
const rich = `
cluster_name: k.example
nodes: [{name: a, internal_address: 10.0.0.1, roles: [control-plane], labels: {a: 1, b: true}, taints: [x], boot: {timeout: 5}, connection_port: 22}]
node_defaults: {keyfile: k, connection_timeout: 5, labels: {c: d}}
gateway_nodes: [{name: g, address: h, username: u, password: p}]
control_plain: {internal: a, external: b}
registry: {endpoints: [a], mirror_registry: m}
vrrp_ips: [x, {ip: y, hosts: [a, {name: b, priority: 3}], params: {maintenance-type: not bind}}]
globals: {expect: {pods: {plugins: {timeout: 5}}}, timeout_download: 5}
procedure_history: {archive_threshold: 5}
values: {a: [1, {b: null}]}
patches: [{groups: [worker], services: {sysctl: {a: 1, b: {value: "2", nodes: [n]}}}}, {nodes: [a]}]
plugin_defaults: {installation: {registry: r}}
rbac:
  accounts: [{name: a, role: r}]
  account_defaults: {configs: [{apiVersion: v1, kind: ServiceAccount}, {apiVersion: x, kind: ClusterRoleBinding}, {apiVersion: v1, kind: Secret}]}
  pss: {pod-security: enabled, defaults: {warn: baseline}, exemptions: {usernames: [{"<<": merge}, u]}}
services:
  kubeadm: {kubernetesVersion: v1, apiServer: {certSANs: [a], extraArgs: {x: y}, extraVolumes: [{name: a, hostPath: b, mountPath: c}]}, more: 5, featureGates: {x: true}}
  kubeadm_kubelet: {maxPods: 5, other: x}
  kubeadm_patches: {kubelet: [{nodes: [a], patch: {maxPods: 5}}], etcd: [{groups: [control-plane], patch: {x: y}}]}
  packages: {install: [a], upgrade: {exclude: [b]}, package_manager: {repositories: {r: {name: n, enabled: 1}}}, associations: {audit: {package_name: [a]}, rhel8: {curl: {package_name: c}}}}
  thirdparties: {/a: s, /b: {source: x, mode: 755, group: worker}}
  cri: {containerdConfig: {version: 2, x: {y: z}}, containerdRegistriesConfig: {r: {}}}
  modprobe: {debian: [a, {modulename: b, install: "yes"}]}
  ntp: {chrony: {servers: [a]}}
  resolv.conf: {nameservers: [a]}
  etc_hosts: {1.1.1.1: a, 2.2.2.2: [b, c]}
  coredns: {configmap: {Corefile: {".:53": {cache: false, hosts: false, template: {t: {zone: [a], data: {}}}, mine: {s: {data: {}}}}, other: {}}, Hosts: x}}
  loadbalancer: {haproxy: {global: {maxconn: 5}}, target_ports: {http: "80"}, target_backend: ""}
  audit: {rules: [r], cluster_policy: {rules: [{level: None, resources: [{group: g}]}]}}
plugins:
  calico: {typha: {enabled: "true", tolerations: [{}], resources: {limits: {cpu: 1}}}, env: {A: b, C: {}}, globalBgpPeers: [{ip: a, as: 1}]}
  nginx-ingress-controller: {controller: {ssl: {default-certificate: {data: {cert: a, key: b}}}}, ports: [{}]}
  envoy-gateway: {externalGateway: {hostPorts: {http: 1.5}}}
  mine:
    foo: bar
    installation:
      procedures: [{template: a}, {shell: {command: [a, b], out_vars: [{name: v}]}}, {expect: {pods: {list: [a]}, deployments: [a, {name: b}]}}, {helm: {chart_path: c}}, {python: {module: m, method: f}}]
`

// TestSchemaMeansTheSameToOthers: on documents with random mistakes, our
// evaluator and a library for JSON Schema agree whether the schema is kept.
func TestSchemaMeansTheSameToOthers(t *testing.T) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(inventory.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("inventory.json", parsed); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("inventory.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, faults := inventory.Load("rich.yaml", []byte(rich))
	if doc == nil {
		t.Fatal(list(faults))
	}
	if faults := inventory.Validate(doc); len(faults) > 0 {
		t.Fatal(list(faults))
	}
	var base bytes.Buffer
	if err := inventory.WriteJSON(&base, doc.Root); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var tree any
		if err := json.Unmarshal(base.Bytes(), &tree); err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 2).Draw(t, "mistakes") {
			tree = spoil(t, tree)
		}
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		doc, _ := inventory.Load("d.json", text)
		if doc == nil {
			return // the root is no map any more
		}
		faults := inventory.Validate(doc)
		plain, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(plain); (err == nil) != (len(faults) == 0) {
			t.Fatalf("the library says %v, we say:\n%s\n%s", err, list(faults), text)
		}
	})
}

// spoil puts something else in a random place.
func spoil(t *rapid.T, v any) any {
	junk := []any{nil, true, 5, -1, 70000, 2.5, 3.0, "", "text", "{{ x }}", []any{}, []any{"a", "a"}, map[string]any{}, map[string]any{"unknown": 1}, "worker", []any{"worker"}}
	deeper := rapid.IntRange(0, 9).Draw(t, "deeper") > 0
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		if len(keys) == 0 || v["<<"] != nil {
			break
		}
		key := rapid.SampledFrom(keys).Draw(t, "key")
		switch {
		case deeper:
			v[key] = spoil(t, v[key])
		case rapid.Bool().Draw(t, "add"):
			v[fmt.Sprintf("%s%d", key, rapid.IntRange(0, 9).Draw(t, "digit"))] = v[key]
		default:
			delete(v, key)
		}
		return v
	case []any:
		if len(v) > 0 && deeper {
			i := rapid.IntRange(0, len(v)-1).Draw(t, "item")
			v[i] = spoil(t, v[i])
			return v
		}
	}
	return rapid.SampledFrom(junk).Draw(t, "junk")
}

func TestSchemaFaults(t *testing.T) {
	for _, c := range []struct{ name, more, want string }{
		{"null member", "services:", "3:10 schema-type /services"},
		{"boolean is no integer", "procedure_history: {archive_threshold: true}", "3:40 schema-type /procedure_history/archive_threshold"},
		{"closed object", "globals: {timeout_downloads: 5}", "3:11 schema-unknown-member /globals/timeout_downloads"},
		{"key that is no text", "globals: {yes: 5}", "3:11 schema-unknown-member /globals/true"},
		{"no items", "registry: {endpoints: []}", "3:23 schema-items /registry/endpoints"},
		{"two forms mixed", "registry: {endpoints: [a], address: b}", "3:28 schema-unknown-member /registry/address"},
		{"no form", "registry: {}", "3:11 schema-missing-member /registry/endpoints"},
		{"both of two", "gateway_nodes: [{name: a, address: b, username: c, password: p, keyfile: k}]", "3:74 schema-one-of /gateway_nodes/0/keyfile"},
		{"neither of two", "patches: [{}]", "3:11 schema-any-of /patches/0"},
		{"four configs", "rbac: {account_defaults: {configs: [{}]}}", "3:36 schema-items /rbac/account_defaults/configs\n3:37 schema-missing-member /rbac/account_defaults/configs/0/apiVersion\n3:37 schema-missing-member /rbac/account_defaults/configs/0/kind"},
		{"blank command", "plugins: {p: {installation: {procedures: [{shell: ''}]}}}", "3:51 schema-length /plugins/p/installation/procedures/0/shell"},
		{"empty step", "plugins: {p: {installation: {procedures: [{}]}}}", "3:43 schema-member-count /plugins/p/installation/procedures/0"},
		{"two certificates", "plugins: {nginx-ingress-controller: {controller: {ssl: {default-certificate: {data: {cert: a, key: b}, paths: {cert: a, key: b}}}}}}", "3:104 schema-member-count /plugins/nginx-ingress-controller/controller/ssl/default-certificate/paths"},
		{"zero is enough", "globals: {timeout_download: -5, nodes: {ready: {retries: 0}}}", ""},
		{"whole float", "services: {kubeadm_kubelet: {maxPods: 10.0}}", ""},
		{"date", "values: {a: 2001-12-14}\npublic_cluster_ip: 2001-12-14", "4:20 schema-type /public_cluster_ip"},
		{"pointer escapes", "services: {sysctl: {a/b~c: []}}", "3:28 schema-type /services/sysctl/a~1b~0c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, faults := inventory.Load("c.yaml", []byte(node(c.more)))
			if doc == nil {
				t.Fatal(list(faults))
			}
			if got := list(inventory.Validate(doc)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
