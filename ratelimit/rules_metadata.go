package ratelimit

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// metadata reads what a JSON object can hold; numbers become float64.
func (r *yamlReader) metadata(n *yaml.Node) map[string]any {
	if absent(n) {
		return nil
	}
	value, err := metadataValue(n)
	if err != nil {
		r.faults.add(r.at(n), "error parsing metadata: %v", err)
		return nil
	}
	m, ok := value.(map[string]any)
	if !ok {
		r.faults.add(r.at(n), "error parsing metadata: want a map")
	}
	return m
}

func metadataValue(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.ShortTag() != "!!str" || !utf8.ValidString(key.Value) {
				return nil, fmt.Errorf("key %s is not text", strconv.Quote(scalarText(key)))
			}
			v, err := metadataValue(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			m[key.Value] = v
		}
		return m, nil
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			v, err := metadataValue(item)
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return list, nil
	}
	return metadataScalar(n)
}

func metadataScalar(n *yaml.Node) (any, error) {
	if b, ok := boolOf(n); ok {
		return b, nil
	}
	switch n.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool":
		var b bool
		err := n.Decode(&b)
		return b, err
	case "!!int", "!!float":
		var f float64
		if err := n.Decode(&f); err != nil {
			return nil, err
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("%s is no number that JSON has", n.Value)
		}
		return f, nil
	}
	if !utf8.ValidString(n.Value) {
		return nil, fmt.Errorf("%q is not UTF-8", n.Value)
	}
	return n.Value, nil
}

// mergeMetadata adds from to into: what is there stays, except that two maps
// become one.
func mergeMetadata(into, from map[string]any) {
	for key, value := range from {
		old, ok := into[key]
		if !ok {
			into[key] = copyMetadata(value)
			continue
		}
		oldMap, isMap := old.(map[string]any)
		newMap, alsoMap := value.(map[string]any)
		if isMap && alsoMap {
			mergeMetadata(oldMap, newMap)
		}
	}
}

// copyMetadata keeps a later merge from reaching into the rule.
func copyMetadata(value any) any {
	m, ok := value.(map[string]any)
	if !ok {
		return value
	}
	out := make(map[string]any, len(m))
	mergeMetadata(out, m)
	return out
}

// Metadata is the merged metadata of the rules whose descriptor passed, nil for
// none.
func (d *Decision) Metadata() map[string]any {
	var merged map[string]any
	for i := range d.Statuses {
		s := &d.Statuses[i]
		if s.Code != OK || s.Rule == nil || len(s.Rule.Metadata) == 0 {
			continue
		}
		if merged == nil {
			merged = make(map[string]any)
		}
		mergeMetadata(merged, s.Rule.Metadata)
	}
	return merged
}
