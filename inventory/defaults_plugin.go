package inventory

import "strconv"

// pluginDefaults is what plugins have that depends on the nodes, the IP family
// and the Kubernetes version.
func (r *resolver) pluginDefaults(plugins *Value) {
	const rule = "goes with the Kubernetes version"
	for name, of := range map[string]func(release) string{
		"calico":                   func(v release) string { return v.calico },
		"local-path-provisioner":   func(v release) string { return v.localPath },
		"nginx-ingress-controller": func(release) string { return nginxVersion },
		"envoy-gateway":            func(release) string { return envoyVersion },
		"kubernetes-dashboard":     func(release) string { return dashboardVersion },
		"openstack-cinder-csi":     func(release) string { return cinderVersion },
		"csi-snapshot-controller":  func(release) string { return snapshotVersion },
	} {
		plugins.Get(name).Set("version", byRelease(rule, of))
	}
	r.calicoDefaults(plugins.Get("calico"))
	r.nginxDefaults(plugins.Get("nginx-ingress-controller"))
	dashboardDefaults(plugins.Get("kubernetes-dashboard"))
}

func (r *resolver) calicoDefaults(calico *Value) {
	n := int64(0)
	for _, node := range r.nodes {
		if node.Kubernetes() {
			n++
		}
	}
	typha := calico.Get("typha")
	typha.Set("enabled", calculated("from four control-plane or worker nodes on", NewBool(n > 3)))
	typha.Set("replicas", later("by the number of control-plane and worker nodes, 0 when typha is disabled", func(e *renderer) (*Value, error) {
		word, err := e.text("plugins", "calico", "typha", "enabled")
		if enabled, ok := truth(word); !ok || !enabled {
			return NewInt(0), err
		}
		return NewInt(1 + min(n-1, 1) + n/50), err
	}))

	mode := r.raw.Get("plugins", "calico", "mode").Str()
	own, other := "4", "6"
	if r.v6 {
		own, other = "6", "4"
	}
	env := calico.Get("env")
	always := func(on bool) *Value {
		if on {
			return calculated("mode", NewString("Always"))
		}
		return calculated("mode", NewString("Never"))
	}
	for _, family := range []string{"4", "6"} {
		env.Set("CALICO_IPV"+family+"POOL_IPIP", always(family == own && (mode == "" || mode == "ipip")))
		env.Set("CALICO_IPV"+family+"POOL_VXLAN", always(family == own && mode == "vxlan"))
	}
	env.Set("CALICO_IPV"+own+"POOL_CIDR", laterText("networking.podSubnet", "", []string{"services", "kubeadm", "networking", "podSubnet"}, ""))
	variable := map[string]string{"4": "IP", "6": "IP6"}
	env.Set(variable[own], calculated("IP family of the cluster", NewString("autodetect")))
	env.Set(variable[other], calculated("IP family of the cluster", NewString("none")))
	if r.v6 {
		env.Set("FELIX_IPV6SUPPORT", calculated("IP family of the cluster", NewString("true")))
		env.Set("CALICO_ROUTER_ID", calculated("IP family of the cluster", NewString("hash")))
	}
}

func (r *resolver) nginxDefaults(nginx *Value) {
	ports := NewList()
	for _, p := range []struct {
		name string
		port int64
		host string
	}{{"http", 80, "http"}, {"https", 443, "https"}, {"prometheus", 10254, ""}, {"webhook", 8443, ""}} {
		port := NewMap()
		port.Set("name", byDefault(NewString(p.name)))
		port.Set("containerPort", byDefault(NewInt(p.port)))
		if p.host != "" {
			port.Set("hostPort", later("target_ports."+p.host, func(e *renderer) (*Value, error) {
				text, err := e.text("services", "loadbalancer", "target_ports", p.host)
				if n, bad := strconv.ParseInt(text, 10, 64); bad == nil {
					return NewInt(n), err
				}
				return NewString(text), err
			}))
		}
		port.Set("protocol", byDefault(NewString("TCP")))
		ports.Items = append(ports.Items, port)
	}
	nginx.Set("ports", ports)
	config := nginx.Get("config_map")
	config.Set("use-proxy-protocol", calculated("whether a balancer exists", NewString(strconv.FormatBool(r.has(Balancer)))))
	if headers := r.raw.Get("plugins", "nginx-ingress-controller", "custom_headers"); headers != nil && len(headers.Members) > 0 {
		config.Set("proxy-set-headers", calculated("custom_headers are given", NewString("ingress-nginx/custom-headers")))
	}
}

func dashboardDefaults(dashboard *Value) {
	dashboard.Set("hostname", laterText("cluster_name", "dashboard.", clusterName, ""))
	host := func() *Value {
		return laterText("hostname", "", []string{"plugins", "kubernetes-dashboard", "hostname"}, "")
	}
	port, service, backend := NewMap(), NewMap(), NewMap()
	port.Set("number", NewInt(443))
	service.Set("name", NewString("kubernetes-dashboard"))
	service.Set("port", port)
	backend.Set("service", service)
	path, http, rule, tls := NewMap(), NewMap(), NewMap(), NewMap()
	path.Set("path", NewString("/"))
	path.Set("pathType", NewString("Prefix"))
	path.Set("backend", backend)
	http.Set("paths", NewList(path))
	byDefault(http)
	rule.Set("host", host())
	rule.Set("http", http)
	tls.Set("hosts", NewList(host()))
	spec := dashboard.Get("ingress", "spec")
	spec.Set("tls", NewList(tls))
	spec.Set("rules", NewList(rule))
}
