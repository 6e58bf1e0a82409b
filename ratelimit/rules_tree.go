package ratelimit

// Node is a node of the rules of a domain, with what is below it.
type Node struct {
	Name       string // key or key_value, as in paths
	Path       string // from the domain on
	Key, Value string // an empty value: not given
	At         Position
	Rule       *Rule // nil: no limit here
	Children   []Node
}

// Tree is the nodes at the top of a domain, in the order written.
func (r *Rules) Tree(domain string) []Node {
	root := r.domains[domain]
	if root == nil {
		return nil
	}
	return root.tree(domain)
}

func (n *node) tree(path string) []Node {
	nodes := make([]Node, len(n.children))
	for i, c := range n.children {
		path := path + "." + c.name
		nodes[i] = Node{
			Name: c.name, Path: path, Key: c.key.text, Value: c.value.text, At: c.at, Rule: c.rule, Children: c.tree(path),
		}
	}
	return nodes
}
