package ratelimit

import (
	"iter"
	"maps"
	"slices"
)

// Rules is a checked and compiled set of rules. It never changes: a reload makes
// a new one.
type Rules struct {
	domains   map[string]*node
	replacing bool // some rule replaces others
}

// Rule is a node of the rules that has a limit.
type Rule struct {
	Path           string // domain and node names, as in statistics: shop.path_/a*.user
	At             Position
	Limit          Limit // without meaning when Unlimited
	Unlimited      bool
	Name           string
	Replaces       []string
	Shadow         bool
	Quota          bool
	DetailedMetric bool
	Metadata       map[string]any

	levels   []*node // the nodes from the top to this one, one per entry
	shares   bool    // some level has its pattern in the counter key
	ownNames bool    // statistics are named after the values of the request
	stats    *ruleStats
}

// node is one level of a domain's tree.
type node struct {
	name          string  // as files, statistics and people write it: key or key_value
	key, value    pattern // an empty value: not given
	at            Position
	share         bool
	valueToMetric bool
	rule          *Rule

	children []*node          // in the order written
	exact    map[Entry]*node  // those with key and value, in which a * stands for itself
	plain    map[string]*node // those with a key only
	wild     []*node          // those with a *, in the order written
}

func (n *node) wildcard() bool { return n.key.wild() || n.value.wild() }

// fits tells whether a wildcard node takes the entry. Key and value are compared
// apart, so that neither can run into the other.
func (n *node) fits(e Entry) bool {
	if !n.key.match(e.Key) {
		return false
	}
	return n.value.text == "" || e.Value != "" && n.value.match(e.Value)
}

// child finds the node for an entry: the exact one, else the first wildcard that
// fits, else the one with the key alone.
func (n *node) child(e Entry) *node {
	if c, ok := n.exact[e]; ok {
		return c
	}
	for _, c := range n.wild {
		if c.fits(e) {
			return c
		}
	}
	return n.plain[e.Key]
}

// Knows tells whether the rules have the domain.
func (r *Rules) Knows(domain string) bool { return r.domains[domain] != nil }

// Domains is the names of the domains, sorted.
func (r *Rules) Domains() []string { return slices.Sorted(maps.Keys(r.domains)) }

// match finds the rule for a descriptor's entries below a domain. Only the node
// of the last entry counts, and a wrong turn is not taken back.
func (n *node) match(entries []Entry) *Rule {
	if len(entries) == 0 {
		return nil
	}
	for _, e := range entries {
		if n = n.child(e); n == nil {
			return nil
		}
	}
	return n.rule
}

// All gives every rule, domains sorted, each domain from the top down.
func (r *Rules) All() iter.Seq[*Rule] {
	return func(yield func(*Rule) bool) {
		for _, domain := range r.Domains() {
			ok := r.domains[domain].walk(domain, func(n *node, _ string) bool { return n.rule == nil || yield(n.rule) })
			if !ok {
				return
			}
		}
	}
}

// walk visits every node below n with its path, from the top down.
func (n *node) walk(path string, visit func(*node, string) bool) bool {
	for _, c := range n.children {
		if path := path + "." + c.name; !visit(c, path) || !c.walk(path, visit) {
			return false
		}
	}
	return true
}
