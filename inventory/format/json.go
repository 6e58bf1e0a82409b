package format

import (
	"encoding/json"
	"strings"
)

// readJSON takes apart a text that is JSON.
func readJSON(text string) *node {
	r := jsonReader{text: text}
	return r.value()
}

type jsonReader struct {
	text string
	pos  int
}

// next is the next character that counts.
func (r *jsonReader) next() byte {
	for strings.IndexByte(" \t\r\n", r.text[r.pos]) >= 0 {
		r.pos++
	}
	return r.text[r.pos]
}

func (r *jsonReader) value() *node {
	switch r.next() {
	case '{':
		return r.collection(mapNode, '}')
	case '[':
		return r.collection(listNode, ']')
	case '"':
		return &node{lines: []string{r.str()}}
	}
	start := r.pos
	for r.pos < len(r.text) && strings.IndexByte(" \t\r\n,]}", r.text[r.pos]) < 0 {
		r.pos++
	}
	return &node{lines: []string{r.text[start:r.pos]}}
}

func (r *jsonReader) collection(k kind, shut byte) *node {
	n := &node{kind: k, flow: true}
	r.pos++
	for r.next() != shut {
		if r.text[r.pos] == ',' {
			r.pos++
		}
		e := &entry{}
		if k == mapNode {
			r.next()
			e.key = &node{lines: []string{r.str()}}
			_ = json.Unmarshal([]byte(e.key.lines[0]), &e.name)
			r.next()
			r.pos++
		}
		e.value = r.value()
		n.entries = append(n.entries, e)
	}
	r.pos++
	return n
}

func (r *jsonReader) str() string {
	start := r.pos
	for r.pos++; r.text[r.pos] != '"'; r.pos++ {
		if r.text[r.pos] == '\\' {
			r.pos++
		}
	}
	r.pos++
	return r.text[start:r.pos]
}

// printJSON writes a value with every member and item on its own line.
func printJSON(root *node) string {
	var b strings.Builder
	writeJSON(&b, root, "\n")
	b.WriteByte('\n')
	return b.String()
}

func writeJSON(b *strings.Builder, n *node, indent string) {
	if n.kind == scalarNode {
		b.WriteString(n.lines[0])
		return
	}
	open, shut := byte('{'), byte('}')
	if n.kind == listNode {
		open, shut = '[', ']'
	}
	b.WriteByte(open)
	for i, e := range n.entries {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(indent + "  ")
		if e.key != nil {
			b.WriteString(e.key.lines[0] + ": ")
		}
		writeJSON(b, e.value, indent+"  ")
	}
	if len(n.entries) > 0 {
		b.WriteString(indent)
	}
	b.WriteByte(shut)
}
