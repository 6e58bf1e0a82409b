package ratelimit

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	maxYAMLDepth   = 1000    // levels of maps and lists
	maxYAMLAliased = 1 << 18 // values that aliases stand for: a small file can ask for billions
)

// expand puts the anchored value in the place of every alias and writes merge
// keys out, so that the rest reads a plain tree. It refuses cycles and bombs,
// and tells keys that stand twice in a map.
func (r *yamlReader) expand(doc *yaml.Node) bool {
	e := yamlExpander{r: r, anchored: make(map[*yaml.Node]extent)}
	e.node(doc, 0)
	return !e.stopped
}

type yamlExpander struct {
	r        *yamlReader
	anchored map[*yaml.Node]extent // of anchors; zero while inside one
	aliased  int                   // values that aliases have added
	stopped  bool
}

// extent is how large a value is with its aliases written out.
type extent struct{ values, height int }

func (e *yamlExpander) stop(n *yaml.Node, why string) {
	e.r.bad(n, why)
	e.stopped = true
}

// node expands what is below n. An anchor stands before its aliases, so that each
// value of the text is visited once.
func (e *yamlExpander) node(n *yaml.Node, depth int) extent {
	if depth > maxYAMLDepth {
		e.stop(n, fmt.Sprintf("nested too deep: more than %d levels", maxYAMLDepth))
	}
	size := extent{values: 1}
	for i, c := range n.Content {
		if e.stopped {
			return size
		}
		below := e.child(n, i, c, depth+1)
		size.values += below.values
		size.height = max(size.height, below.height+1)
	}
	if n.Kind == yaml.MappingNode {
		e.merge(n)
	}
	if n.Anchor != "" {
		e.anchored[n] = size
	}
	return size
}

func (e *yamlExpander) child(n *yaml.Node, i int, c *yaml.Node, depth int) extent {
	if c.Kind != yaml.AliasNode {
		return e.node(c, depth)
	}
	n.Content[i] = c.Alias
	size := e.anchored[c.Alias]
	e.aliased += size.values
	switch {
	case size.values == 0:
		e.stop(c, "anchor '"+c.Value+"' contains itself")
	case e.aliased > maxYAMLAliased:
		e.stop(c, fmt.Sprintf("too large: aliases stand for more than %d values", maxYAMLAliased))
	case depth+size.height > maxYAMLDepth:
		e.stop(c, fmt.Sprintf("nested too deep: more than %d levels", maxYAMLDepth))
	}
	return size
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
