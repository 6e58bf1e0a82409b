package reference

import (
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"
)

// example is the example of an answer: its own, or that of its schema, or one made
// of the examples of the schema's parts.
func example(media node) string {
	value := exampleOf(media)
	if value.Node == nil {
		return ""
	}
	if value.Kind == yaml.ScalarNode {
		return strings.TrimRight(value.text(), "\n")
	}
	var b strings.Builder
	writeJSON(&b, value, "")
	return b.String()
}

func exampleOf(media node) node {
	if own := media.get("example"); own.Node != nil {
		return own
	}
	schema := media.get("schema")
	if own := schema.get("example"); own.Node != nil {
		return own
	}
	if item := schema.get("items").get("example"); item.Node != nil {
		return node{&yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{item.Node}}, media.root}
	}
	whole := &yaml.Node{Kind: yaml.MappingNode}
	for part := range schema.get("allOf").items() {
		if own := part.get("example"); own.Node != nil {
			whole.Content = append(whole.Content, own.Content...)
		}
	}
	if len(whole.Content) == 0 {
		return node{nil, media.root}
	}
	return node{whole, media.root}
}

// narrow is how long a list or an object may be to stand in one line.
const narrow = 76

// writeJSON keeps the order of the document, which json.Marshal would not.
func writeJSON(b *strings.Builder, n node, indent string) {
	if n.Kind == yaml.ScalarNode {
		b.WriteString(scalar(n))
		return
	}
	if indent != "" {
		if line := oneLine(n); len(line)+len(indent) <= narrow {
			b.WriteString(line)
			return
		}
	}
	brackets, inner, first := "{}", indent+"  ", true
	next := func() {
		if !first {
			b.WriteString(",")
		}
		first = false
		b.WriteString("\n" + inner)
	}
	if n.Kind == yaml.SequenceNode {
		brackets = "[]"
	}
	b.WriteString(brackets[:1])
	for item := range n.items() {
		next()
		writeJSON(b, item, inner)
	}
	for name, member := range n.members() {
		next()
		b.WriteString(quoted(name) + ": ")
		writeJSON(b, member, inner)
	}
	b.WriteString("\n" + indent + brackets[1:])
}

func oneLine(n node) string {
	var parts []string
	switch n.Kind {
	case yaml.SequenceNode:
		for item := range n.items() {
			parts = append(parts, oneLine(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case yaml.MappingNode:
		for name, member := range n.members() {
			parts = append(parts, quoted(name)+": "+oneLine(member))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return scalar(n)
}

func scalar(n node) string {
	switch n.ShortTag() {
	case "!!int", "!!float", "!!bool", "!!null":
		return n.Value
	}
	return quoted(n.Value)
}

func quoted(text string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a text can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}
