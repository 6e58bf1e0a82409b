package inventory

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"time"
)

// resolveTime bounds all templates of a document together.
const resolveTime = 10 * time.Second

// resolver turns one document into an Inventory.
type resolver struct {
	collector
	ctx    context.Context
	o      Options
	taint  taints
	raw    *Value // the document without what the schema refused
	access *Value // what is needed to reach the nodes, rendered
	root   *Value // the effective document as it grows
	nodes  []*Node
	byName map[string]*Node
	vrrp   []*VRRP
	v6     bool // the IP family of the cluster
	told   map[toldKey]bool
	empty  []*pending // templates that rendered as nothing
	late   bool       // the time for templates is over
}

// run is the order of work. A stage whose input is not sound does what it can.
func (r *resolver) run() {
	if r.schema(); len(r.faults) >= maxFaults {
		return // enough to mend
	}
	r.connection()
	r.names()
	r.family()
	m := merger{&r.collector, &r.taint}
	r.root = m.merge(r.defaults(), r.raw, nil)
	r.controlPlain()
	r.render()
	r.convert(r.root)
	dropBlanks(r.root)
	r.reach()
	r.nodeDefaults()
	r.checkNodes()
	r.checkVersion()
	r.normalForms()
	r.vrrpAddresses()
	r.registry()
	r.kernel()
	r.calculate()
	r.checkServices()
	r.checkBalancers()
	r.checkPlugins()
	r.root.inOrder(compiledSchema().names)
}

// inOrder sorts members as they are listed; others stay behind them.
func (v *Value) inOrder(names []string) {
	rank := func(m Member) int {
		if i := slices.Index(names, m.Name); i >= 0 {
			return i
		}
		return len(names)
	}
	slices.SortStableFunc(v.Members, func(a, b Member) int { return cmp.Compare(rank(a), rank(b)) })
	v.reindex()
}

func (r *resolver) inventory() *Inventory {
	inv := &Inventory{Document: r.doc, OSFamily: r.o.OSFamily, Root: r.root, Nodes: r.nodes, VRRP: r.vrrp}
	for _, g := range items(r.root.Get("gateway_nodes")) {
		inv.Gateways = append(inv.Gateways, g.Get("name").Str())
	}
	return inv
}

// schema reports what the schema refuses and takes it out.
func (r *resolver) schema() {
	issues := compiledSchema().check(r.doc.Root, nil, nil)
	for _, i := range issues {
		r.add(i.code, i.at, i.path, i.hint, "%s", i.message)
	}
	r.raw = r.doc.Root.clone()
	prune(r.raw, issues, &r.taint)
}

// unsound is the codes whose values cannot be built upon. After any other fault
// of meaning the value itself is known, and further checks can use it.
var unsound = []Code{InternalAddress, KubernetesVersion, TruthWord, Integer, SysctlValue}

// fault reports a fault of a value once, unless it follows from an earlier one.
func (r *resolver) fault(code Code, v *Value, path, hint, format string, args ...any) {
	if !r.taint.usable(path) || r.told[toldKey{code, path}] {
		return
	}
	r.told[toldKey{code, path}] = true
	r.add(code, r.place(v, path), path, hint, format, args...)
	if slices.Contains(unsound, code) {
		r.taint.add(path)
	}
}

// sound tells that nothing is wrong at, above or below any of these pointers.
func (r *resolver) sound(paths ...string) bool {
	return !slices.ContainsFunc(paths, func(p string) bool { return !r.taint.sound(p) })
}

type toldKey struct {
	code Code
	path string
}

// place is where a value stands in the document, or the nearest thing above it
// that does.
func (r *resolver) place(v *Value, path string) Place {
	if v != nil {
		if o := OriginOf(v); o.At.Line > 0 {
			return o.At
		}
	}
	segments := splitPointer(path)
	for ; len(segments) > 0; segments = segments[:len(segments)-1] {
		if v := r.doc.Root.at(segments); v != nil {
			return v.At
		}
	}
	return r.doc.Root.At
}

// family finds the IP family of the cluster: that of the first node.
func (r *resolver) family() {
	if len(r.nodes) == 0 {
		return
	}
	first := r.nodes[0]
	ip, err := netip.ParseAddr(first.Internal)
	if err != nil {
		v := r.doc.Root.at([]string{"nodes", "0", "internal_address"})
		r.fault(InternalAddress, v, "/nodes/0/internal_address", "the first node decides the IP family of the cluster",
			"internal_address %q of the first node is not an IP address", short(first.Internal))
		return
	}
	r.v6 = ip.Is6() && !ip.Is4In6()
}

func (r *resolver) has(role string) bool { return len(group(r.nodes, role)) > 0 }

// items is what a list holds, leaving out what the schema refused.
func items(list *Value) []*Value {
	if list == nil || list.Kind != List {
		return nil
	}
	for _, item := range list.Items {
		if item.Kind == Null {
			return withoutNull(list.Items)
		}
	}
	return list.Items
}

func withoutNull(all []*Value) []*Value {
	var some []*Value
	for _, item := range all {
		if item.Kind != Null {
			some = append(some, item)
		}
	}
	return some
}
