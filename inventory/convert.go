package inventory

import (
	"slices"
	"strings"
)

// truth reads a truth word; ok is false when it is none.
func truth(word string) (value, ok bool) {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "y", "yes", "t", "true", "on", "1":
		return true, true
	case "n", "no", "f", "false", "off", "0":
		return false, true
	}
	return false, false
}

// convert gives the few rendered values that are no texts their types.
func (r *resolver) convert(root *Value) {
	services := root.Get("services")
	r.convertSysctl(services.Get("sysctl"), (*way)(nil).member("services").member("sysctl"))
	for i, patch := range root.Get("patches").Items {
		if patch.Kind == Map {
			r.convertSysctl(patch.Get("services", "sysctl"), (*way)(nil).member("patches").item(i).member("services").member("sysctl"))
		}
	}
	for _, family := range services.Get("modprobe").Members {
		for i, module := range family.Value.Items {
			r.toBool(module.Get("install"), pointer("services", "modprobe", family.Name)+(*way)(nil).item(i).pointer()+"/install")
		}
	}
	options := services.Get("cri", "containerdConfig", `plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options`)
	r.toBool(options.Get("SystemdCgroup"), pointer("services", "cri", "containerdConfig", `plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options`, "SystemdCgroup"))
	for _, plugin := range root.Get("plugins").Members {
		r.toBool(plugin.Value.Get("install"), pointer("plugins", plugin.Name, "install"))
	}
	typha := root.Get("plugins", "calico", "typha")
	r.toBool(typha.Get("enabled"), "/plugins/calico/typha/enabled")
	r.toInt(typha.Get("replicas"), Integer, "/plugins/calico/typha/replicas")
	if ports := root.Get("plugins", "nginx-ingress-controller", "ports"); ports != nil {
		for i, port := range ports.Items {
			r.toInt(port.Get("hostPort"), Integer, (*way)(nil).member("plugins").member("nginx-ingress-controller").member("ports").item(i).member("hostPort").pointer())
		}
	}
}

func (r *resolver) convertSysctl(sysctl *Value, w *way) {
	if sysctl == nil {
		return
	}
	for i := range sysctl.Members {
		m := &sysctl.Members[i]
		path := w.member(m.Name).pointer()
		if m.Value.Kind != Map {
			r.toInt(m.Value, SysctlValue, path)
			continue
		}
		r.toInt(m.Value.Get("value"), SysctlValue, path+"/value")
		r.toBool(m.Value.Get("install"), path+"/install")
	}
}

func (r *resolver) toBool(v *Value, path string) {
	if v == nil || v.Kind != String || !r.taint.sound(path) {
		return
	}
	value, ok := truth(v.Text)
	if !ok {
		r.fault(TruthWord, v, path, "", "%q is no truth word, want true, yes, on, 1 or false, no, off, 0", short(v.Text))
		return
	}
	*v = Value{Kind: Bool, bits: NewBool(value).bits, At: v.At, Origin: v.Origin}
}

// toInt reads a whole number; a blank kernel parameter stays blank.
func (r *resolver) toInt(v *Value, code Code, path string) {
	if v == nil || v.Kind != String || !r.taint.sound(path) {
		return
	}
	text := strings.TrimSpace(v.Text)
	if text == "" && code == SysctlValue {
		v.Text = ""
		return
	}
	n, ok := intText(NewString(strings.TrimPrefix(text, "+")))
	if !ok {
		hint := ""
		if code == SysctlValue {
			hint = "a blank text turns the parameter off"
		}
		r.fault(code, v, path, hint, "%q is no whole number", short(v.Text))
		return
	}
	*v = Value{Kind: Int, bits: uint64(n), At: v.At, Origin: v.Origin}
}

// dropBlanks takes blank items out of every list.
func dropBlanks(v *Value) {
	for i := range v.Members {
		dropBlanks(v.Members[i].Value)
	}
	if len(v.Items) == 0 {
		return
	}
	v.Items = slices.DeleteFunc(v.Items, func(item *Value) bool { return item.Kind == String && item.Text == "" })
	for _, item := range v.Items {
		dropBlanks(item)
	}
}
