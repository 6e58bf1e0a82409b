package format

import (
	"strconv"
	"strings"
	"sync"

	"stoa/inventory"
)

// shape is what the schema says about order: one form of a value.
type shape struct {
	rank    map[string]int // of members; nil: no map, or one that keeps its order
	members map[string]*shape
	rest    *shape // of other members
	items   *shape
	tuple   []*shape
	forms   []*shape // allOf, anyOf, oneOf
	keyed   bool     // by names of the author's choice
}

// inOrder is definitions whose members are carried out as they stand.
var inOrder = map[string]bool{"procedure": true}

// leading is members that come before all others: what a thing is called.
var leading = map[string]bool{"name": true, "cluster_name": true}

var schemaShape = sync.OnceValue(func() *shape {
	root := readJSON(string(inventory.Schema()))
	c := shaper{definitions: root.get("definitions"), done: make(map[string]*shape)}
	return c.shape(root)
})

type shaper struct {
	definitions *node
	done        map[string]*shape
}

func (c *shaper) shape(n *node) *shape {
	if n == nil || n.kind != mapNode {
		return nil
	}
	s := new(shape)
	if ref := n.get("$ref"); ref != nil {
		text, _ := strconv.Unquote(ref.lines[0])
		name := strings.TrimPrefix(text, "#/definitions/")
		if known, ok := c.done[name]; ok {
			return known
		}
		c.done[name] = s
		s.keyed = inOrder[name]
		n = c.definitions.get(name)
	}
	if properties := n.get("properties"); properties != nil {
		s.rank, s.members = make(map[string]int), make(map[string]*shape)
		for i, e := range properties.entries {
			s.rank[e.name] = i + 1
			if leading[e.name] {
				s.rank[e.name] = 0
			}
			s.members[e.name] = c.shape(e.value)
		}
	}
	s.rest = c.shape(n.get("additionalProperties"))
	s.keyed = s.keyed || s.rest != nil || s.members == nil
	if items := n.get("items"); items != nil && items.kind == listNode {
		s.tuple = c.shapes(items)
	} else {
		s.items = c.shape(items)
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		s.forms = append(s.forms, c.shapes(n.get(name))...)
	}
	return s
}

func (c *shaper) shapes(n *node) []*shape {
	var list []*shape
	if n != nil {
		for _, e := range n.entries {
			list = append(list, c.shape(e.value))
		}
	}
	return list
}

// form is the form of a value that fits its members best; nil when none does.
func (s *shape) form(names []string) *shape {
	if s == nil {
		return nil
	}
	best, most := s, s.fits(names)
	for _, f := range s.forms {
		if g := f.form(names); g != nil && g.fits(names) > most {
			best, most = g, g.fits(names)
		}
	}
	return best
}

func (s *shape) fits(names []string) int {
	n := 0
	for _, name := range names {
		if _, known := s.members[name]; known {
			n += 2
		}
	}
	if n == 0 && s.rest != nil {
		n = 1
	}
	return n
}

func (s *shape) member(name string) *shape {
	if s == nil {
		return nil
	}
	if m, known := s.members[name]; known {
		return m
	}
	return s.rest
}

// item is the shape of a list's item.
func (s *shape) item(i int) *shape {
	switch {
	case s == nil:
		return nil
	case s.items != nil:
		return s.items
	case i < len(s.tuple):
		return s.tuple[i]
	}
	for _, f := range s.forms {
		if found := f.item(i); found != nil {
			return found
		}
	}
	return nil
}

func (n *node) get(name string) *node {
	for _, e := range n.entries {
		if e.name == name {
			return e.value
		}
	}
	return nil
}
