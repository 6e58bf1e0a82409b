package inventory_test

import "testing"

// three is a balancer, a control plane and a worker, and more members.
func three(more string) string {
	return `cluster_name: k.example
node_defaults: {password: p}
nodes:
  - {name: lb, address: 1.1.1.1, internal_address: 10.0.0.1, roles: [balancer]}
  - {name: cp, internal_address: 10.0.0.2, roles: [control-plane]}
  - {name: wk, internal_address: 10.0.0.3, roles: [worker]}
` + more
}

func TestChecks(t *testing.T) {
	const combined = `cluster_name: k.example
node_defaults: {password: p}
nodes: [{name: a, address: x, internal_address: 10.0.0.1, roles: [balancer, control-plane]}]
`
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", three(""), nil},
		{"no control plane", "cluster_name: k\nnodes: [{name: a, internal_address: 10.0.0.1, roles: [worker], keyfile: k}]", []string{"2:8 semantic-no-control-plane /nodes"}},
		{"no IP on the first node", "cluster_name: k\nnodes: [{name: a, internal_address: host, roles: [control-plane], keyfile: k}]", []string{"2:37 semantic-internal-address /nodes/0/internal_address"}},
		{"no credentials", "cluster_name: k\nnodes: [{name: a, internal_address: 10.0.0.1, roles: [control-plane]}]", []string{"2:9 semantic-credentials /nodes/0"}},
		{"outdated", three("services: {kubeadm: {kubernetesVersion: v1.33.6}}"), []string{"7:41 semantic-kubernetes-outdated /services/kubeadm/kubernetesVersion"}},
		{"combined balancer without VRRP", combined, []string{"3:66 semantic-balancer-vrrp /nodes/0/roles"}},
		{"combined balancer with VRRP", combined + "vrrp_ips: [10.0.0.9]", nil},
		{"VRRP without balancer", node("vrrp_ips: [10.0.0.9]"), []string{"3:11 semantic-vrrp-no-balancer /vrrp_ips"}},
		{"maintenance without address", three("services: {loadbalancer: {haproxy: {maintenance_mode: yes}}}\nvrrp_ips: [10.0.0.9]"), []string{"7:55 semantic-maintenance-mode /services/loadbalancer/haproxy/maintenance_mode"}},
		{"address without maintenance", three("vrrp_ips: [{ip: a, params: {maintenance-type: not bind}}]"), []string{"7:47 semantic-maintenance-mode /vrrp_ips/0/params/maintenance-type"}},
		{"nothing left to bind", combined + "services: {loadbalancer: {haproxy: {maintenance_mode: yes}}}\nvrrp_ips: [{ip: a, params: {maintenance-type: not bind}}]", []string{"3:66 semantic-maintenance-bind /nodes/0/roles"}},
		{"maintenance file", three("services: {loadbalancer: {haproxy: {maintenance_mode: yes, mntc_config_location: /etc/haproxy/haproxy.cfg}}}\nvrrp_ips: [{ip: a, params: {maintenance-type: not bind}}]"), []string{"7:82 semantic-maintenance-file /services/loadbalancer/haproxy/mntc_config_location"}},
		{"both ingress controllers without balancer", node("plugins: {envoy-gateway: {install: true}}"), []string{"3:36 semantic-target-ports /plugins/envoy-gateway/install"}},
		{"both ingress controllers with balancer", three("plugins: {envoy-gateway: {install: true}}"), nil},
		{"equal target ports", three("plugins: {envoy-gateway: {install: true}}\nservices: {loadbalancer: {target_ports: {http: '21443'}}}"), []string{"8:48 semantic-target-ports /services/loadbalancer/target_ports/http"}},
		{"pid_max too large", three("services: {sysctl: {kernel.pid_max: 5000000}}"), []string{"7:37 semantic-pid-max /services/sysctl/kernel.pid_max"}},
		{"pid_max too small", three("services: {sysctl: {kernel.pid_max: 400000}}"), []string{"7:37 semantic-pid-max /services/sysctl/kernel.pid_max"}},
		{"pid_max off", three("services: {sysctl: {kernel.pid_max: ''}}"), []string{"7:37 semantic-pid-max /services/sysctl/kernel.pid_max"}},
		{"pid_max off on one node", three("patches: [{nodes: [wk], services: {sysctl: {kernel.pid_max: ''}}}]"), []string{"7:61 semantic-pid-max /patches/0/services/sysctl/kernel.pid_max"}},
		{"pid_max follows from too many pods", three("services: {kubeadm_kubelet: {maxPods: 5000}}"), []string{"7:39 semantic-pid-max /services/kubeadm_kubelet/maxPods"}},
		{"pid_max low", three("services: {sysctl: {kernel.pid_max: 30000}, kubeadm_kubelet: {maxPods: 1}}"), []string{"7:37 semantic-pid-max-low /services/sysctl/kernel.pid_max"}},
		{"conntrack differs", three("patches: [{nodes: [wk], services: {sysctl: {net.netfilter.nf_conntrack_max: 5}}}]"), []string{"7:77 semantic-conntrack-max /patches/0/services/sysctl/net.netfilter.nf_conntrack_max"}},
		{"conntrack equal", three("services: {sysctl: {net.netfilter.nf_conntrack_max: 5}}"), nil},
		{"two registry configurations", three("services: {cri: {containerdRegistriesConfig: {r: {}}, containerdConfig: {'plugins.\"io.containerd.grpc.v1.cri\".registry.mirrors.\"r\"': {endpoint: [e]}}}}"),
			[]string{`7:134 semantic-containerd-registries /services/cri/containerdConfig/plugins."io.containerd.grpc.v1.cri".registry.mirrors."r"`}},
		{"blank module", three("services: {modprobe: {debian: [{modulename: ''}]}}"), []string{"7:32 semantic-kernel-module /services/modprobe/debian/0"}},
		{"gateway of defaults", three("gateway_nodes: []\n") + "values: {}\n", nil},
		{"unknown gateway", node("") + "gateway_nodes: [{name: g, address: a, username: u, keyfile: k}]\nnode_defaults: {gateway: h}", []string{"4:26 semantic-unknown-gateway /node_defaults/gateway"}},
		{"PSS above the cluster", node("rbac: {pss: {defaults: {warn-version: v1.35}}}"), []string{"3:39 semantic-pss-version /rbac/pss/defaults/warn-version"}},
		{"typha replicas", node("plugins: {calico: {typha: {replicas: many}}}"), []string{"3:38 semantic-integer /plugins/calico/typha/replicas"}},
	} {
		t.Run(c.name, func(t *testing.T) { wantFaults(t, c.text, c.want...) })
	}
}

