package inventory

import (
	"slices"
	"strings"
)

// calculate fills in what follows from the finished rest.
func (r *resolver) calculate() {
	r.certificateNames()
	r.hostRecords()
	r.kubeProxy()
	r.kubeadmFeatures()
	r.accounts()
}

// certificateNames adds to the API server's certificate every name and address
// under which it may be reached.
func (r *resolver) certificateNames() {
	list := r.root.Get("services", "kubeadm", "apiServer", "certSANs")
	if list == nil || list.Kind != List {
		return
	}
	seen := make(map[string]bool)
	list.Items = slices.DeleteFunc(list.Items, func(v *Value) bool {
		again := seen[v.Str()]
		seen[v.Str()] = true
		return again
	})
	add := func(rule string, names ...string) {
		for _, name := range names {
			if name != "" && !seen[name] {
				seen[name] = true
				list.Items = append(list.Items, calculated(rule, NewString(name)))
			}
		}
	}
	for _, n := range r.nodes {
		if n.Has(Balancer) || n.Has(ControlPlane) {
			add("name and addresses of balancers and control planes", n.Name, n.Internal, n.Address)
		}
	}
	for _, v := range r.vrrp {
		add("VRRP addresses", v.IP, v.Floating)
	}
	add("public_cluster_ip", r.root.Get("public_cluster_ip").Str())
}

// hostRecords is the names that every node knows every other by.
func (r *resolver) hostRecords() {
	const rule = "names of the cluster and its nodes"
	records, cluster := NewMap(), r.root.Get("cluster_name").Str()
	seen := make(map[[2]string]bool)
	add := func(ip string, names ...string) {
		if ip == "" {
			return
		}
		list := records.Get(ip)
		if list == nil {
			list = NewList()
			records.Set(ip, list)
		}
		for _, name := range names {
			if !seen[[2]string{ip, name}] {
				seen[[2]string{ip, name}] = true
				list.Items = append(list.Items, NewString(name))
			}
		}
	}
	add(r.root.Get("control_plain", "internal").Str(), cluster, "control-plain")
	for _, n := range r.nodes {
		add(n.Internal, n.Name+"."+cluster, n.Name)
		add(n.Address, n.Name+"-external."+cluster, n.Name+"-external")
	}
	r.root.Get("services").Set("etc_hosts_generated", calculated(rule, records))
}

// kubeProxy lets kube-proxy track as many connections as the kernel.
func (r *resolver) kubeProxy() {
	proxy := r.root.Get("services", "kubeadm_kube-proxy")
	var tracked *Value
	for _, n := range r.nodes {
		if n.Kubernetes() {
			tracked = n.parameter(conntrackMax)
			break
		}
	}
	conntrack := proxy.Get("conntrack")
	switch {
	case tracked == nil && conntrack != nil && conntrack.Kind == Map:
		conntrack.Delete("min")
	case tracked != nil:
		if conntrack == nil || conntrack.Kind != Map {
			conntrack = calculated("kernel parameters", NewMap())
			proxy.Set("conntrack", conntrack)
		}
		n, _ := tracked.Int()
		conntrack.Set("min", calculated(conntrackMax, NewInt(n)))
	}
}

func (r *resolver) kubeadmFeatures() {
	kubeadm := r.root.Get("services", "kubeadm")
	if m := minor(kubeadm.Get("kubernetesVersion").Str()); m >= 32 && m <= 35 {
		gates := kubeadm.Get("featureGates")
		if gates == nil {
			gates = calculated("Kubernetes version", NewMap())
			kubeadm.Set("featureGates", gates)
		}
		if gates.Kind == Map && gates.Get("ControlPlaneKubeletLocalMode") == nil {
			gates.Set("ControlPlaneKubeletLocalMode", calculated("Kubernetes v1.32 to v1.35", NewBool(true)))
		}
	}
	args := kubeadm.Get("apiServer", "extraArgs")
	if args != nil && args.Kind == Map && r.root.Get("rbac", "pss", "pod-security").Str() == "enabled" {
		args.Set("admission-control-config-file", calculated("pod security is enabled", NewString("/etc/kubernetes/pki/admission.yaml")))
	}
}

// alwaysIgnored is the preflight checks that never count.
var alwaysIgnored = []string{"Port-6443", "CoreDNSUnsupportedPlugins"}

func (r *resolver) normalFlags(flags *Value) {
	v := flags.Get("ignorePreflightErrors")
	if v == nil || v.Kind != String {
		return
	}
	var all []string
	for part := range strings.SplitSeq(v.Text, ",") {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(all, part) {
			all = append(all, part)
		}
	}
	for _, name := range alwaysIgnored {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	v.Text = strings.Join(all, ",")
}

// accounts writes the objects of each account out.
func (r *resolver) accounts() {
	defaults := r.root.Get("rbac", "account_defaults")
	for _, account := range items(r.root.Get("rbac", "accounts")) {
		if account.Kind != Map {
			continue
		}
		if account.Get("namespace") == nil {
			account.Set("namespace", calculated("account_defaults", NewString(defaults.Get("namespace").Str())))
		}
		if account.Get("configs") != nil {
			continue
		}
		configs := defaults.Get("configs").clone()
		if configs == nil || len(configs.Items) != 3 {
			continue
		}
		fillAccount(configs.Items, account.Get("name").Str(), account.Get("namespace").Str(), account.Get("role").Str())
		account.Set("configs", calculated("name, namespace and role of the account", configs))
	}
}

func fillAccount(configs []*Value, name, namespace, role string) {
	object := func(parent *Value, member string) *Value {
		v := parent.Get(member)
		if v == nil || v.Kind != Map {
			v = NewMap()
			parent.Set(member, v)
		}
		return v
	}
	unset := func(v *Value, member, text string) {
		if v.Get(member) == nil {
			v.Set(member, NewString(text))
		}
	}
	listOf := func(parent *Value, member string, item *Value) {
		if list := parent.Get(member); list == nil || len(list.Items) == 0 {
			parent.Set(member, NewList(item))
		}
	}
	serviceAccount, binding, secret := configs[0], configs[1], configs[2]
	unset(object(serviceAccount, "metadata"), "name", name)
	unset(object(serviceAccount, "metadata"), "namespace", namespace)
	token := NewMap()
	token.Set("name", NewString(name+"-token"))
	listOf(serviceAccount, "secrets", token)

	unset(object(binding, "metadata"), "name", name)
	unset(object(binding, "roleRef"), "apiGroup", "rbac.authorization.k8s.io")
	unset(object(binding, "roleRef"), "kind", "ClusterRole")
	unset(object(binding, "roleRef"), "name", role)
	subject := NewMap()
	subject.Set("kind", NewString("ServiceAccount"))
	subject.Set("name", NewString(name))
	subject.Set("namespace", NewString(namespace))
	listOf(binding, "subjects", subject)

	unset(object(secret, "metadata"), "name", name+"-token")
	unset(object(secret, "metadata"), "namespace", namespace)
	unset(object(object(secret, "metadata"), "annotations"), "kubernetes.io/service-account.name", name)
	unset(secret, "type", "kubernetes.io/service-account-token")
}
