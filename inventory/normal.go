package inventory

import "slices"

// normalForms writes short forms out, so that later stages meet one form each.
func (r *resolver) normalForms() {
	services := r.root.Get("services")
	r.normalPackages(services.Get("packages"))
	r.normalThirdparties(services.Get("thirdparties"))
	for _, family := range services.Get("modprobe").Members {
		for i, module := range family.Value.Items {
			if module.Kind == String {
				family.Value.Items[i] = wrapped("modulename", module)
			}
		}
	}
	for _, plugin := range r.root.Get("plugins").Members {
		if plugin.Value.Kind == Map && plugin.Value.Get("install") == nil {
			plugin.Value.Set("install", byDefault(NewBool(false)))
		}
		for _, step := range items(plugin.Value.Get("installation", "procedures")) {
			normalStep(step)
		}
	}
	r.normalFlags(services.Get("kubeadm_flags"))
}

// wrapped is an object with the value as its one member.
func wrapped(name string, v *Value) *Value {
	m := &Value{Kind: Map, At: v.At, Origin: v.Origin}
	m.Set(name, v)
	return m
}

func (r *resolver) normalPackages(packages *Value) {
	for _, name := range []string{"install", "upgrade", "remove"} {
		v := packages.Get(name)
		if v == nil {
			continue
		}
		if v.Kind == List {
			v = wrapped("include", v)
			packages.Set(name, v)
		}
		if v.Kind == Map && name != "install" && v.Get("include") == nil {
			v.Set("include", calculated("everything, since only exceptions are given", newStrings("*")))
		}
	}
}

// controlPlaneFiles goes to control planes only, unless the document says where.
var controlPlaneFiles = []string{"/usr/bin/etcdctl", "/usr/bin/etcd.tar.gz", "/usr/bin/kubectl", "/usr/bin/calicoctl"}

func (r *resolver) normalThirdparties(files *Value) {
	given := r.raw.Get("services", "thirdparties")
	for i := range files.Members {
		m := &files.Members[i]
		if m.Value.Kind == String {
			m.Value = wrapped("source", m.Value)
		}
		file, own := m.Value, given.Get(m.Name)
		if file.Kind != Map {
			continue
		}
		if chooses(own) && own.Get("groups") == nil && own.Get("group") == nil {
			file.Delete("groups") // the document names nodes instead of the default groups
		}
		plural(file, "group", "groups")
		plural(file, "node", "nodes")
		if file.Get("groups") == nil && file.Get("nodes") == nil {
			groups := []string{ControlPlane, Worker}
			if slices.Contains(controlPlaneFiles, m.Name) {
				groups = groups[:1]
			}
			file.Set("groups", byDefault(newStrings(groups...)))
		}
		if file.Get("owner") == nil {
			file.Set("owner", byDefault(NewString("root")))
		}
		if file.Get("mode") == nil {
			file.Set("mode", byDefault(NewString("700")))
		}
	}
}

// chooses tells that an object says itself for which nodes it is.
func chooses(v *Value) bool {
	return v != nil && slices.ContainsFunc([]string{"group", "groups", "node", "nodes"}, func(name string) bool { return v.Get(name) != nil })
}

// plural turns group: a into groups: [a], after the ones that are there.
func plural(v *Value, one, many string) {
	single := v.Get(one)
	if single == nil {
		return
	}
	list := v.Get(many)
	v.Delete(one)
	if list == nil || OriginOf(list).Kind == FromDefault {
		list = &Value{Kind: List, At: single.At, Origin: single.Origin}
	}
	if !slices.Contains(texts(list), single.Str()) {
		list.Items = append(list.Items, single)
	}
	v.Set(many, list)
}

var shortSteps = map[string]string{"template": "source", "config": "source", "shell": "command", "ansible": "playbook"}

func normalStep(step *Value) {
	for i := range step.Members {
		m := &step.Members[i]
		if name := shortSteps[m.Name]; name != "" && m.Value.Kind == String {
			m.Value = wrapped(name, m.Value)
		}
		if m.Name == "expect" {
			for j := range m.Value.Members {
				if e := &m.Value.Members[j]; e.Value.Kind == List {
					e.Value = wrapped("list", e.Value)
				}
			}
		}
	}
}
