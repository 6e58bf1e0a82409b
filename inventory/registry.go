package inventory

import "strings"

// registryName is the name under which images are asked for.
func registryName(e *renderer) (string, error) {
	if e.root.Get("registry", "endpoints") != nil {
		name, err := e.text("registry", "mirror_registry")
		if name == "" {
			name = "registry.cluster.local"
		}
		return name, err
	}
	address, err := e.text("registry", "address")
	if err != nil {
		return "", err
	}
	port, err := e.text("registry", "docker_port")
	if port != "" {
		address += ":" + port
	}
	return address, err
}

// registryDefaults lets images come from the document's own registry.
func registryDefaults(d *Value) {
	name := func() *Value {
		return later("name of the registry", func(e *renderer) (*Value, error) {
			text, err := registryName(e)
			return NewString(text), err
		})
	}
	d.Get("services", "kubeadm").Set("imageRepository", name())
	d.Get("plugin_defaults", "installation").Set("registry", name())
}

func scheme(registry *Value) string {
	if registry.Get("ssl").Bool() {
		return "https://"
	}
	return "http://"
}

// knownFiles is the third-party files whose source follows from the Kubernetes
// version: on the maker's server, and below a registry's web server.
var knownFiles = map[string]struct{ public, mirrored func(release) string }{
	"/usr/bin/kubeadm":       kubernetesFile("kubeadm"),
	"/usr/bin/kubelet":       kubernetesFile("kubelet"),
	"/usr/bin/kubectl":       kubernetesFile("kubectl"),
	"/usr/bin/calicoctl":     githubFile("projectcalico/calico", func(r release) string { return r.calico }, func(release) string { return "calicoctl-linux-amd64" }),
	"/usr/bin/crictl.tar.gz": githubFile("kubernetes-sigs/cri-tools", func(r release) string { return r.crictl }, func(r release) string { return "crictl-" + r.crictl + "-linux-amd64.tar.gz" }),
	"/usr/bin/etcd.tar.gz":   githubFile("etcd-io/etcd", func(r release) string { return "v" + r.etcd }, func(r release) string { return "etcd-v" + r.etcd + "-linux-amd64.tar.gz" }),
}

func kubernetesFile(name string) struct{ public, mirrored func(release) string } {
	return struct{ public, mirrored func(release) string }{
		func(r release) string { return "https://dl.k8s.io/" + r.kubernetes + "/bin/linux/amd64/" + name },
		func(r release) string { return "kubernetes/" + name + "/" + r.kubernetes + "/bin/linux/amd64/" + name },
	}
}

func githubFile(repository string, version, file func(release) string) struct{ public, mirrored func(release) string } {
	return struct{ public, mirrored func(release) string }{
		func(r release) string {
			return "https://github.com/" + repository + "/releases/download/" + version(r) + "/" + file(r)
		},
		func(r release) string { return repository + "/" + version(r) + "/" + file(r) },
	}
}

// thirdpartyDefaults says where known files come from.
func thirdpartyDefaults(files, registry *Value) {
	mirrored := registry.Get("thirdparties") != nil || registry.Get("webserver").Bool()
	for name, file := range knownFiles {
		f := files.Get(name)
		if !mirrored {
			f.Set("source", byRelease("goes with the Kubernetes version", file.public))
			continue
		}
		f.Set("source", later("below the web server of the registry", func(e *renderer) (*Value, error) {
			base, err := e.text("registry", "thirdparties")
			if base == "" && err == nil {
				base, err = e.text("registry", "address")
				base = scheme(registry) + base
			}
			if err != nil {
				return nil, err
			}
			version, err := e.text(kubernetes...)
			return NewString(strings.TrimSuffix(base, "/") + "/" + file.mirrored(releaseOf(version))), err
		}))
	}
}

const criTable = `plugins."io.containerd.grpc.v1.cri"`

// oldTables is the keys of containerd's former registry configuration.
func oldTables(config *Value) []string {
	var keys []string
	for _, m := range config.Members {
		rest, ok := strings.CutPrefix(m.Name, criTable+".registry")
		if ok && (strings.HasPrefix(rest, ".mirrors") || strings.HasPrefix(rest, ".configs")) {
			keys = append(keys, m.Name)
		}
	}
	return keys
}

// registry tells containerd where the registry's endpoints are, and hands the
// plugins' registry to all plugins without one.
func (r *resolver) registry() {
	cri, registry := r.root.Get("services", "cri"), r.root.Get("registry")
	if registry != nil && registry.Kind == Map && r.taint.sound("/registry") {
		e := &renderer{r: r, root: r.root}
		name, _ := registryName(e)
		endpoints := texts(registry.Get("endpoints"))
		if registry.Get("endpoints") == nil {
			endpoints = []string{scheme(registry) + name}
		}
		r.registryEndpoints(cri, name, endpoints)
	}
	config := cri.Get("containerdConfig")
	if hosts := cri.Get("containerdRegistriesConfig"); hosts != nil && len(hosts.Members) > 0 {
		table := config.Get(criTable + ".registry")
		if table == nil {
			table = calculated("registries are configured", NewMap())
			config.Set(criTable+".registry", table)
		}
		if table.Kind == Map && table.Get("config_path") == nil {
			table.Set("config_path", calculated("registries are configured", NewString("/etc/containerd/certs.d")))
		}
	}
	shared := r.root.Get("plugin_defaults", "installation", "registry")
	if shared == nil {
		return
	}
	for _, plugin := range r.root.Get("plugins").Members {
		installation := plugin.Value.Get("installation")
		if plugin.Value.Kind == Map && installation == nil {
			installation = calculated("registry of all plugins", NewMap())
			plugin.Value.Set("installation", installation)
		}
		if installation != nil && installation.Kind == Map && installation.Get("registry") == nil {
			installation.Set("registry", calculated("plugin_defaults.installation.registry", NewString(shared.Str())))
		}
	}
}

func (r *resolver) registryEndpoints(cri *Value, name string, endpoints []string) {
	const rule = "endpoints of the registry"
	config := cri.Get("containerdConfig")
	if len(oldTables(config)) > 0 {
		key := criTable + `.registry.mirrors."` + name + `"`
		if config.Get(key) == nil {
			table := NewMap()
			table.Set("endpoint", newStrings(endpoints...))
			config.Set(key, calculated(rule, table))
		}
		return
	}
	hosts := cri.Get("containerdRegistriesConfig")
	if hosts == nil {
		hosts = calculated(rule, NewMap())
		cri.Set("containerdRegistriesConfig", hosts)
	}
	if hosts.Get(name) != nil {
		return
	}
	entry := NewMap()
	for _, endpoint := range endpoints {
		host := NewMap()
		host.Set("capabilities", newStrings("pull", "resolve"))
		entry.Set(`host."`+endpoint+`"`, host)
	}
	hosts.Set(name, calculated(rule, entry))
}
