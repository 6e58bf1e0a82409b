package ratelimit

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	maxYAMLDepth = 1000    // levels of maps and lists
	maxYAMLNodes = 1 << 20 // after aliases are written out: a small file can ask for billions
)

// expand writes out aliases and merge keys, in place, so that the rest reads a
// plain tree. It refuses cycles, bombs and keys that stand twice in a map.
func (r *yamlReader) expand(doc *yaml.Node) bool {
	e := yamlExpander{r: r, inside: make(map[*yaml.Node]bool)}
	out := e.node(doc, 0)
	if len(r.faults) > 0 {
		return false
	}
	*doc = *out
	return true
}

type yamlExpander struct {
	r      *yamlReader
	inside map[*yaml.Node]bool // anchors being written out
	nodes  int
}

func (e *yamlExpander) node(n *yaml.Node, depth int) *yaml.Node {
	e.nodes++
	switch {
	case len(e.r.faults) > 0:
		return n
	case e.nodes > maxYAMLNodes:
		e.r.bad(n, "too large: more than a million values after aliases are written out")
		return n
	case depth > maxYAMLDepth:
		e.r.bad(n, "nested too deep: more than 1000 levels")
		return n
	}
	if n.Kind == yaml.AliasNode {
		if e.inside[n.Alias] {
			e.r.bad(n, "anchor '"+n.Value+"' contains itself")
			return n
		}
		e.inside[n.Alias] = true
		defer delete(e.inside, n.Alias)
		return e.node(n.Alias, depth+1)
	}
	if n.Anchor != "" && !e.inside[n] {
		e.inside[n] = true
		defer delete(e.inside, n)
	}
	out := *n
	out.Content = make([]*yaml.Node, len(n.Content))
	for i, c := range n.Content {
		out.Content[i] = e.node(c, depth+1)
	}
	if out.Kind == yaml.MappingNode {
		e.merge(&out)
	}
	return &out
}

// merge replaces << by the keys of its maps that the map does not have itself,
// an earlier map winning over a later one.
func (e *yamlExpander) merge(m *yaml.Node) {
	var own, merged []*yaml.Node
	first := make(map[string]*yaml.Node)
	for i := 0; i < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		if key.ShortTag() == "!!merge" {
			merged = append(merged, e.mergedPairs(value)...)
			continue
		}
		if id, ok := keyID(key); ok {
			if first[id] != nil {
				e.r.bad(key, "key '"+key.Value+"' stands twice in a map")
			}
			first[id] = key
		}
		own = append(own, key, value)
	}
	for i := 0; i < len(merged); i += 2 {
		if id, ok := keyID(merged[i]); ok && first[id] == nil {
			first[id] = merged[i]
			own = append(own, merged[i], merged[i+1])
		}
	}
	m.Content = own
}

func (e *yamlExpander) mergedPairs(value *yaml.Node) []*yaml.Node {
	switch value.Kind {
	case yaml.MappingNode:
		return value.Content
	case yaml.SequenceNode:
		var pairs []*yaml.Node
		for _, item := range value.Content {
			pairs = append(pairs, e.mergedPairs(item)...)
		}
		return pairs
	}
	e.r.bad(value, "<< wants a map or a list of maps")
	return nil
}

func keyID(key *yaml.Node) (string, bool) {
	return strings.Join([]string{key.ShortTag(), key.Value}, " "), key.Kind == yaml.ScalarNode
}
