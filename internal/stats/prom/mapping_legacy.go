package prom

import "go.yaml.in/yaml/v3"

// withoutLegacy rewrites words of mapping files that statsd_exporter gave up
// with v0.31 and that many files in use still have. A file without them comes
// back byte by byte, so that errors show its own lines.
func withoutLegacy(text []byte) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	if len(document.Content) == 0 {
		return text, nil
	}
	changed := false
	root := document.Content[0]
	if defaults := field(root, "defaults"); defaults != nil {
		changed = modernize(defaults)
	}
	if mappings := field(root, "mappings"); mappings != nil {
		for _, m := range mappings.Content {
			changed = modernize(m) || changed
		}
	}
	if !changed {
		return text, nil
	}
	return yaml.Marshal(&document)
}

func modernize(m *yaml.Node) bool {
	changed := rename(m, "timer_type", "observer_type")
	changed = nest(m, "buckets", "histogram_options") || changed
	changed = nest(m, "quantiles", "summary_options") || changed
	if kind := field(m, "match_metric_type"); kind != nil && kind.Value == "timer" {
		kind.Value = "observer"
		changed = true
	}
	return changed
}

// field is the value of a key in a YAML mapping, or nil.
func field(m *yaml.Node, key string) *yaml.Node {
	if i := place(m, key); i >= 0 {
		return m.Content[i+1]
	}
	return nil
}

func place(m *yaml.Node, key string) int {
	if m.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(m.Content); i += 2 {
			if m.Content[i].Value == key {
				return i
			}
		}
	}
	return -1
}

// rename renames a key, or removes it where the new name is there too, which
// was the one that counted.
func rename(m *yaml.Node, from, to string) bool {
	i := place(m, from)
	if i < 0 {
		return false
	}
	if place(m, to) >= 0 {
		m.Content = append(m.Content[:i], m.Content[i+2:]...)
	} else {
		m.Content[i].Value = to
	}
	return true
}

// nest moves a key into the options that hold it now.
func nest(m *yaml.Node, key, options string) bool {
	i := place(m, key)
	if i < 0 {
		return false
	}
	pair := []*yaml.Node{m.Content[i], m.Content[i+1]}
	m.Content = append(m.Content[:i], m.Content[i+2:]...)
	inner := field(m, options)
	if inner == nil {
		inner = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: options}, inner)
	}
	if place(inner, key) < 0 {
		inner.Content = append(inner.Content, pair...)
	}
	return true
}
