package ratelimit

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// ParseYAML reads the rules of one file. name is how messages call the file. The
// spec holds what could be read also when there are Faults; then it is good for
// NewRules to find more of them, unless its domain could not be read.
func ParseYAML(name string, text []byte) (DomainSpec, error) {
	r := yamlReader{file: name, faulty: make(map[*yaml.Node]bool)}
	spec := DomainSpec{At: Position{File: name, Line: 1, Column: 1}}
	if root := r.document(text); root != nil && root.ShortTag() != "!!null" { // an empty file: NewRules misses the domain
		r.root(root, &spec)
	}
	return spec, r.faults.sort().err()
}

func (r *yamlReader) root(root *yaml.Node, spec *DomainSpec) {
	if root.Kind != yaml.MappingNode {
		r.bad(root, "want a map with domain and descriptors at the top")
		return
	}
	r.checkKeys(root)
	fields := r.fields(root)
	spec.At = r.at(root)
	spec.Domain = r.text(fields["domain"])
	spec.Descriptors = r.descriptors(fields["descriptors"])
	if len(r.faults) > 0 && spec.Domain == "" && !r.faulty[fields["domain"]] {
		r.faults.add(spec.At, emptyDomain)
	}
}

// document parses the one document of a file; nil when that failed.
func (r *yamlReader) document(text []byte) *yaml.Node {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: 1, Column: 1}
	case err != nil:
		r.syntax(err)
		return nil
	}
	if !r.end(decoder) || !r.expand(&doc) {
		return nil
	}
	return doc.Content[0]
}

// end refuses a second document. An empty one, after a last ---, is none.
func (r *yamlReader) end(decoder *yaml.Decoder) bool {
	for {
		var more yaml.Node
		switch err := decoder.Decode(&more); {
		case errors.Is(err, io.EOF):
			return true
		case err != nil:
			r.syntax(err)
			return false
		case more.Content[0].ShortTag() != "!!null":
			r.bad(&more, "more than one YAML document, want one per file")
			return false
		}
	}
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func (r *yamlReader) syntax(err error) {
	at := Position{File: r.file, Line: 1, Column: 1}
	m := yamlLine.FindStringSubmatch(err.Error())
	if m != nil && m[1] != "" {
		at.Line, _ = strconv.Atoi(m[1])
	}
	r.faults.add(at, "error loading config file: %s", yamlLine.ReplaceAllString(err.Error(), ""))
}

func (r *yamlReader) descriptors(list *yaml.Node) []DescriptorSpec {
	var specs []DescriptorSpec
	for _, item := range r.list(list) {
		fields := r.fields(item)
		spec := DescriptorSpec{
			At:             r.at(item),
			Key:            r.text(fields["key"]),
			Value:          r.text(fields["value"]),
			Limit:          r.limit(fields["rate_limit"]),
			Shadow:         r.bool(fields["shadow_mode"]),
			Quota:          r.bool(fields["quota_mode"]),
			DetailedMetric: r.bool(fields["detailed_metric"]),
			ValueToMetric:  r.bool(fields["value_to_metric"]),
			ShareThreshold: r.bool(fields["share_threshold"]),
			Metadata:       r.metadata(fields["metadata"]),
			Descriptors:    r.descriptors(fields["descriptors"]),
		}
		if spec.Key != "" || !r.faulty[fields["key"]] {
			specs = append(specs, spec)
		}
	}
	return specs
}

func (r *yamlReader) limit(n *yaml.Node) *LimitSpec {
	if absent(n) {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		r.bad(n, "rate_limit: want a map")
		return nil
	}
	fields, before := r.fields(n), len(r.faults)
	spec := &LimitSpec{
		At:        r.at(n),
		Unit:      r.text(fields["unit"]),
		Requests:  r.uint32(fields["requests_per_unit"]),
		Unlimited: r.bool(fields["unlimited"]),
		Name:      r.text(fields["name"]),
	}
	if m := fields["unit_multiplier"]; !absent(m) {
		spec.Multiplier = new(r.uint32(m))
	}
	for _, item := range r.list(fields["replaces"]) {
		spec.Replaces = append(spec.Replaces, r.text(r.fields(item)["name"]))
	}
	if len(r.faults) > before || r.anyFaulty(fields) {
		return nil // half of a limit would be faulty in ways nobody wrote
	}
	return spec
}
