package inventory

import "slices"

// checkServices is what must hold within services.
func (r *resolver) checkServices() {
	services := r.root.Get("services")
	r.checkModules(services.Get("modprobe"))
	r.checkNTP(services.Get("ntp"))
	r.checkPatchTargets(services.Get("kubeadm_patches"))
	r.checkContainerd(services.Get("cri"))
	r.checkThirdparties(services.Get("thirdparties"))
	r.checkAssociations(services.Get("packages", "associations"))
}

func (r *resolver) checkModules(modprobe *Value) {
	for _, family := range modprobe.Members {
		seen := make(map[string]bool)
		for i, module := range family.Value.Items {
			v := module.Get("modulename")
			path := pointer("services", "modprobe", family.Name) + (*way)(nil).item(i).pointer()
			if module.Kind != Map || !r.taint.sound(path) || v == nil && OriginOf(module).At.Line == 0 {
				continue
			}
			switch {
			case v.Str() == "":
				r.fault(Module, module, path, "", "a kernel module has no name")
			case seen[v.Str()]:
				r.fault(Module, r.later(family.Value, v), path, "remove one of them", "kernel module %s stands twice in the list of %s, default modules included", short(v.Str()), family.Name)
			}
			seen[v.Str()] = true
		}
	}
}

// later is of two equal module names the one in the document.
func (r *resolver) later(list, name *Value) *Value {
	if OriginOf(name).At.Line > 0 {
		return name
	}
	for _, m := range list.Items {
		if v := m.Get("modulename"); v.Str() == name.Str() && OriginOf(v).At.Line > 0 {
			return v
		}
	}
	return name
}

func (r *resolver) checkNTP(ntp *Value) {
	servers := ntp.Get("chrony", "servers")
	for _, name := range []string{"NTP", "FallbackNTP"} {
		v := ntp.Get("timesyncd", "Time", name)
		if servers != nil && v != nil {
			r.fault(NTP, v, pointer("services", "ntp", "timesyncd", "Time", name), "remove services.ntp.chrony.servers or this", "chrony has servers too, want one time service")
			return
		}
	}
}

func (r *resolver) checkPatchTargets(patches *Value) {
	if !r.taint.sound("/nodes/*/roles") || !r.taint.sound("/nodes/*/name") || r.anyTaintedNode() {
		return
	}
	for _, component := range patches.Members {
		for i, item := range component.Value.Items {
			for j, name := range items(item.Get("nodes")) {
				path := pointer("services", "kubeadm_patches", component.Name) + (*way)(nil).item(i).member("nodes").item(j).pointer()
				n := r.byName[name.Str()]
				switch {
				case n == nil:
					r.fault(KubeadmPatch, name, path, didYouMean(name.Str(), r.nodeNames()), "there is no node %q", short(name.Str()))
				case component.Name == "kubelet" && !n.Kubernetes():
					r.fault(KubeadmPatch, name, path, "", "node %s has no kubelet, want a control-plane or worker node", n.Name)
				case component.Name != "kubelet" && !n.Has(ControlPlane):
					r.fault(KubeadmPatch, name, path, "", "node %s does not run %s, want a control-plane node", n.Name, component.Name)
				}
			}
		}
	}
}

func (r *resolver) checkContainerd(cri *Value) {
	config := cri.Get("containerdConfig")
	old := oldTables(config)
	if len(old) == 0 {
		return
	}
	path := pointer("services", "cri", "containerdConfig", old[0])
	given := r.raw.Get("services", "cri")
	switch {
	case given.Get("containerdRegistriesConfig") != nil:
		r.fault(ContainerdRegistries, config.Get(old[0]), path, "move it to containerdRegistriesConfig", "the old registry tables exclude containerdRegistriesConfig")
	case config.Get(criTable+".registry", "config_path") != nil:
		r.fault(ContainerdRegistries, config.Get(old[0]), path, "move it to containerdRegistriesConfig", "the old registry tables exclude config_path")
	}
}

func (r *resolver) checkThirdparties(files *Value) {
	if !r.taint.sound("/nodes/*/name") || r.anyTaintedNode() {
		return
	}
	for _, m := range files.Members {
		for i, name := range items(m.Value.Get("nodes")) {
			if r.byName[name.Str()] == nil {
				path := pointer("services", "thirdparties", m.Name, "nodes") + (*way)(nil).item(i).pointer()
				if own := r.doc.Root.Get("services", "thirdparties", m.Name); own.Get("nodes") == nil {
					path = pointer("services", "thirdparties", m.Name, "node")
				}
				r.fault(ThirdpartyNode, name, path, didYouMean(name.Str(), r.nodeNames()), "there is no node %q", short(name.Str()))
			}
		}
	}
}

// checkAssociations is what the OS family of the nodes decides.
func (r *resolver) checkAssociations(associations *Value) {
	debian := slices.Contains([]string{"debian", "ubuntu26.04"}, r.o.OSFamily)
	given := r.raw.Get("services", "packages", "associations")
	for _, place := range [][]string{{r.o.OSFamily, "semanage"}, {"semanage"}} {
		if v := given.Get(place...); v != nil && debian {
			path := pointer(append([]string{"services", "packages", "associations"}, place...)...)
			r.fault(Association, v, path, "remove it", "semanage is not used on the %s family", r.o.OSFamily)
		}
	}
	for _, place := range [][]string{{r.o.OSFamily, "audit", "package_name"}, {"audit", "package_name"}} {
		if v := associations.Get(place...); v != nil && len(v.Items) > 1 {
			path := pointer(append([]string{"services", "packages", "associations"}, place...)...)
			r.fault(Association, v, path, "", "audit has %d packages, want one", len(v.Items))
		}
	}
}
