package format

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// order sorts the members of every map that the schema knows. No alias comes to
// stand before its anchor, or behind another anchor of the same name.
// careful leaves alone what has an anchor.
func order(root *node, marks []mark, careful bool) {
	o := orderer{marks, careful}
	o.node(root, schemaShape())
}

type orderer struct {
	marks   []mark
	careful bool
}

func (o orderer) node(n *node, s *shape) {
	if o.careful && strings.Contains(n.props, "&") {
		return
	}
	switch n.kind {
	case listNode:
		for i, e := range n.entries {
			o.node(e.value, s.item(i))
		}
	case mapNode:
		s = s.form(n.names())
		for _, e := range n.entries {
			o.node(e.value, s.member(e.name))
		}
		if s != nil && !s.keyed {
			o.members(n, s)
		}
	}
}

func (n *node) names() []string {
	names := make([]string, len(n.entries))
	for i, e := range n.entries {
		names[i] = e.name
	}
	return names
}

func rank(e *entry, s *shape) int {
	if e.merge {
		return -1
	}
	if r, known := s.rank[e.name]; known {
		return r
	}
	return math.MaxInt
}

// members puts the lowest rank first, among those that need not wait for another.
func (o orderer) members(n *node, s *shape) {
	byRank := func(a, b *entry) int { return cmp.Compare(rank(a, s), rank(b, s)) }
	if slices.IsSortedFunc(n.entries, byRank) {
		return
	}
	after, waiting := o.waits(n.entries)
	sorted := make([]*entry, 0, len(n.entries))
	ready := func(i int) bool { return n.entries[i] != nil && waiting[i] == 0 }
	for len(sorted) < len(n.entries) {
		next := -1
		for i, e := range n.entries {
			if ready(i) && (next < 0 || byRank(e, n.entries[next]) < 0) {
				next = i
			}
		}
		sorted = append(sorted, n.entries[next])
		n.entries[next] = nil
		for _, i := range after[next] {
			waiting[i]--
		}
	}
	n.entries = sorted
}

// waits says which entries must stay after which, and on how many each waits.
func (o orderer) waits(entries []*entry) (after [][]int, waiting []int) {
	after, waiting = make([][]int, len(entries)), make([]int, len(entries))
	edge := func(from, to int) {
		if from != to {
			after[from] = append(after[from], to)
			waiting[to]++
		}
	}
	type uses struct {
		anchor int // entry of the last anchor, -1 for none
		since  []int
	}
	seen := make(map[string]*uses)
	for i, e := range entries {
		for _, m := range o.marks[e.from:e.to] {
			u := seen[m.name]
			if u == nil {
				u = &uses{anchor: -1}
				seen[m.name] = u
			}
			if u.anchor >= 0 {
				edge(u.anchor, i)
			}
			if !m.anchor {
				u.since = append(u.since, i)
				continue
			}
			for _, j := range u.since {
				edge(j, i)
			}
			u.anchor, u.since = i, nil
		}
	}
	return after, waiting
}
