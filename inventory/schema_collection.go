package inventory

import (
	"fmt"
	"slices"
	"strings"

	"stoa/internal/spelling"
)

// members checks what an object holds and what it lacks.
func (s *schema) members(v *Value, w *way, found []issue) []issue {
	var meant []string // what unknown members were probably meant to be
	for i := range v.Members {
		m := &v.Members[i]
		if p, ok := s.properties[m.Name]; ok && !m.Untext {
			found = p.check(m.Value, w.member(m.Name), found)
			continue
		}
		if !s.closed {
			found = s.rest.check(m.Value, w.member(m.Name), found)
			continue
		}
		near := spelling.Nearest(m.Name, s.absent(v))
		meant = append(meant, near)
		found = append(found, s.unknown(m, w, near))
	}
	for _, name := range s.required {
		if v.find(name) < 0 && !slices.Contains(meant, name) {
			found = append(found, fails(SchemaMissingMember, v.At, w.member(name).pointer(),
				fmt.Sprintf("%s lacks %s, which is required", w.leaf(), name), s.aboutMember(name)))
		}
	}
	return s.memberCount(v, w, found)
}

// absent is the names an unknown member may have been meant to be.
func (s *schema) absent(v *Value) []string {
	return slices.DeleteFunc(slices.Clone(s.names), func(name string) bool { return v.find(name) >= 0 })
}

func (s *schema) unknown(m *Member, w *way, near string) issue {
	i := issue{code: SchemaUnknownMember, at: m.At, path: w.member(m.Name).pointer()}
	i.message = fmt.Sprintf("unknown member %q", short(m.Name))
	if w != nil {
		i.message += " in " + w.leaf()
	}
	i.message += ", allowed are " + listed(s.names, "and")
	switch {
	case near != "":
		i.hint, i.near = `did you mean "`+near+`"?`, near
	case slices.Contains(s.names, m.Name):
		i.hint = "quote the name"
	case spelling.Nearest(m.Name, s.names) != "":
		i.hint = spelling.Nearest(m.Name, s.names) + " is already there"
	}
	return i
}

func (s *schema) aboutMember(name string) string {
	p := s.properties[name]
	if p == nil {
		return ""
	}
	about, _, _ := strings.Cut(p.about, ". ")
	if about == "" {
		return ""
	}
	return name + ": " + strings.TrimSuffix(about, ".")
}

func (s *schema) memberCount(v *Value, w *way, found []issue) []issue {
	n := len(v.Members)
	switch {
	case n < s.minMembers:
		found = append(found, fails(SchemaMembers, v.At, w.pointer(),
			fmt.Sprintf("%s is empty, want at least %d of %s", w.leaf(), s.minMembers, listed(s.names, "and")), ""))
	case s.maxMember > 0 && n > s.maxMember:
		m := v.Members[s.maxMember]
		found = append(found, fails(SchemaMembers, m.At, w.member(m.Name).pointer(),
			fmt.Sprintf("%s has %d members, want at most %d of %s", w.leaf(), n, s.maxMember, listed(s.names, "and")), ""))
	}
	return found
}

// list checks the items of a list.
func (s *schema) list(v *Value, w *way, found []issue) []issue {
	switch n := len(v.Items); {
	case n < s.minItems:
		found = append(found, fails(SchemaItems, v.At, w.pointer(), fmt.Sprintf("%s has %d items, want %s", w.leaf(), n, s.itemCount()), ""))
	case s.maxItems > 0 && n > s.maxItems:
		found = append(found, fails(SchemaItems, v.Items[s.maxItems].At, w.item(s.maxItems).pointer(),
			fmt.Sprintf("%s has %d items, want %s", w.leaf(), n, s.itemCount()), ""))
	}
	for i, item := range v.Items {
		switch {
		case i < len(s.tuple):
			found = s.tuple[i].check(item, w.item(i), found)
		case s.tuple == nil:
			found = s.items.checkItem(item, w.item(i), found)
		}
	}
	if s.unique {
		found = uniqueItems(v, w, found)
	}
	return found
}

func (s *schema) itemCount() string {
	if s.minItems == s.maxItems {
		return fmt.Sprintf("exactly %d", s.minItems)
	}
	if s.maxItems > 0 {
		return fmt.Sprintf("%d to %d", s.minItems, s.maxItems)
	}
	return fmt.Sprintf("at least %d", s.minItems)
}

// checkItem takes the merge symbol out of the usual way: with a further member
// it is a fault of merging, and in a list that cannot hold it one of its own.
func (s *schema) checkItem(item *Value, w *way, found []issue) []issue {
	if s == nil || !holdsSymbol(item) {
		return s.check(item, w, found)
	}
	if s.takesSymbol() {
		if len(item.Members) > 1 {
			return found
		}
		return s.check(item, w, found)
	}
	if len(s.check(item, w, nil)) == 0 {
		return found
	}
	return append(found, fails(SchemaMergeSymbol, item.At, w.pointer(),
		"the list merge symbol is not allowed in "+w.up.leaf(), "this list has no default items: remove the symbol"))
}

func holdsSymbol(v *Value) bool { return v.Kind == Map && v.find("<<") >= 0 }

func (s *schema) takesSymbol() bool {
	if s.name == "mergeSymbol" || s.properties["<<"] != nil {
		return true
	}
	return slices.ContainsFunc(s.anyOf, (*schema).takesSymbol)
}

func uniqueItems(v *Value, w *way, found []issue) []issue {
	seen := make(map[string]bool, len(v.Items))
	for i, item := range v.Items {
		if holdsSymbol(item) {
			continue
		}
		id := identity(item)
		if seen[id] {
			what := "this item"
			if item.Kind == String {
				what = describe(item)
			}
			found = append(found, fails(SchemaUnique, item.At, w.item(i).pointer(), fmt.Sprintf("%s stands twice in %s", what, w.leaf()), "remove one of them"))
		}
		seen[id] = true
	}
	return found
}
