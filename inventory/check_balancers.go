package inventory

import "strconv"

// checkBalancers is what must hold between balancers and VRRP addresses.
func (r *resolver) checkBalancers() {
	r.checkTargetPorts()
	if !r.has(Balancer) || !r.taint.sound("/vrrp_ips") || !r.taint.sound("/nodes/*/roles") || r.anyTaintedNode() {
		return
	}
	haproxy := r.root.Get("services", "loadbalancer", "haproxy")
	maintenance := haproxy.Get("maintenance_mode")
	for _, n := range group(r.nodes, Balancer) {
		bound, kept := 0, 0
		for _, v := range r.vrrp {
			if v.On(n) != nil {
				bound++
				if !v.NotBind {
					kept++
				}
			}
		}
		roles := n.Value.Get("roles")
		switch {
		case n.Kubernetes() && bound == 0:
			r.fault(BalancerVRRP, roles, n.path+"/roles", "add it to the hosts of a VRRP address, or give it only the role balancer",
				"node %s is a balancer and more, so it needs a VRRP address of its own", n.Name)
		case n.Kubernetes() && maintenance.Bool() && kept == 0:
			r.fault(MaintenanceBind, roles, n.path+"/roles", "give it a VRRP address that is not marked not bind",
				"in maintenance mode node %s has no address to bind", n.Name)
		}
	}
	r.checkMaintenance(haproxy, maintenance)
}

func (r *resolver) checkMaintenance(haproxy, mode *Value) {
	if !r.taint.sound("/services/loadbalancer/haproxy") {
		return
	}
	var marked *Value
	path := ""
	for i, v := range r.vrrp {
		if v.NotBind {
			marked = v.Value.Get("params", "maintenance-type")
			path = (*way)(nil).member("vrrp_ips").item(i).member("params").member("maintenance-type").pointer()
			break
		}
	}
	switch {
	case mode.Bool() && marked == nil:
		r.fault(MaintenanceMode, mode, "/services/loadbalancer/haproxy/maintenance_mode", "mark a VRRP address with params.maintenance-type: not bind",
			"maintenance_mode is on, but no VRRP address is marked not bind")
	case !mode.Bool() && marked != nil:
		r.fault(MaintenanceMode, marked, path, "set services.loadbalancer.haproxy.maintenance_mode: true",
			"the VRRP address is marked not bind, but maintenance_mode is off")
	}
	location := haproxy.Get("mntc_config_location")
	if mode.Bool() && location.Str() == r.association("haproxy", "config_location") {
		r.fault(MaintenanceFile, location, "/services/loadbalancer/haproxy/mntc_config_location", "name another file",
			"%s is the regular configuration of haproxy, want a file of its own for maintenance", short(location.Str()))
	}
}

// association is what a program is called on the nodes' OS family.
func (r *resolver) association(program, what string) string {
	return associationOf(r.root, r.o.OSFamily, program, what)
}

func associationOf(root *Value, family, program, what string) string {
	associations := root.Get("services", "packages", "associations")
	if v := associations.Get(program, what); v != nil {
		return v.Str()
	}
	return associations.Get(family, program, what).Str()
}

// checkTargetPorts keeps the ports of two ingress controllers apart.
func (r *resolver) checkTargetPorts() {
	plugins := r.root.Get("plugins")
	envoy := plugins.Get("envoy-gateway", "install")
	if !envoy.Bool() || !plugins.Get("nginx-ingress-controller", "install").Bool() || !r.taint.sound("/services/loadbalancer/target_ports") {
		return
	}
	ports := r.root.Get("services", "loadbalancer", "target_ports")
	for _, mine := range []string{"envoy_http", "envoy_https"} {
		for _, other := range []string{"http", "https"} {
			a, b := ports.Get(mine), ports.Get(other)
			x, okX := intText(a)
			y, okY := intText(b)
			if !okX || !okY || x != y {
				continue
			}
			v, path := a, "/services/loadbalancer/target_ports/"+mine
			if OriginOf(a).At.Line == 0 && OriginOf(b).At.Line > 0 {
				v, path = b, "/services/loadbalancer/target_ports/"+other
			}
			if OriginOf(v).At.Line == 0 {
				v, path = envoy, "/plugins/envoy-gateway/install"
			}
			r.fault(TargetPorts, v, path, "give envoy and nginx different ports in services.loadbalancer.target_ports",
				"nginx and envoy are both installed, and target ports %s and %s are both %s", mine, other, strconv.FormatInt(x, 10))
			return
		}
	}
}
