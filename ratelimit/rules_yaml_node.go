package ratelimit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yamlReader reads nodes of one file and collects what is wrong with them.
type yamlReader struct {
	file   string
	faults Faults
	faulty map[*yaml.Node]bool // values that were complained about: once is enough
}

func (r *yamlReader) at(n *yaml.Node) Position {
	return Position{File: r.file, Line: n.Line, Column: n.Column}
}

func (r *yamlReader) bad(n *yaml.Node, what string) {
	if !r.faulty[n] {
		r.faults.add(r.at(n), "error loading config file: %s", what)
		r.faulty[n] = true
	}
}

func (r *yamlReader) anyFaulty(fields map[string]*yaml.Node) bool {
	for _, n := range fields {
		if r.faulty[n] {
			return true
		}
	}
	return false
}

// ruleKeys is every key of the grammar. A known key in a wrong place passes.
var ruleKeys = []string{
	"domain", "descriptors", "key", "value", "rate_limit", "unit", "requests_per_unit", "unit_multiplier",
	"unlimited", "name", "replaces", "shadow_mode", "quota_mode", "detailed_metric", "value_to_metric",
	"share_threshold", "metadata",
}

// checkKeys looks at a map and everything below it except metadata.
func (r *yamlReader) checkKeys(m *yaml.Node) {
	for i := 0; i < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		switch {
		case key.ShortTag() != "!!str":
			r.faults.add(r.at(key), "config error, key is not of type string: %s", scalarText(key))
			continue
		case !slices.Contains(ruleKeys, key.Value):
			r.faults.add(r.at(key), "config error, unknown key '%s'", key.Value)
			continue
		case key.Value == "metadata":
			continue
		}
		switch value.Kind {
		case yaml.MappingNode:
			r.checkKeys(value)
		case yaml.SequenceNode:
			for _, item := range value.Content {
				if item.Kind != yaml.MappingNode {
					r.faults.add(r.at(item), "config error, yaml file contains list of type other than map: %s", scalarText(item))
					continue
				}
				r.checkKeys(item)
			}
		case yaml.ScalarNode:
			if oddScalar(value) {
				r.faulty[value] = true
				r.faults.add(r.at(value), "error checking config: %s: %s is neither text, a whole number nor a bool; quote it", key.Value, value.Value)
			}
		}
	}
}

var wholeNumber = regexp.MustCompile(`^[-+]?[0-9_]+$`)

func oddScalar(n *yaml.Node) bool {
	switch n.ShortTag() {
	case "!!str", "!!int", "!!bool", "!!null", "!!timestamp":
		return false
	}
	return !wholeNumber.MatchString(n.Value) // too large for an int is told where it is read
}

func scalarText(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return n.Value
	}
	return "a list or a map"
}

func absent(n *yaml.Node) bool { return n == nil || n.ShortTag() == "!!null" }

// fields is the values of a map by key.
func (r *yamlReader) fields(m *yaml.Node) map[string]*yaml.Node {
	fields := make(map[string]*yaml.Node, len(m.Content)/2)
	for i := 0; i < len(m.Content); i += 2 {
		fields[m.Content[i].Value] = m.Content[i+1]
	}
	return fields
}

// list is the items of a list of maps; checkKeys told about any that are not.
func (r *yamlReader) list(n *yaml.Node) []*yaml.Node {
	if absent(n) {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		r.bad(n, "want a list of maps")
		return nil
	}
	return slices.DeleteFunc(slices.Clone(n.Content), func(item *yaml.Node) bool { return item.Kind != yaml.MappingNode })
}

// text is a scalar as it is written: an unquoted 0x1F or yes stays 0x1F or yes.
func (r *yamlReader) text(n *yaml.Node) string {
	if absent(n) {
		return ""
	}
	if n.Kind != yaml.ScalarNode {
		r.bad(n, "want text")
		return ""
	}
	return n.Value
}

// bool takes the bools of YAML 1.1.
func (r *yamlReader) bool(n *yaml.Node) bool {
	if absent(n) {
		return false
	}
	value, ok := boolOf(n)
	if !ok {
		r.bad(n, "want true or false, got "+strconv.Quote(scalarText(n)))
	}
	return value
}

func boolOf(n *yaml.Node) (value, ok bool) {
	quoted := yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	if n.Kind != yaml.ScalarNode || n.Style&quoted != 0 {
		return false, false
	}
	switch strings.ToLower(n.Value) {
	case "true", "yes", "on", "y":
		return true, true
	case "false", "no", "off", "n":
		return false, true
	}
	return false, false
}

func (r *yamlReader) uint32(n *yaml.Node) uint32 {
	if absent(n) {
		return 0
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!int" {
		if v, err := strconv.ParseUint(strings.TrimPrefix(n.Value, "+"), 0, 32); err == nil {
			return uint32(v)
		}
	}
	r.bad(n, "want a whole number from 0 to 4294967295, got "+strconv.Quote(scalarText(n)))
	return 0
}
