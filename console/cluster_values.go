package console

import (
	"stoa/internal/fault"
	"stoa/inventory"
)

// clusterValues is the document as it will be used, or what one node gets.
type clusterValues struct {
	Check  clusterCheck   `json:"check"`
	Nodes  []clusterNode  `json:"nodes"`
	Values []clusterValue `json:"values"` // the first of them, in order
	Total  int            `json:"total"`
}

// clusterValue is one value and where it comes from.
type clusterValue struct {
	Path     string               `json:"path"`  // JSON pointer
	Value    string               `json:"value"` // as JSON
	Clipped  bool                 `json:"clipped,omitempty"`
	Secret   bool                 `json:"secret,omitempty"` // it is masked
	Origin   inventory.OriginKind `json:"origin"`
	Line     int                  `json:"line,omitempty"`
	Column   int                  `json:"column,omitempty"`
	Template string               `json:"template,omitempty"` // as written
	Rule     string               `json:"rule,omitempty"`
	Patch    int                  `json:"patch,omitempty"` // its number, from 1
}

// Bounds of an answer: documents of a thousand nodes have some 20,000 values.
const (
	mostValues    = 8 << 20 // bytes of all values together
	longestText   = 4000    // bytes of one
	valueOverhead = 100     // bytes of a value beside its texts
)

func listClusterValues(c *clusterCall, body clusterNodeRequest) error {
	inv, check := c.resolve(body.clusterDocument)
	answer := clusterValues{Check: check, Nodes: []clusterNode{}, Values: []clusterValue{}}
	if inv == nil {
		return c.answer(answer)
	}
	node, err := nodeOf(inv, body.Node)
	if err != nil {
		return err
	}
	answer.Nodes = nodesOf(inv)
	room := mostValues
	for e := range inv.Values(node) {
		answer.Total++
		if room <= 0 {
			continue
		}
		v, err := valueOf(e)
		if err != nil {
			return err
		}
		room -= len(v.Path) + len(v.Value) + len(v.Template) + len(v.Rule) + valueOverhead
		answer.Values = append(answer.Values, v)
	}
	return c.answer(answer)
}

func valueOf(e inventory.Explanation) (clusterValue, error) {
	e, secret := e.Masked()
	text, err := e.Value.MarshalJSON()
	if err != nil {
		return clusterValue{}, err
	}
	v := clusterValue{
		Path: e.Path, Secret: secret, Origin: e.Origin,
		Line: e.Line, Column: e.Column, Rule: e.Rule, Patch: e.Patch,
	}
	v.Value, v.Clipped = clipped(string(text))
	v.Template, _ = clipped(e.Template)
	return v, nil
}

// clipped is the beginning of a text that is too long to be shown. Half a character at
// its end becomes a mark when it is written as JSON.
func clipped(text string) (string, bool) {
	if len(text) <= longestText {
		return text, false
	}
	return text[:longestText], true
}

// nodeOf is the node of a name, nil for no name.
func nodeOf(inv *inventory.Inventory, name string) (*inventory.Node, error) {
	if name == "" {
		return nil, nil
	}
	if n := inv.Node(name); n != nil {
		return n, nil
	}
	return nil, fault.New(fault.NotFound, "the document has no node %q", name)
}
