package ratelimit

import "fmt"

// trace walks like match and notes every comparison. The reason is that of a
// descriptor that found no rule.
func (n *node) trace(path string, entries []Entry) (levels []ExplainedLevel, reason string) {
	if len(entries) == 0 {
		return nil, "the descriptor has no entries"
	}
	for _, e := range entries {
		tried, next := n.tries(e)
		levels = append(levels, ExplainedLevel{Tried: tried})
		if next == nil {
			return levels, fmt.Sprintf("%s is not in the rules of %s", entryText(e), path)
		}
		n = next
		path += "." + n.name
	}
	return levels, fmt.Sprintf("%s has no limit", path)
}

// tries compares an entry with the candidates in the order of child.
func (n *node) tries(e Entry) (tried []TriedNode, next *node) {
	matched := func(c *node, kind string) ([]TriedNode, *node) {
		return append(tried, TriedNode{Node: c.name, Kind: kind, Matched: true, explainedPlace: place(c.at)}), c
	}
	if e.Value != "" {
		if c, ok := n.exact[e]; ok {
			return matched(c, "exact")
		}
		tried = append(tried, TriedNode{Node: nodeName(e.Key, e.Value), Kind: "exact", Reason: "not in the rules"})
	}
	for _, c := range n.wild {
		if c.fits(e) {
			return matched(c, "wildcard")
		}
		tried = append(tried, TriedNode{
			Node: c.name, Kind: "wildcard", Reason: "does not fit " + entryText(e), explainedPlace: place(c.at),
		})
	}
	if c, ok := n.plain[e.Key]; ok {
		return matched(c, "key")
	}
	return append(tried, TriedNode{Node: e.Key, Kind: "key", Reason: "not in the rules"}), nil
}

func entryText(e Entry) string {
	if e.Value == "" {
		return e.Key
	}
	return e.Key + "=" + e.Value
}
