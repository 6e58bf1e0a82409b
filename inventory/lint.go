package inventory

import (
	"context"
	"net/netip"
	"strings"
)

// Lint is everything that Resolve says, and what is allowed but hardly meant.
func Lint(ctx context.Context, d *Document, o Options) Faults {
	_, faults := resolve(ctx, d, o, (*resolver).lint)
	return faults
}

// lint looks at what nobody checks. It runs after everything else and passes over
// what is faulty anyway.
func (r *resolver) lint() {
	if r.root == nil {
		return
	}
	r.lintRoles()
	r.lintNodes()
	r.lintVRRP()
	r.lintAccess()
	r.lintCluster()
	for _, p := range r.empty {
		path := p.w.pointer()
		r.fault(LintEmptyTemplate, p.v, path, "check the names in it, or write an empty text", "the template renders as nothing: %s", short(OriginOf(p.v).Source))
	}
}

func (r *resolver) lintRoles() {
	nodes := r.doc.Root.Get("nodes")
	if len(r.nodes) == 0 || !r.sound("/nodes/*/roles") || r.anyTaintedNode() {
		return
	}
	if n := len(group(r.nodes, ControlPlane)); n > 0 && n%2 == 0 {
		r.fault(LintEvenControlPlanes, nodes, "/nodes", "take 1, 3 or 5", "%d control planes survive no more failures than %d", n, n-1)
	}
	if !r.has(Worker) {
		r.fault(LintNoWorker, nodes, "/nodes", "give a node the role worker", "no node has the role worker")
	}
}

func (r *resolver) lintNodes() {
	for i, n := range r.nodes {
		if ip, err := netip.ParseAddr(n.Internal); err != nil {
			if i > 0 && n.Internal != "" {
				r.fault(LintInternalAddress, n.Value.Get("internal_address"), n.path+"/internal_address", "", "internal_address %q of node %s is not an IP address", short(n.Internal), n.Name)
			}
		} else if i > 0 && (ip.Is6() && !ip.Is4In6()) != r.v6 {
			r.fault(LintMixedFamilies, n.Value.Get("internal_address"), n.path+"/internal_address", "", "internal_address %s of node %s is of another IP family than that of the first node", ip, n.Name)
		}
		if name := n.Name; len(name) > 63 || strings.Trim(name, "-.") != name {
			r.fault(LintNodeName, n.Value.Get("name"), n.path+"/name", "", "node name %q should begin and end with a letter or a digit and have up to 63 characters", short(name))
		}
		if password := n.Value.Get("password"); password != nil && password.Kind == String && password.Text == "" && n.Value.Get("keyfile") == nil {
			path := n.path + "/password"
			if OriginOf(password).Kind == FromNodeDefaults {
				path = "/node_defaults/password"
			}
			r.fault(LintBlankPassword, password, path, "is an environment variable not set?", "the password of node %s is blank", n.Name)
		}
	}
}

func (r *resolver) lintVRRP() {
	seen := make(map[string]bool)
	for i, v := range r.vrrp {
		w := (*way)(nil).member("vrrp_ips").item(i)
		if len(v.RouterID) > 3 {
			r.fault(LintRouterID, v.Value.Get("router_id"), w.member("router_id").pointer(), "take a number from 1 to 255", "router_id %q has more than 3 characters", short(v.RouterID))
		} else if seen["router "+v.RouterID] {
			r.fault(LintRouterID, r.given(v.Value.Get("router_id"), v.Value), w.member("router_id").pointer(), "give each VRRP address its own", "router_id %s is already that of another VRRP address", v.RouterID)
		}
		if seen["id "+v.ID] {
			r.fault(LintVRRPTwice, r.given(v.Value.Get("id"), v.Value), w.member("id").pointer(), "", "VRRP id %s is already that of another address", short(v.ID))
		}
		password := v.Value.Get("password").Str()
		if password != "" && seen["password "+password] {
			r.fault(LintVRRPTwice, v.Value.Get("password"), w.member("password").pointer(), "", "the VRRP password is already that of another address")
		}
		seen["router "+v.RouterID], seen["id "+v.ID], seen["password "+password] = true, true, true
	}
}

// given is the value when the document has it, else what it belongs to.
func (r *resolver) given(v, owner *Value) *Value {
	if OriginOf(v).At.Line > 0 {
		return v
	}
	return owner
}

func (r *resolver) lintAccess() {
	used := make(map[string]bool)
	for _, n := range r.nodes {
		used[n.Gateway] = true
	}
	for i, g := range items(r.root.Get("gateway_nodes")) {
		if name := g.Get("name"); name.Str() != "" && !used[name.Str()] {
			r.fault(LintUnusedGateway, name, (*way)(nil).member("gateway_nodes").item(i).member("name").pointer(), "", "no node is reached through gateway %q", short(name.Str()))
		}
	}
	if v := r.doc.Root.Get("node_defaults", "password"); v.Str() != "" && !isTemplate(v) {
		r.fault(LintClearPassword, v, "/node_defaults/password", `take it from the environment: "{{ env.SSH_PASSWORD }}"`, "the password of all nodes stands in clear text")
	}
}

func (r *resolver) lintCluster() {
	name := r.root.Get("cluster_name")
	if _, err := netip.ParseAddr(name.Str()); name != nil && (err == nil || strings.TrimSpace(name.Str()) == "") {
		r.fault(LintClusterName, name, "/cluster_name", "take a full domain name", "cluster_name %q is no domain name", name.Str())
	}
	if v := r.doc.Root.Get("public_cluster_ip"); v != nil {
		r.fault(LintObsolete, v, "/public_cluster_ip", "use control_plain.external", "public_cluster_ip is obsolete")
	}
	if v := r.doc.Root.Get("registry", "address"); v != nil {
		r.fault(LintObsolete, v, "/registry/address", "use registry.endpoints", "the address and port form of registry is obsolete")
	}
	history := r.root.Get("procedure_history")
	archive, _ := history.Get("archive_threshold").Int()
	if remove, ok := history.Get("delete_threshold").Int(); ok && remove < archive {
		r.fault(LintThresholds, history.Get("delete_threshold"), "/procedure_history/delete_threshold", "", "delete_threshold %d is below archive_threshold %d", remove, archive)
	}
}
