package inventory

import "slices"

const (
	pidMax       = "kernel.pid_max"
	conntrackMax = "net.netfilter.nf_conntrack_max"
)

// kernel applies patches to the kernel parameters of each node, and checks what
// comes out.
func (r *resolver) kernel() {
	sysctl := r.root.Get("services", "sysctl")
	r.pidPatches(sysctl)
	r.checkFilters(sysctl)
	patches, own := r.root.Get("patches"), r.ownPatches()
	m := merger{}
	for i, patch := range patches.Items {
		changes := patch.Get("services", "sysctl")
		if patch.Kind != Map || changes == nil || changes.Kind != Map {
			continue
		}
		marked := changes.clone()
		marked.patched(max(0, i+1-own))
		for _, n := range r.nodes {
			if !selected(patch, n) {
				continue
			}
			base := n.sysctl
			if base == nil {
				base = sysctl
			}
			n.sysctl = m.merge(base, marked, nil)
		}
	}
	for _, n := range r.nodes {
		if n.sysctl == nil {
			n.sysctl = sysctl
		}
	}
	r.checkKernel()
}

// patched marks values as coming from a patch, by its number in the document; 0
// is one of ours.
func (v *Value) patched(number int) {
	o := OriginOf(v)
	v.Origin = &Origin{Kind: FromPatch, Patch: number, At: o.At, Source: o.Source, Rule: o.Rule}
	for _, item := range v.Items {
		item.patched(number)
	}
	for i := range v.Members {
		v.Members[i].Value.patched(number)
	}
}

// selected tells whether groups and nodes of an object name a node: either will do.
func selected(by *Value, n *Node) bool {
	for _, role := range items(by.Get("groups")) {
		if n.Has(role.Str()) {
			return true
		}
	}
	return slices.ContainsFunc(items(by.Get("nodes")), func(name *Value) bool { return name.Str() == n.Name })
}

// filtered tells whether a parameter or module goes to a node: to all nodes when
// it names neither groups nor nodes.
func filtered(v *Value, n *Node) bool {
	if install := v.Get("install"); install != nil && install.Kind == Bool && !install.Bool() {
		return false
	}
	return v.Get("groups") == nil && v.Get("nodes") == nil || selected(v, n)
}

// parameter is a kernel parameter on a node, nil when it is not set there.
func (n *Node) parameter(name string) *Value { return parameterOn(n.sysctl.Get(name), n) }

func parameterOn(v *Value, n *Node) *Value {
	if v == nil {
		return nil
	}
	if v.Kind == Map {
		if !filtered(v, n) {
			return nil
		}
		v = v.Get("value")
	}
	if v == nil || v.Kind != Int && v.Kind != Float {
		return nil
	}
	return v
}

// pidPatches puts a patch first for every node whose kubelet is patched to need
// another number of processes, unless the document sets that number itself.
func (r *resolver) pidPatches(sysctl *Value) {
	if r.raw.Get("services", "sysctl", pidMax) != nil {
		return
	}
	var own []*Value
	kubelet := r.root.Get("services", "kubeadm_kubelet")
	usual := processNeed(kubelet, nil)
	for _, n := range r.nodes {
		need := processNeed(kubelet, r.kubeletPatch(n))
		if !n.Kubernetes() || need == usual {
			continue
		}
		changes, services, patch := NewMap(), NewMap(), NewMap()
		changes.Set(pidMax, NewInt(need))
		services.Set("sysctl", changes)
		patch.Set("nodes", newStrings(n.Name))
		patch.Set("services", services)
		own = append(own, calculated("maxPods times podPidsLimit of this node's kubelet and 2048", patch))
	}
	if list := r.root.Get("patches"); len(own) > 0 {
		list.Items = append(own, list.Items...)
	}
}

// kubeletPatch is the kubelet settings of one node, later patches winning.
func (r *resolver) kubeletPatch(n *Node) *Value { return componentPatch(r.root, "kubelet", n) }

func componentPatch(root *Value, component string, n *Node) *Value {
	flags := NewMap()
	for _, item := range items(root.Get("services", "kubeadm_patches", component)) {
		if patch := item.Get("patch"); patch != nil && patch.Kind == Map && selected(item, n) {
			for _, flag := range patch.Members {
				flags.Set(flag.Name, flag.Value)
			}
		}
	}
	return flags
}