func TestCalculatedValues(t *testing.T) {
	const mirrored = "registry: {address: r.example, docker_port: 5000, ssl: true, webserver: true}\n"
	for _, c := range []struct {
		name, text string
		path       []string
		want       string
	}{
		{"certificate names", three("vrrp_ips: [{ip: 10.0.0.9, floating_ip: f}]\nservices: {kubeadm: {apiServer: {certSANs: [own, cp]}}}"), []string{"services", "kubeadm", "apiServer", "certSANs"},
			`[ "own", "cp", "lb", "10.0.0.1", "1.1.1.1", "10.0.0.2", "10.0.0.9", "f" ]`},
		{"hosts share an address", node("control_plain: {internal: 10.0.0.1}"), []string{"services", "etc_hosts_generated"},
			`{ "10.0.0.1": [ "k.example", "control-plain", "n1.k.example", "n1" ], "10.0.0.9": [ "n1-external.k.example", "n1-external" ] }`},
		{"conntrack", node("services: {kubeadm_kube-proxy: {conntrack: {min: 5}}}"), []string{"services", "kubeadm_kube-proxy", "conntrack", "min"}, "1000000"},
		{"conntrack off", node("services: {sysctl: {net.netfilter.nf_conntrack_max: ''}}"), []string{"services", "kubeadm_kube-proxy", "conntrack"}, "absent"},
		{"local mode until v1.35", node("services: {kubeadm: {kubernetesVersion: v1.36.0}}"), []string{"services", "kubeadm", "featureGates"}, "absent"},
		{"local mode given", node("services: {kubeadm: {featureGates: {ControlPlaneKubeletLocalMode: false}}}"), []string{"services", "kubeadm", "featureGates", "ControlPlaneKubeletLocalMode"}, "false"},
		{"no admission file", node("rbac: {pss: {pod-security: disabled}}"), []string{"services", "kubeadm", "apiServer", "extraArgs", "admission-control-config-file"}, "absent"},
		{"typha of few nodes", node(""), []string{"plugins", "calico", "typha", "replicas"}, "0"},
		{"typha wanted", node("plugins: {calico: {typha: {enabled: 'Yes'}}}"), []string{"plugins", "calico", "typha", "replicas"}, "1"},
		{"vxlan", node("plugins: {calico: {mode: vxlan}}"), []string{"plugins", "calico", "env", "CALICO_IPV4POOL_VXLAN"}, `"Always"`},
		{"image repository", node(mirrored), []string{"services", "kubeadm", "imageRepository"}, `"r.example:5000"`},
		{"image repository given", node(mirrored + "services: {kubeadm: {imageRepository: own}}"), []string{"services", "kubeadm", "imageRepository"}, `"own"`},
		{"plugin registry", node(mirrored), []string{"plugins", "calico", "installation", "registry"}, `"r.example:5000"`},
		{"mirrored files", node(mirrored), []string{"services", "thirdparties", "/usr/bin/kubectl", "source"}, `"https://r.example/kubernetes/kubectl/v1.34.2/bin/linux/amd64/kubectl"`},
		{"registry hosts", node(mirrored), []string{"services", "cri", "containerdRegistriesConfig"}, `{ "r.example:5000": { "host.\"https://r.example:5000\"": { "capabilities": [ "pull", "resolve" ] } } }`},
		{"sandbox image", node("services: {kubeadm: {imageRepository: own, kubernetesVersion: v1.36.0}}"), []string{"services", "cri", "containerdConfig", `plugins."io.containerd.grpc.v1.cri"`, "sandbox_image"}, `"own/pause:3.10.2"`},
		{"cgroups", node("services: {kubeadm_kubelet: {cgroupDriver: cgroupfs}}"), []string{"services", "cri", "containerdConfig", `plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options`, "SystemdCgroup"}, "false"},
		{"packages", node("services: {packages: {install: [a], remove: {exclude: [b]}}}"), []string{"services", "packages", "remove"}, `{ "exclude": [ "b" ], "include": [ "*" ] }`},
		{"third-party file", node("services: {thirdparties: {/a: b}}"), []string{"services", "thirdparties", "/a"}, `{ "source": "b", "groups": [ "control-plane", "worker" ], "owner": "root", "mode": "700" }`},
		{"ignored checks", node("services: {kubeadm_flags: {ignorePreflightErrors: 'Swap, Port-6443'}}"), []string{"services", "kubeadm_flags", "ignorePreflightErrors"}, `"Swap,Port-6443,CoreDNSUnsupportedPlugins"`},
		{"IPv6 network", "cluster_name: k\nnodes: [{name: a, address: x, internal_address: 'fd00::1', roles: [control-plane], keyfile: k}]", []string{"services", "kubeadm", "networking", "podSubnet"}, `"fd02::/48"`},
		{"short steps", node("plugins: {p: {installation: {procedures: [{shell: date}, {expect: {pods: [a]}}]}}}"), []string{"plugins", "p", "installation", "procedures"},
			`[ { "shell": { "command": "date" } }, { "expect": { "pods": { "list": [ "a" ] } } } ]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := at(t, resolved(t, c.text), c.path...); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
