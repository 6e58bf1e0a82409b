package inventory

// controlPlain chooses the addresses of the control plane, each on its own and
// before anything is rendered: what is chosen may be a template.
func (r *resolver) controlPlain() {
	given := r.root.Get("control_plain")
	if given == nil || given.Kind != Map {
		given = NewMap()
		given.Origin = &Origin{Kind: FromCalculation, Rule: "its members"}
		r.root.Set("control_plain", given)
	}
	inner, outer := r.vrrpEndpoints()
	vrrpInner := inner.value != nil
	inner, outer = r.nodeEndpoints(inner, outer)
	if given.Get("internal") == nil && inner.value != nil {
		given.Set("internal", inner.taken())
	}
	if given.Get("external") != nil {
		return
	}
	switch {
	case outer.value != nil:
		given.Set("external", outer.taken())
		if vrrpInner && !outer.vrrp && r.taint.sound("/vrrp_ips") {
			r.fault(VRRPExternal, r.doc.Root.Get("vrrp_ips"), "/vrrp_ips", "give the VRRP address a floating_ip, or set control_plain.external",
				"the inner control plane address is a VRRP address, but the outer one is that of a single node")
		}
	case inner.value != nil:
		given.Set("external", calculated("no outer address is known, so the inner one", inner.taken()))
		if r.sound("/nodes/*/address", "/nodes/*/roles", "/vrrp_ips") && !r.anyTaintedNode() {
			r.fault(NoExternal, nil, "/control_plain/external", "give a node an address, a VRRP address a floating_ip, or set control_plain.external",
				"no outer address is known, so the inner control plane address is used outside too")
		}
	}
}

// endpoint is an address that was chosen.
type endpoint struct {
	value     *Value
	rule      string
	preferred bool // by control_endpoint
	vrrp      bool
}

// offer takes an address if there is none yet, or if it is preferred.
func (e *endpoint) offer(v *Value, rule string, preferred, vrrp bool) {
	if v == nil || v.Kind != String || v.Text == "" {
		return
	}
	if e.value == nil || preferred && !e.preferred {
		*e = endpoint{v, rule, preferred, vrrp}
	}
}

func (e *endpoint) taken() *Value {
	v := e.value.clone()
	v.Origin = &Origin{Kind: FromCalculation, Rule: e.rule, At: OriginOf(e.value).At}
	return v
}

func (r *resolver) vrrpEndpoints() (inner, outer endpoint) {
	if !r.has(Balancer) {
		return inner, outer
	}
	for _, item := range items(r.root.Get("vrrp_ips")) {
		if item.Kind == String {
			inner.offer(item, "the first VRRP address", false, true)
			continue
		}
		if isNotBind(item) || !r.carried(item) {
			continue
		}
		preferred := item.Get("control_endpoint").Bool()
		inner.offer(item.Get("ip"), "the first VRRP address, or the one with control_endpoint", preferred, true)
		outer.offer(item.Get("floating_ip"), "floating_ip of the first VRRP address, or of the one with control_endpoint", preferred, true)
	}
	return inner, outer
}

func isNotBind(item *Value) bool { return item.Get("params", "maintenance-type").Str() == "not bind" }

// carried tells that some host of a VRRP address is a balancer.
func (r *resolver) carried(item *Value) bool {
	hosts := item.Get("hosts")
	if hosts == nil {
		return true
	}
	for _, host := range items(hosts) {
		name := host
		if host.Kind == Map {
			name = host.Get("name")
		}
		if name != nil && isTemplate(name) {
			return true // not known yet; most likely it is one
		}
		if n := r.byName[name.Str()]; n != nil && n.Has(Balancer) {
			return true
		}
	}
	return false
}

// nodeEndpoints fills what VRRP addresses left open: from balancers, then from
// control planes.
func (r *resolver) nodeEndpoints(inner, outer endpoint) (endpoint, endpoint) {
	vrrpInner, vrrpOuter := inner.value != nil, outer.value != nil
	for _, role := range []string{Balancer, ControlPlane} {
		for _, n := range group(r.nodes, role) {
			item := r.root.at([]string{"nodes"}).Items[n.Index]
			preferred := item.Get("control_endpoint").Bool()
			if !vrrpInner {
				inner.offer(item.Get("internal_address"), "internal_address of the first "+role+", or of the node with control_endpoint", preferred, false)
			}
			if !vrrpOuter {
				outer.offer(item.Get("address"), "address of the first "+role+" that has one, or of the node with control_endpoint", preferred, false)
			}
		}
	}
	return inner, outer
}
