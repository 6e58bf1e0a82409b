package inventory

import (
	"slices"
	"strings"
)

// checkNodes is what must hold between nodes, gateways and roles.
func (r *resolver) checkNodes() {
	names, internal, access := make(map[string]*Node), make(map[string]*Node), make(map[string]*Node)
	gateways := r.gateways()
	for _, n := range r.nodes {
		r.checkName(n, names)
		r.checkAddresses(n, internal, access)
		r.checkAccess(n, gateways)
		r.checkLabels(n)
	}
	if len(r.nodes) > 0 && !r.has(ControlPlane) && r.taint.sound("/nodes/*/roles") && !r.anyTaintedNode() {
		r.fault(NoControlPlane, r.doc.Root.Get("nodes"), "/nodes", "give a node the role control-plane", "no node has the role control-plane, want at least one")
	}
}

// anyTaintedNode tells that a whole node is faulty, so that its roles are unknown.
func (r *resolver) anyTaintedNode() bool { return r.taint.at["/nodes/*"] || r.taint.at["/nodes"] }

func (r *resolver) checkName(n *Node, names map[string]*Node) {
	path := n.path + "/name"
	if n.Name == "" && n.Value.Get("name") == nil || !r.taint.sound(path) {
		return
	}
	v := n.Value.Get("name")
	if strings.Trim(n.Name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || n.Name == "" {
		hint := ""
		if lower := strings.ToLower(n.Name); strings.Trim(lower, "abcdefghijklmnopqrstuvwxyz0123456789-.") == "" && lower != "" {
			hint = `write "` + lower + `"`
		}
		r.fault(NodeName, v, path, hint, "node name %q may only have small letters, digits, - and dots", short(n.Name))
		return
	}
	if first := names[n.Name]; first != nil {
		hint := ""
		if OriginOf(v).Kind == FromCalculation {
			hint = "this node has no name and is called after its role: give it one"
		}
		r.fault(DuplicateName, v, path, hint, "node name %q is already that of node %d", n.Name, first.Index+1)
		return
	}
	names[n.Name] = n
}

func (r *resolver) checkAddresses(n *Node, internal, access map[string]*Node) {
	path := n.path + "/internal_address"
	twice := internal[n.Internal]
	if n.Internal != "" && r.taint.sound(path) {
		if twice != nil {
			r.fault(DuplicateInternal, n.Value.Get("internal_address"), path, "", "internal_address %s is already that of node %s", short(n.Internal), twice.Name)
		} else {
			internal[n.Internal] = n
		}
	}
	from := "connect_to"
	for _, name := range []string{"connect_to", "address", "internal_address"} {
		v := n.Value.Get(name)
		if v.Str() != "" && OriginOf(v).Kind != FromCalculation {
			from = name
			break
		}
	}
	v := n.Value.Get(from)
	path = n.path + "/" + from
	if n.ConnectTo == "" || !r.taint.sound(path) {
		return
	}
	first := access[n.ConnectTo]
	if first == nil {
		access[n.ConnectTo] = n
		return
	}
	if from == "internal_address" && twice != nil {
		return // told above
	}
	r.fault(DuplicateAddress, v, path, "give the node a connect_to or an address of its own", "node %s would be reached at %s, and so would node %s", n.Name, short(n.ConnectTo), first.Name)
}

// gateways is the names that nodes may refer to.
func (r *resolver) gateways() []string {
	var names []string
	list := r.root.Get("gateway_nodes")
	if list == nil {
		return nil
	}
	for i, g := range list.Items {
		path := (*way)(nil).member("gateway_nodes").item(i).member("name").pointer()
		name := g.Get("name").Str()
		if g.Kind != Map || name == "" || !r.taint.sound(path) {
			continue
		}
		if slices.Contains(names, name) {
			r.fault(DuplicateGateway, g.Get("name"), path, "", "gateway name %q stands twice in gateway_nodes", short(name))
			continue
		}
		names = append(names, name)
	}
	return names
}

func (r *resolver) checkAccess(n *Node, gateways []string) {
	path, v := n.path+"/gateway", n.Value.Get("gateway")
	if v != nil && OriginOf(v).Kind == FromNodeDefaults {
		path = "/node_defaults/gateway" // one cause for all nodes
	}
	if v != nil && !slices.Contains(gateways, v.Str()) && r.taint.sound("/gateway_nodes/*/name") && r.taint.sound("/gateway_nodes") {
		hint := didYouMean(v.Str(), gateways)
		if len(gateways) == 0 {
			hint = "describe it in gateway_nodes"
		}
		r.fault(UnknownGateway, v, path, hint, "gateway %q is not in gateway_nodes", short(v.Str()))
	}
	if n.Value.Get("keyfile") != nil || n.Value.Get("password") != nil {
		return
	}
	if r.sound(n.path+"/keyfile", n.path+"/password", "/node_defaults/keyfile", "/node_defaults/password") {
		item := r.doc.Root.at([]string{"nodes"}).Items[n.Index]
		r.add(Credentials, item.At, n.path, "give it one, or node_defaults one for all nodes", "node %s has neither keyfile nor password", n.Name)
	}
}

func (r *resolver) checkLabels(n *Node) {
	if n.Kubernetes() || len(n.Roles) == 0 || !r.taint.sound(n.path+"/roles") {
		return
	}
	for _, name := range []string{"labels", "taints"} {
		v := n.Value.Get(name)
		if v == nil {
			continue
		}
		path := n.path + "/" + name
		if OriginOf(v).Kind == FromNodeDefaults {
			path = "/node_defaults/" + name
		}
		r.fault(BalancerLabels, v, path, "", "node %s is only a balancer, so it cannot have %s", n.Name, name)
	}
}
