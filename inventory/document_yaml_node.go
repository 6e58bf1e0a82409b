package inventory

import "go.yaml.in/yaml/v3"

// yamlReader turns nodes into values: aliases and merge keys written out,
// scalars typed, what the format does not allow refused.
type yamlReader struct {
	c        *collector
	anchored map[*yaml.Node]*anchored // of anchors; nil value while inside one
	values   int
	stopped  bool
	lines    []Place // see realLines
	slab     []Value
}

// anchored is what an anchor stands for, and how large it is written out.
type anchored struct {
	value  *Value
	extent extent
}

type extent struct{ values, height int }

func (r *yamlReader) new(n *yaml.Node) *Value {
	if len(r.slab) == 0 {
		r.slab = make([]Value, 128)
	}
	v := &r.slab[0]
	r.slab = r.slab[1:]
	v.At = r.place(n)
	return v
}

func (r *yamlReader) refuse(code Code, n *yaml.Node, hint, format string, args ...any) {
	if !r.stopped {
		r.c.add(code, r.place(n), "", hint, format, args...)
	}
}

// stop refuses a document that is beyond a bound; nothing more is read.
func (r *yamlReader) stop(code Code, n *yaml.Node) {
	r.refuse(code, n, "", limitText[code], limitOf[code])
	r.stopped = true
}

// grow counts values against the bound.
func (r *yamlReader) grow(n *yaml.Node, by int) bool {
	if r.values += by; r.values > maxValues {
		r.stop(ParseTooMany, n)
	}
	return !r.stopped
}

// value reads a node that stands depth levels deep.
func (r *yamlReader) value(n *yaml.Node, depth int) (*Value, extent) {
	if n.Kind == yaml.AliasNode {
		return r.alias(n, depth)
	}
	if !r.grow(n, 1) {
		return r.new(n), extent{}
	}
	if n.Anchor != "" {
		r.anchored[n] = nil
	}
	v, size := r.new(n), extent{values: 1}
	switch n.Kind {
	case yaml.ScalarNode:
		r.scalar(n, v)
	case yaml.SequenceNode, yaml.MappingNode:
		if depth > maxDepth {
			r.stop(ParseDepth, n)
			return v, size
		}
		r.collectionTag(n)
		if n.Kind == yaml.SequenceNode {
			size = r.items(n, v, depth)
		} else {
			size = r.members(n, v, depth)
		}
	}
	if n.Anchor != "" {
		r.anchored[n] = &anchored{v, size}
	}
	return v, size
}

// alias is the anchored value, standing where the alias stands.
func (r *yamlReader) alias(n *yaml.Node, depth int) (*Value, extent) {
	a := r.anchored[n.Alias]
	if a == nil {
		r.refuse(ParseAlias, n, "", "anchor &%s contains itself", short(n.Value))
		r.stopped = true
		return r.new(n), extent{}
	}
	if depth+a.extent.height > maxDepth+1 {
		r.stop(ParseDepth, n)
	}
	r.grow(n, a.extent.values)
	v := r.new(n)
	at := v.At
	*v = *a.value
	v.At = at
	return v, a.extent
}

func (r *yamlReader) items(n *yaml.Node, v *Value, depth int) extent {
	size := extent{values: 1, height: 1}
	v.Kind = List
	v.Items = make([]*Value, 0, len(n.Content))
	for _, c := range n.Content {
		item, below := r.value(c, depth+1)
		if r.stopped {
			break
		}
		v.Items = append(v.Items, item)
		size.values += below.values
		size.height = max(size.height, below.height+1)
	}
	return size
}

func (r *yamlReader) members(n *yaml.Node, v *Value, depth int) extent {
	size := extent{values: 1, height: 1}
	v.Kind = Map
	v.Members = make([]Member, 0, len(n.Content)/2)
	var merged []Member
	for i := 0; i+1 < len(n.Content) && !r.stopped; i += 2 {
		key, at := n.Content[i], n.Content[i+1]
		value, below := r.value(at, depth+1)
		size.values += below.values
		size.height = max(size.height, below.height+1)
		if isMergeKey(key) {
			merged = r.merged(merged, at, value)
			continue
		}
		if m, ok := r.member(n, key, value); ok {
			if v.find(m.Name) >= 0 {
				r.refuse(ParseDuplicateKey, key, "", "key %q stands twice in one map", short(m.Name))
				continue
			}
			v.add(m)
		}
	}
	for _, m := range merged {
		if v.find(m.Name) < 0 {
			v.add(m)
		}
	}
	return size
}

func isMergeKey(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "<<" && n.Style&quotedStyles == 0 && n.ShortTag() == "!!merge"
}

// merged is the members that << brings, an earlier map winning over a later one.
func (r *yamlReader) merged(have []Member, at *yaml.Node, v *Value) []Member {
	switch {
	case v.Kind == Map:
		if !r.grow(at, len(v.Members)) {
			return have
		}
		return append(have, v.Members...)
	case v.Kind == List && len(at.Content) == len(v.Items):
		for i, item := range v.Items {
			if item.Kind != Map {
				r.refuse(ParseMergeKey, at.Content[i], "", "the merge key << wants a map or a list of maps, not %s", kindName(item))
				return have
			}
			have = r.merged(have, at.Content[i], item)
		}
		return have
	}
	hint := ""
	if v.Kind == String && (v.Text == "merge" || v.Text == "replace") {
		hint = `quote it to merge lists: "<<": ` + v.Text
	}
	r.refuse(ParseMergeKey, at, hint, "the merge key << wants a map or a list of maps, not %s", kindName(v))
	return have
}

// member names a value. A name may be written as any scalar.
func (r *yamlReader) member(in, key *yaml.Node, value *Value) (Member, bool) {
	m := Member{At: r.place(key), Value: value}
	if key.Kind == yaml.AliasNode && key.Alias.Kind == yaml.ScalarNode {
		key = key.Alias
	}
	if key.Kind != yaml.ScalarNode {
		if in.Style&key.Style&yaml.FlowStyle != 0 && key.Kind == yaml.MappingNode {
			r.refuse(ParseTemplate, in, "put the whole value in quotes", "a template must stand in quotes: outside of them YAML takes the brace for a map")
			return m, false
		}
		r.refuse(ParseKey, key, "", "a map or a list cannot be a key")
		return m, false
	}
	k := r.new(key)
	r.scalar(key, k)
	m.Name, m.Untext = scalarText(k), k.Kind != String
	return m, true
}
