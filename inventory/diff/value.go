package diff

import (
	"slices"
	"strconv"
	"strings"

	"stoa/inventory"
)

// comparer collects the changes below two values.
type comparer struct {
	file string // of the new document
	list []Change
}

// values compares what stands at a path; nil is absent.
func (c *comparer) values(path []string, old, new *inventory.Value) {
	switch {
	case same(old, new):
	case old == nil || new == nil || old.Kind != new.Kind:
		c.add(path, old, new, "")
	case old.Kind == inventory.Map:
		for _, name := range memberNames(old, new) {
			c.values(below(path, name), old.Get(name), new.Get(name))
		}
	case old.Kind == inventory.List:
		c.lists(path, old, new)
	default:
		c.add(path, old, new, "")
	}
}

func below(path []string, name string) []string { return append(path[:len(path):len(path)], name) }

// memberNames is the members of both, in the order of the new map, then those
// that are gone.
func memberNames(old, new *inventory.Value) []string {
	var names []string
	for i := range new.Members {
		names = append(names, new.Members[i].Name)
	}
	for i := range old.Members {
		if name := old.Members[i].Name; new.Get(name) == nil {
			names = append(names, name)
		}
	}
	return names
}

// same tells that values mean the same: maps whatever their order, 10 and 10.0.
func same(a, b *inventory.Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	if x, ok := a.Number(); ok {
		y, ok := b.Number()
		return ok && x == y && a.Text == b.Text
	}
	if a.Kind != b.Kind || a.Text != b.Text || a.Bool() != b.Bool() || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for i := range a.Members {
		if !same(a.Members[i].Value, b.Get(a.Members[i].Name)) {
			return false
		}
	}
	return true
}

// lists compares two lists that are not the same. Items with names are matched
// by them; other items are matched when they are the same.
func (c *comparer) lists(path []string, old, new *inventory.Value) {
	if key := sharedKey(old, new); key != "" {
		c.keyed(path, key, old, new)
		return
	}
	gone, come := unmatched(old, new)
	switch {
	case len(gone)+len(come) == 0:
		if !unordered(path) {
			c.add(path, old, new, Reordered)
		}
	case scalars(old) && scalars(new):
		c.add(path, old, new, "")
	case len(gone) == len(come):
		for i := range gone {
			c.values(below(path, strconv.Itoa(come[i])), old.Items[gone[i]], new.Items[come[i]])
		}
	default:
		for _, i := range gone {
			c.add(below(path, strconv.Itoa(i)), old.Items[i], nil, "")
		}
		for _, i := range come {
			c.add(below(path, strconv.Itoa(i)), nil, new.Items[i], "")
		}
	}
}

func (c *comparer) keyed(path []string, key string, old, new *inventory.Value) {
	was := make(map[string]*inventory.Value)
	for _, item := range old.Items {
		was[item.Get(key).Str()] = item
	}
	is := make(map[string]bool)
	for i, item := range new.Items {
		name := item.Get(key).Str()
		is[name] = true
		c.values(below(path, strconv.Itoa(i)), was[name], item)
	}
	for i, item := range old.Items {
		if !is[item.Get(key).Str()] {
			c.add(below(path, strconv.Itoa(i)), item, nil, "")
		}
	}
}

// keys is the members that tell items of a list apart.
var keys = []string{"name", "ip", "modulename"}

// sharedKey is the member that names every item of both lists, differently.
func sharedKey(lists ...*inventory.Value) string {
	for _, key := range keys {
		if !slices.ContainsFunc(lists, func(list *inventory.Value) bool { return !names(list, key) }) {
			return key
		}
	}
	return ""
}

func names(list *inventory.Value, key string) bool {
	seen := make(map[string]bool)
	for _, item := range list.Items {
		name := item.Get(key).Str()
		if item.Kind != inventory.Map || name == "" || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

// unmatched is the positions of items that the other list does not have.
func unmatched(old, new *inventory.Value) (gone, come []int) {
	places := make(map[string][]int)
	for i, item := range new.Items {
		places[identity(item)] = append(places[identity(item)], i)
	}
	for i, item := range old.Items {
		id := identity(item)
		if at := places[id]; len(at) > 0 {
			places[id] = at[1:]
			continue
		}
		gone = append(gone, i)
	}
	for _, at := range places {
		come = append(come, at...)
	}
	slices.Sort(come)
	return gone, come
}

func scalars(list *inventory.Value) bool {
	return !slices.ContainsFunc(list.Items, func(v *inventory.Value) bool { return v.Kind == inventory.Map || v.Kind == inventory.List })
}

// sets is the lists whose order means nothing; below servers and bind are those
// of haproxy.
var sets = []string{"roles", "groups", "nodes", "certSANs", "peers"}

func unordered(path []string) bool {
	if len(path) == 0 {
		return false
	}
	if slices.Contains(sets, path[len(path)-1]) {
		return true
	}
	return len(path) == 3 && strings.HasPrefix(path[0], "haproxy") && (path[1] == "servers" || path[1] == "bind")
}
