package inventory

// View is what one node gets: its item, kernel parameters, modules, flags of
// Kubernetes components, and as a balancer what haproxy and keepalived do.
func (inv *Inventory) View(n *Node) *Value {
	view := NewMap()
	view.Set("node", n.Value)
	view.Set("sysctl", orNone("services.sysctl, for its roles and name", inv.sysctlOf(n)))
	view.Set("modprobe", calculated("services.modprobe, for its OS family and roles", newStrings(inv.Modules(n)...)))
	view.Set("kubeadm_patches", orNone("services.kubeadm_patches, for its roles and name", inv.ComponentFlags(n)))
	if !n.Has(Balancer) {
		return view
	}
	view.Set("haproxy", calculated("addresses and ports of the nodes", inv.haproxy(n, false)))
	if inv.Maintenance() {
		view.Set("haproxy_maintenance", calculated("addresses and ports of the nodes", inv.haproxy(n, true)))
	}
	if keepalived := inv.keepalived(n); len(keepalived.Items) > 0 {
		view.Set("keepalived", calculated("vrrp_ips, for this node", keepalived))
	}
	return view
}

// orNone gives a map that has no members an origin of its own: nothing in it has one.
func orNone(rule string, v *Value) *Value {
	if len(v.Members) == 0 {
		return calculated(rule, v)
	}
	return v
}

// sysctlOf is the kernel parameters that are installed on a node.
func (inv *Inventory) sysctlOf(n *Node) *Value {
	set := NewMap()
	for _, m := range n.sysctl.Members {
		if v := parameterOn(m.Value, n); v != nil {
			number, _ := v.Int()
			set.Set(m.Name, &Value{Kind: Int, bits: uint64(number), At: v.At, Origin: v.Origin})
		}
	}
	return set
}

// Modules is the kernel modules of a node, in the order of the list.
func (inv *Inventory) Modules(n *Node) []string {
	var names []string
	for _, m := range items(inv.Root.Get("services", "modprobe", inv.OSFamily)) {
		if filtered(m, n) {
			names = append(names, m.Get("modulename").Str())
		}
	}
	return names
}

// Components that can be patched per node.
var components = []string{"apiServer", "etcd", "controllerManager", "scheduler", "kubelet"}

// ComponentFlags is component to flag to value on a node, later patches winning.
func (inv *Inventory) ComponentFlags(n *Node) *Value {
	all := NewMap()
	for _, component := range components {
		flags := NewMap()
		if component == "apiServer" && n.Has(ControlPlane) {
			flags.Set("bind-address", calculated("internal_address of the node", NewString(n.Internal)))
		}
		for _, m := range componentPatch(inv.Root, component, n).Members {
			flags.Set(m.Name, m.Value)
		}
		if len(flags.Members) > 0 {
			all.Set(component, flags)
		}
	}
	return all
}

// Maintenance tells whether balancers have a maintenance configuration.
func (inv *Inventory) Maintenance() bool {
	return inv.Root.Get("services", "loadbalancer", "haproxy", "maintenance_mode").Bool()
}

// TargetPorts is the ports of the ingress controller that gets the traffic.
func (inv *Inventory) TargetPorts() (http, https string) {
	balancer, prefix := inv.Root.Get("services", "loadbalancer"), ""
	switch backend := balancer.Get("target_backend").Str(); {
	case backend == "envoy":
		prefix = "envoy_"
	case backend == "" && !inv.Root.Get("plugins", "nginx-ingress-controller", "install").Bool() && inv.Root.Get("plugins", "envoy-gateway", "install").Bool():
		prefix = "envoy_"
	}
	ports := balancer.Get("target_ports")
	return scalarText(ports.Get(prefix + "http")), scalarText(ports.Get(prefix + "https"))
}

// Binds is the addresses that haproxy of a node listens on.
func (inv *Inventory) Binds(n *Node, maintenance bool) []string {
	var addresses []string
	for _, v := range inv.VRRP {
		if v.On(n) != nil && !(maintenance && v.NotBind) {
			addresses = append(addresses, v.IP)
		}
	}
	switch {
	case n.Kubernetes():
	case maintenance:
		addresses = append(addresses, n.Internal)
	default:
		return []string{"0.0.0.0", "::"}
	}
	return addresses
}

func (inv *Inventory) haproxy(n *Node, maintenance bool) *Value {
	bind, servers := NewMap(), NewMap()
	for _, front := range [][2]string{{"http", "80"}, {"https", "443"}, {"kubernetes_api", "6443"}} {
		list := NewList()
		for _, address := range inv.Binds(n, maintenance) {
			list.Items = append(list.Items, NewString(address+":"+front[1]))
		}
		bind.Set(front[0], list)
	}
	http, https := inv.TargetPorts()
	for _, back := range []struct{ name, role, port string }{
		{"http_backend", Worker, http}, {"https_backend", Worker, https}, {"kubernetes_control_plane_nodes", ControlPlane, "6443"},
	} {
		list := NewList()
		for _, server := range inv.Group(back.role) {
			list.Items = append(list.Items, NewString(server.Name+" "+server.Internal+":"+back.port))
		}
		if len(list.Items) > 0 {
			servers.Set(back.name, list)
		}
	}
	v := NewMap()
	v.Set("bind", bind)
	v.Set("servers", servers)
	return v
}

func (inv *Inventory) keepalived(n *Node) *Value {
	list := NewList()
	for _, v := range inv.VRRP {
		host := v.On(n)
		if host == nil {
			continue
		}
		peers, source := NewList(), &Value{}
		for _, other := range v.Hosts {
			if other.Node != n {
				peers.Items = append(peers.Items, NewString(other.Node.Internal))
			}
		}
		if len(peers.Items) > 0 {
			source = NewString(n.Internal)
		}
		item := NewMap()
		item.Set("id", NewString(v.ID))
		item.Set("ip", NewString(v.IP))
		item.Set("router_id", NewString(v.RouterID))
		item.Set("priority", NewInt(host.Priority))
		item.Set("interface", NewString(host.Interface))
		item.Set("source", source)
		item.Set("peers", peers)
		list.Items = append(list.Items, item)
	}
	return list
}
