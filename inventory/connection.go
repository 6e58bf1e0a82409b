package inventory

import (
	"slices"
	"strconv"
	"strings"
)

// unreached is the node members that are not needed to reach a node.
var unreached = []string{"labels", "taints", "control_endpoint"}

// connection renders what is needed to reach the nodes, which sees nothing else
// of the document.
func (r *resolver) connection() {
	r.access = NewMap()
	for _, name := range accessMembers {
		if v := r.raw.Get(name); v != nil {
			r.access.Set(name, v.clone())
		}
	}
	r.access.At = r.raw.At
	for _, n := range items(r.access.Get("nodes")) {
		dropUnreached(n)
	}
	dropUnreached(r.access.Get("node_defaults"))
	e := r.newRenderer(r.access)
	e.hidden = true
	e.all()
}

func dropUnreached(v *Value) {
	if v == nil || v.Kind != Map {
		return
	}
	for _, name := range unreached {
		v.Delete(name)
	}
}

// names lists the nodes and names those that have no name: their first role and
// a number that counts all nodes of the role so far.
func (r *resolver) names() {
	counts := make(map[string]int)
	r.byName = make(map[string]*Node)
	nodes := r.raw.Get("nodes")
	if nodes == nil || nodes.Kind != List {
		return
	}
	for i, item := range nodes.Items {
		if item.Kind != Map {
			continue
		}
		access := r.access.Get("nodes").Items[i]
		n := &Node{
			Name: access.Get("name").Str(), Address: access.Get("address").Str(), Internal: access.Get("internal_address").Str(),
			ConnectTo: access.Get("connect_to").Str(), Roles: texts(item.Get("roles")), Index: i, path: nodePath(i),
		}
		for _, role := range slices.Compact(slices.Sorted(slices.Values(n.Roles))) {
			counts[role]++
		}
		if item.Get("name") == nil && r.taint.sound(n.path+"/name") {
			if n.Name = calledAfterRole(n, counts); n.Name != "" {
				item.Set("name", calculated("the node's first role and its number", NewString(n.Name)))
			}
		}
		r.nodes = append(r.nodes, n)
		if r.byName[n.Name] == nil {
			r.byName[n.Name] = n
		}
	}
}

func nodePath(i int) string { return (*way)(nil).member("nodes").item(i).pointer() }

func calledAfterRole(n *Node, counts map[string]int) string {
	for _, role := range []string{ControlPlane, Worker, Balancer} {
		if n.Has(role) {
			return role + "-" + strconv.Itoa(counts[role])
		}
	}
	return ""
}

// render renders the whole document, everything being visible to everything.
func (r *resolver) render() {
	e := r.newRenderer(r.root)
	e.all()
	for _, p := range e.order {
		if p.state == done && p.v.Text == "" && p.v.Kind == String && strings.Contains(OriginOf(p.v).Source, "{{") && !strings.Contains(OriginOf(p.v).Source, "{%") {
			r.empty = append(r.empty, p)
		}
	}
	for _, n := range r.nodes {
		n.Value = r.root.at([]string{"nodes", strconv.Itoa(n.Index)})
		n.Name, n.Address = n.Value.Get("name").Str(), n.Value.Get("address").Str()
		n.Internal, n.ConnectTo = n.Value.Get("internal_address").Str(), n.Value.Get("connect_to").Str()
	}
	clear(r.byName)
	for _, n := range r.nodes {
		if r.byName[n.Name] == nil {
			r.byName[n.Name] = n
		}
	}
}
