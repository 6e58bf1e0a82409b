package inventory

import (
	"fmt"
	"strconv"
)

const (
	mostPids  = 4194304 // the kernel takes no more
	usualPids = 32768   // what it has by itself
)

// checkKernel holds the parameters of all nodes against what Kubernetes needs.
func (r *resolver) checkKernel() {
	if !r.taint.sound("/nodes/*/roles") || r.anyTaintedNode() {
		return
	}
	r.checkPids()
	r.checkConntrack()
}

func (r *resolver) checkPids() {
	kubelet := r.root.Get("services", "kubeadm_kubelet")
	path := pointer("services", "sysctl", pidMax)
	if !r.sound(path, "/services/kubeadm_patches/kubelet", "/services/kubeadm_kubelet") || !r.soundPatches(pidMax) {
		return
	}
	told := make(map[string]bool) // one fault per cause, however many nodes
	for _, n := range r.nodes {
		if !n.Kubernetes() {
			continue
		}
		v := n.parameter(pidMax)
		need := processNeed(kubelet, r.kubeletPatch(n))
		value, _ := v.Int()
		at, p := r.pidPlace(v, n, path)
		tell := func(code Code, format string, args ...any) {
			message := fmt.Sprintf(format, args...)
			if key := fmt.Sprint(at, code, value, need); !told[key] {
				told[key] = true
				r.add(code, at, p, "", "%s", message)
			}
		}
		switch {
		case v == nil:
			tell(PidMax, "%s is not set on node %s, which needs %d", pidMax, n.Name, need)
		case value > mostPids:
			tell(PidMax, "%s is %d on node %s, above the kernel's limit of %d", pidMax, value, n.Name, mostPids)
		case value < need:
			tell(PidMax, "%s is %d on node %s, which needs %d: maxPods times podPidsLimit and 2048", pidMax, value, n.Name, need)
		case value < usualPids:
			tell(PidMaxLow, "%s is %d on node %s, below the usual %d", pidMax, value, n.Name, usualPids)
		}
	}
}

// pidPlace is what to mend: the parameter, or the kubelet setting it follows from.
func (r *resolver) pidPlace(v *Value, n *Node, path string) (Place, string) {
	if v == nil {
		v = n.sysctl.Get(pidMax)
	}
	if v != nil {
		if o := OriginOf(v); o.At.Line > 0 {
			return o.At, r.parameterPath(pidMax, v)
		}
	}
	patch := r.kubeletPatch(n)
	for _, name := range []string{"maxPods", "podPidsLimit"} {
		if p := patch.Get(name); p != nil && OriginOf(p).At.Line > 0 {
			return OriginOf(p).At, "/services/kubeadm_patches/kubelet"
		}
		if k := r.root.Get("services", "kubeadm_kubelet", name); k != nil && OriginOf(k).At.Line > 0 {
			return OriginOf(k).At, pointer("services", "kubeadm_kubelet", name)
		}
	}
	return r.place(nil, path), path
}

// ownPatches is how many patches of the effective list are not the document's.
func (r *resolver) ownPatches() int {
	n := 0
	for _, p := range r.root.Get("patches").Items {
		if OriginOf(p).Kind == FromCalculation {
			n++
		}
	}
	return n
}

// soundPatches tells that what patches say of a parameter can be relied on.
func (r *resolver) soundPatches(parameter string) bool {
	return r.sound("/patches/*/groups", "/patches/*/nodes", "/patches/*/services/sysctl"+pointer(parameter))
}

func (r *resolver) checkConntrack() {
	if !r.sound(pointer("services", "sysctl", conntrackMax)) || !r.soundPatches(conntrackMax) {
		return
	}
	var first *Node
	for _, n := range r.nodes {
		if !n.Kubernetes() {
			continue
		}
		if first == nil {
			first = n
			continue
		}
		a, b := first.parameter(conntrackMax), n.parameter(conntrackMax)
		if equal(a, b) {
			continue
		}
		at := b
		if at == nil || OriginOf(at).At.Line == 0 {
			at = a
		}
		r.fault(Conntrack, at, r.parameterPath(conntrackMax, at), "set it for all control-plane and worker nodes alike",
			"%s is %s on node %s and %s on node %s, want one value for all", conntrackMax, valueText(a), first.Name, valueText(b), n.Name)
		return
	}
}

// parameterPath is where the document says what a parameter's value is.
func (r *resolver) parameterPath(name string, v *Value) string {
	segments := []string{"services", "sysctl", name}
	if v != nil && OriginOf(v).Patch > 0 {
		segments = append([]string{"patches", strconv.Itoa(OriginOf(v).Patch - 1)}, segments...)
	}
	if own := r.doc.Root.at(segments); own != nil && own.Kind == Map && v != nil && v.Kind != Map {
		segments = append(segments, "value")
	}
	return pointer(segments...)
}

func valueText(v *Value) string {
	if v == nil {
		return "not set"
	}
	return scalarText(v)
}

// checkFilters warns about nodes that the document does not have.
func (r *resolver) checkFilters(sysctl *Value) {
	known := func(list *Value, path string) {
		for i, name := range items(list) {
			if r.byName[name.Str()] == nil && r.taint.sound("/nodes/*/name") && !r.anyTaintedNode() {
				r.fault(UnknownNode, name, path+"/nodes"+(*way)(nil).item(i).pointer(), didYouMean(name.Str(), r.nodeNames()), "there is no node %q", short(name.Str()))
			}
		}
	}
	for _, m := range sysctl.Members {
		known(m.Value.Get("nodes"), pointer("services", "sysctl", m.Name))
	}
	for _, family := range r.root.Get("services", "modprobe").Members {
		for i, module := range family.Value.Items {
			known(module.Get("nodes"), pointer("services", "modprobe", family.Name)+(*way)(nil).item(i).pointer())
		}
	}
	own := r.ownPatches()
	for i, patch := range r.root.Get("patches").Items {
		if i < own || patch.Kind != Map {
			continue
		}
		path := (*way)(nil).member("patches").item(i - own).pointer()
		known(patch.Get("nodes"), path)
		if changes := patch.Get("services", "sysctl"); changes != nil {
			for _, m := range changes.Members {
				known(m.Value.Get("nodes"), path+pointer("services", "sysctl", m.Name))
			}
		}
	}
}
