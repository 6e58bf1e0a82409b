package inventory

import "strconv"

// assumedMaxPods is the kubelet's own default.
const assumedMaxPods = 110

func onGroups(value *Value, groups ...string) *Value {
	p := NewMap()
	p.Set("value", value)
	p.Set("groups", newStrings(groups...))
	return p
}

// kernelDefaults is the kernel parameters and modules that depend on the IP
// family and on the kubelet.
func (r *resolver) kernelDefaults(services *Value) {
	sysctl := services.Get("sysctl")
	protect := r.raw.Get("services", "kubeadm_kubelet", "protectKernelDefaults")
	if protect == nil || protect.Bool() {
		sysctl.Set("kernel.panic", byDefault(onGroups(NewInt(10), ControlPlane, Worker)))
		sysctl.Set("vm.overcommit_memory", byDefault(onGroups(NewInt(1), ControlPlane, Worker)))
		sysctl.Set("kernel.panic_on_oops", byDefault(onGroups(NewInt(1), ControlPlane, Worker)))
	}
	pids := onGroups(NewInt(0), ControlPlane, Worker)
	byDefault(pids)
	pids.Set("value", later("maxPods times podPidsLimit of the kubelet and 2048", func(e *renderer) (*Value, error) {
		return NewInt(processNeed(e.root.Get("services", "kubeadm_kubelet"), nil)), nil
	}))
	sysctl.Set("kernel.pid_max", pids)
	if r.v6 {
		sysctl.Set("net.ipv6.ip_nonlocal_bind", byDefault(onGroups(NewInt(1), Balancer)))
		sysctl.Set("net.bridge.bridge-nf-call-ip6tables", byDefault(onGroups(NewInt(1), ControlPlane, Worker)))
		sysctl.Set("net.ipv6.conf.all.forwarding", byDefault(onGroups(NewInt(1), ControlPlane, Worker)))
	}
	names := []string{"br_netfilter", "nf_conntrack"}
	if r.v6 {
		names = append(names, "ip6table_filter", "nf_nat", "nf_reject_ipv6", "nf_defrag_ipv6")
	}
	modules := NewMap()
	for _, family := range Families {
		list := NewList()
		for _, name := range names {
			m := NewMap()
			m.Set("modulename", NewString(name))
			m.Set("groups", newStrings(ControlPlane, Worker))
			list.Items = append(list.Items, m)
		}
		modules.Set(family, list)
	}
	services.Set("modprobe", byDefault(modules))
}

// processNeed is the process numbers that a node needs: those of all its pods and
// some for itself. patched has the settings of one node, if they differ.
func processNeed(kubelet, patched *Value) int64 {
	pods, ok := patched.Get("maxPods").Int()
	if !ok {
		if pods, ok = kubelet.Get("maxPods").Int(); !ok {
			pods = assumedMaxPods
		}
	}
	limit, ok := patched.Get("podPidsLimit").Int()
	if !ok {
		limit, _ = kubelet.Get("podPidsLimit").Int()
	}
	const most = 1 << 40 // far beyond what a kernel takes: no overflow on the way
	return clampInt(clampInt(pods, most/4096)*clampInt(limit, 4096*1024)+2048, most)
}

func clampInt(n, limit int64) int64 { return max(-limit, min(limit, n)) }

func intText(v *Value) (int64, bool) {
	if v == nil {
		return 0, false
	}
	if v.Kind == String {
		n, err := strconv.ParseInt(v.Text, 10, 64)
		return n, err == nil
	}
	return v.Int()
}
