package reference

import (
	"fmt"
	"iter"
	"strings"

	"go.yaml.in/yaml/v3"
)

// node is a place in the document. Its members are in the order of the file, which
// is the order that a reader should meet them in. A place that is not there is a
// node too, an empty one.
type node struct {
	*yaml.Node
	root *yaml.Node
}

func parse(text []byte) (node, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(text, &file); err != nil {
		return node{}, fmt.Errorf("read the description of the API: %w", err)
	}
	if file.Kind != yaml.DocumentNode || file.Content[0].Kind != yaml.MappingNode {
		return node{}, fmt.Errorf("read the description of the API: want a document with members")
	}
	root := file.Content[0]
	return node{root, root}, nil
}

// get is the member of that name, in the place that a reference leads to where
// there is one. What stands beside a reference goes before what it leads to.
func (n node) get(name string) node {
	if found := n.own(name); found.Node != nil {
		return found
	}
	if target := n.target(); target.Node != nil {
		return target.get(name)
	}
	return node{nil, n.root}
}

func (n node) own(name string) node {
	for key, value := range n.members() {
		if key == name {
			return value
		}
	}
	return node{nil, n.root}
}

// target is where a reference, "#/components/schemas/Poll", leads.
func (n node) target() node {
	path, ok := strings.CutPrefix(n.own("$ref").text(), "#/")
	if !ok {
		return node{nil, n.root}
	}
	at := node{n.root, n.root}
	for name := range strings.SplitSeq(path, "/") {
		at = at.own(name)
	}
	return at
}

// name is what a reference calls the thing it leads to; empty without one.
func (n node) name() string {
	ref := n.own("$ref").text()
	return ref[strings.LastIndexByte(ref, '/')+1:]
}

func (n node) members() iter.Seq2[string, node] {
	return func(yield func(string, node) bool) {
		if n.Node == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i].Value, n.place(n.Content[i+1])) {
				return
			}
		}
	}
}

func (n node) items() iter.Seq[node] {
	return func(yield func(node) bool) {
		if n.Node == nil || n.Kind != yaml.SequenceNode {
			return
		}
		for _, item := range n.Content {
			if !yield(n.place(item)) {
				return
			}
		}
	}
}

// place is a part of the document, or what it repeats.
func (n node) place(part *yaml.Node) node {
	if part.Kind == yaml.AliasNode {
		part = part.Alias
	}
	return node{part, n.root}
}

func (n node) text() string {
	if n.Node == nil {
		return ""
	}
	return n.Value
}

// texts is a list, or a single text.
func (n node) texts() []string {
	var all []string
	for item := range n.items() {
		all = append(all, item.text())
	}
	if text := n.text(); text != "" {
		all = append(all, text)
	}
	return all
}

func (n node) first() string {
	for item := range n.items() {
		return item.text()
	}
	return ""
}
