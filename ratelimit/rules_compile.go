package ratelimit

import (
	"slices"
	"strings"
)

// NewRules checks the specs as one set and compiles it. With merge, several
// specs may add top-level descriptors to one domain. Faults found while reading
// the specs reject the set as well. The error is Faults: all of them, sorted.
func NewRules(specs []DomainSpec, merge bool, found ...Fault) (*Rules, error) {
	c := compiler{rules: &Rules{domains: make(map[string]*node, len(specs))}, faults: slices.Clone(found)}
	for i := range specs {
		c.domain(&specs[i], merge)
	}
	if err := c.faults.sort().err(); err != nil {
		return nil, err
	}
	return c.rules, nil
}

type compiler struct {
	rules  *Rules
	faults Faults
}

// domain goes on after a fault, so that one try tells everything.
func (c *compiler) domain(spec *DomainSpec, merge bool) {
	root, known := c.rules.domains[spec.Domain]
	if spec.Domain == "" {
		c.faults.add(spec.At, emptyDomain)
	} else if known && !merge {
		c.faults.add(spec.At, "duplicate domain '%s' in config file", spec.Domain)
	}
	if !known || !merge {
		root = &node{at: spec.At}
		c.rules.domains[spec.Domain] = root
	}
	c.descriptors(root, spec.Descriptors, spec.Domain, nil)
}

const emptyDomain = "config file cannot have empty domain"

// descriptors adds the specs as children of a node; path and levels lead to it.
func (c *compiler) descriptors(parent *node, specs []DescriptorSpec, path string, levels []*node) {
	names := make(map[string]bool, len(specs)+len(parent.children))
	for _, old := range parent.children { // of another file, merged
		names[old.name] = true
	}
	for i := range specs {
		spec := &specs[i]
		if spec.Key == "" {
			c.faults.add(spec.At, "descriptor has empty key")
		}
		n := &node{
			name: nodeName(spec.Key, spec.Value),
			key:  newPattern(spec.Key), value: newPattern(spec.Value), at: spec.At,
			share: spec.ShareThreshold, valueToMetric: spec.ValueToMetric,
		}
		path := path + "." + n.name
		if names[n.name] && spec.Key != "" {
			c.faults.add(spec.At, "duplicate descriptor composite key '%s'", path)
		}
		names[n.name] = true
		if n.share && !n.wildcard() {
			c.faults.add(spec.At, "share_threshold can only be used with wildcard values, '%s' has no *", n.name)
		}
		levels := append(levels[:len(levels):len(levels)], n)
		if spec.Limit != nil {
			n.rule = c.rule(spec, path, levels)
		}
		parent.adopt(n)
		c.descriptors(n, spec.Descriptors, path, levels)
	}
}

func nodeName(key, value string) string {
	if value == "" {
		return key
	}
	return key + "_" + value
}

func (n *node) adopt(child *node) {
	n.children = append(n.children, child)
	if child.wildcard() {
		n.wild = append(n.wild, child)
	}
	switch {
	case child.value.text != "":
		if n.exact == nil {
			n.exact = make(map[Entry]*node)
		}
		n.exact[Entry{child.key.text, child.value.text}] = child
	case !child.wildcard():
		if n.plain == nil {
			n.plain = make(map[string]*node)
		}
		n.plain[child.key.text] = child
	}
}

func (c *compiler) rule(spec *DescriptorSpec, path string, levels []*node) *Rule {
	r := &Rule{
		Path: path, At: spec.At, Limit: c.limit(spec.Limit),
		Unlimited: spec.Limit.Unlimited, Name: spec.Limit.Name, Replaces: spec.Limit.Replaces,
		Shadow: spec.Shadow, Quota: spec.Quota, DetailedMetric: spec.DetailedMetric, Metadata: spec.Metadata,
		levels: levels, ownNames: spec.DetailedMetric,
	}
	for _, n := range levels {
		r.shares = r.shares || n.share
		r.ownNames = r.ownNames || n.valueToMetric && (n.value.text == "" || n.wildcard())
	}
	c.replaces(spec.Limit)
	c.rules.replacing = c.rules.replacing || len(r.Replaces) > 0
	return r
}

func (c *compiler) limit(spec *LimitSpec) Limit {
	unit, known := ParseUnit(spec.Unit)
	if spec.Unlimited {
		if known {
			c.faults.add(spec.At, "should not specify rate limit unit when unlimited")
		}
		return Limit{}
	}
	if !known {
		c.faults.add(spec.At, "invalid rate limit unit '%s', want one of %s", spec.Unit, unitNames())
	}
	l := Limit{Requests: spec.Requests, Unit: unit, Multiplier: 1}
	if spec.Multiplier != nil {
		l.Multiplier = *spec.Multiplier
		if l.Multiplier == 0 || known && !l.Valid() {
			c.faults.add(spec.At, "invalid unit_multiplier '%d', want at least 1 and a window of at most 100 years", l.Multiplier)
		}
	}
	return l
}

func (c *compiler) replaces(spec *LimitSpec) {
	for _, name := range spec.Replaces {
		switch name {
		case "":
			c.faults.add(spec.At, "should not have an empty replaces entry")
		case spec.Name:
			c.faults.add(spec.At, "replaces should not contain name of same descriptor, '%s'", name)
		}
	}
}

func unitNames() string {
	var names []string
	for u := Second; u <= Year; u++ {
		names = append(names, units[u].name)
	}
	return strings.Join(names, ", ")
}
