package inventory

import "slices"

// merger lays a document over defaults.
type merger struct {
	c     *collector
	taint *taints
}

// merge is base with over laid over it; both stay as they are. Maps merge member
// by member. In a list of over, the merge symbol stands for the items of base.
// Otherwise over wins.
func (m *merger) merge(base, over *Value, w *way) *Value {
	switch {
	case over == nil:
		return base.clone()
	case over.Kind == Null && base != nil && over.Origin == nil && w != nil && m.taint != nil && m.taint.at[w.pointer()]:
		return base.clone() // what the schema refused
	case over.Kind == List:
		return m.list(base, over, w)
	case over.Kind != Map:
		return over.clone()
	case base == nil || base.Kind != Map || replacesWhole(w):
		return m.members(&Value{}, over, w)
	}
	return m.members(base, over, w)
}

func (m *merger) members(base, over *Value, w *way) *Value {
	v := &Value{Kind: Map, At: over.At, Origin: over.Origin, Members: make([]Member, 0, max(len(base.Members), len(over.Members)))}
	for _, b := range base.Members {
		if i := over.find(b.Name); i >= 0 {
			o := over.Members[i]
			o.Value = m.merge(b.Value, o.Value, w.member(b.Name))
			v.add(o)
			continue
		}
		b.Value = b.Value.clone()
		v.add(b)
	}
	for _, o := range over.Members {
		if base.find(o.Name) < 0 {
			o.Value = m.merge(nil, o.Value, w.member(o.Name))
			v.add(o)
		}
	}
	return v
}

func (m *merger) list(base, over *Value, w *way) *Value {
	v := &Value{Kind: List, At: over.At, Origin: over.Origin, Items: make([]*Value, 0, len(over.Items))}
	seen := false
	for i, item := range over.Items {
		if !holdsSymbol(item) {
			v.Items = append(v.Items, m.merge(nil, item, w.item(i)))
			continue
		}
		if !m.symbol(item, w.item(i), &seen) || item.Get("<<").Str() != "merge" || base == nil || base.Kind != List {
			continue
		}
		for _, b := range base.Items {
			v.Items = append(v.Items, b.clone())
		}
	}
	return v
}

// symbol checks a merge symbol.
func (m *merger) symbol(item *Value, w *way, seen *bool) bool {
	path := w.pointer()
	switch word := item.Get("<<").Str(); {
	case len(item.Members) > 1:
		m.refuse(MergeMembers, item, path, "give the other members an item of their own", "the list merge symbol has further members, want it alone")
	case *seen:
		m.refuse(MergeTwice, item, path, "remove one of them", "a second merge symbol in one list, want at most one")
	case word != "merge" && word != "replace":
		if m.taint == nil || m.taint.sound(path) {
			m.refuse(MergeValue, item.Get("<<"), path+"/<<", didYouMean(word, []string{"merge", "replace"}), `"<<" is %s, want "merge" or "replace"`, describe(item.Get("<<")))
		}
	default:
		*seen = true
		return true
	}
	*seen = true
	return false
}

func (m *merger) refuse(code Code, at *Value, path, hint, format string, args ...any) {
	if m.c == nil {
		return
	}
	m.c.add(code, at.At, path, hint, format, args...)
	m.taint.add(path)
}

var builtinPlugins = []string{
	"calico", "nginx-ingress-controller", "envoy-gateway", "kubernetes-dashboard", "local-path-provisioner", "openstack-cinder-csi", "csi-snapshot-controller",
}

// replacesWhole tells the one exception: resources of a built-in plugin's
// component are never merged.
func replacesWhole(w *way) bool {
	if w == nil || w.name != "resources" {
		return false
	}
	s := w.segments()
	return len(s) > 2 && s[0] == "plugins" && slices.Contains(builtinPlugins, s[1])
}
