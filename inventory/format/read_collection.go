package format

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// node reads one node. e is the entry it belongs to, indent the column of the
// block collection around it, -1 for none.
func (r *reader) node(n *yaml.Node, e *entry, indent int) *node {
	if r.absent(n) {
		return &node{}
	}
	r.skip()
	out := &node{props: r.properties(n, e)}
	switch {
	case r.err != nil:
	case n.Kind == yaml.AliasNode:
		e.addHead(r.take(len(r.pending))...)
		r.marks = append(r.marks, mark{name: n.Value})
		out.lines = []string{"*" + n.Value}
		if !strings.HasPrefix(r.text[r.pos:], out.lines[0]) {
			r.fail("an alias")
			return out
		}
		r.pos += len(out.lines[0])
	case n.Kind == yaml.ScalarNode:
		r.scalar(n, out, e, indent)
	case n.Kind == yaml.SequenceNode:
		out.kind, out.flow = listNode, n.Style&yaml.FlowStyle != 0
		if out.flow {
			r.flow(n, out, e, '[', ']')
		} else {
			r.list(n, out, indent)
		}
	default:
		out.kind, out.flow = mapNode, n.Style&yaml.FlowStyle != 0
		switch {
		case !out.flow:
			r.mapping(n, out, indent)
		case r.peek() == '{':
			r.flow(n, out, e, '{', '}')
		default: // [name: value]
			pair := &entry{from: len(r.marks)}
			r.member(n.Content[0], n.Content[1], pair, indent)
			out.entries = []*entry{pair}
		}
	}
	return out
}

func (r *reader) list(n *yaml.Node, out *node, indent int) {
	r.skip()
	col := r.column()
	var e *entry
	for i := 0; i < len(n.Content) && r.err == nil; i++ {
		r.skip()
		e = r.open(e)
		r.expect('-')
		r.inline(e)
		e.value = r.node(n.Content[i], e, col)
		r.inline(e)
		e.to = len(r.marks)
		out.entries = append(out.entries, e)
		r.skip()
	}
	r.end(out, col, indent)
}

func (r *reader) mapping(n *yaml.Node, out *node, indent int) {
	r.skip()
	col := r.column()
	var e *entry
	for i := 0; i+1 < len(n.Content) && r.err == nil; i += 2 {
		r.skip()
		e = r.open(e)
		r.member(n.Content[i], n.Content[i+1], e, col)
		out.entries = append(out.entries, e)
		r.skip()
	}
	r.end(out, col, indent)
}

// member reads a key and its value.
func (r *reader) member(key, value *yaml.Node, e *entry, indent int) {
	if r.peek() == '?' && (r.pos+1 == len(r.text) || isBlank(r.text[r.pos+1])) {
		r.pos++
		r.inline(e)
	}
	e.key = r.node(key, e, indent)
	e.name, e.merge = key.Value, key.ShortTag() == "!!merge"
	if key.Kind == yaml.AliasNode {
		e.name = key.Alias.Value
	}
	r.skip()
	if r.peek() == ':' {
		r.pos++
		r.inline(e)
	}
	e.value = r.node(value, e, indent)
	r.inline(e)
	e.to = len(r.marks)
}

// flow reads what stands in brackets. Comments in an empty one are the entry's.
func (r *reader) flow(n *yaml.Node, out *node, owner *entry, open, shut byte) {
	owner.addHead(r.take(len(r.pending))...)
	r.expect(open)
	r.inline(owner)
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i < len(n.Content) && r.err == nil; i += step {
		r.skip()
		e := &entry{head: r.take(len(r.pending)), from: len(r.marks)}
		if step == 2 {
			r.member(n.Content[i], n.Content[i+1], e, -1)
		} else {
			e.value = r.node(n.Content[i], e, -1)
			r.inline(e)
			e.to = len(r.marks)
		}
		out.entries = append(out.entries, e)
		if r.skip(); r.peek() == ',' {
			r.pos++
			r.inline(e)
		}
	}
	r.expect(shut)
	left := r.take(len(r.pending))
	if len(out.entries) == 0 {
		owner.addHead(left...)
		return
	}
	out.tail = left
}
