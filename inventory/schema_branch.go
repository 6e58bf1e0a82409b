package inventory

import (
	"fmt"
	"slices"
)

// anyBranch checks a value that has several forms. When none fits, only the one
// that was most likely meant is talked about.
func (s *schema) anyBranch(branches []*schema, code Code, v *Value, w *way, found []issue) []issue {
	if isChoice(branches) {
		return choice(branches, code, v, w, found)
	}
	var best *branch
	var types []string
	for _, b := range branches {
		issues := b.check(v, w, nil)
		if len(issues) == 0 {
			return found // forms of oneOf are closed and never fit both
		}
		types = append(types, b.wants()...)
		if b.name == "mergeSymbol" && !holdsSymbol(v) {
			continue
		}
		candidate := &branch{issues: issues, fits: b.fits(v), known: b.known(v)}
		if best == nil || candidate.better(best) {
			best = candidate
		}
	}
	if best == nil || !best.fits && len(types) > 0 {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "object" && symbolOnly(branches) })
		return append(found, typeIssue(v, w, types))
	}
	return append(found, best.issues...)
}

// branch is one form and what is wrong with a value that would be one.
type branch struct {
	issues []issue
	fits   bool // the type does
	known  int  // members of the value that the form has
}

func (b *branch) better(than *branch) bool {
	switch {
	case b.fits != than.fits:
		return b.fits
	case b.known != than.known:
		return b.known > than.known
	}
	return len(b.issues) < len(than.issues)
}

// wants is the types that a form takes.
func (s *schema) wants() []string {
	types := slices.Clone(s.types)
	for _, e := range s.enum {
		if e.Kind == Bool {
			types = append(types, "boolean")
		}
	}
	for _, all := range s.allOf {
		types = append(types, all.wants()...)
	}
	for _, any := range s.anyOf {
		types = append(types, any.wants()...)
	}
	return types
}

func (s *schema) fits(v *Value) bool {
	types := s.wants()
	return len(types) == 0 || slices.ContainsFunc(types, v.is)
}

func (s *schema) known(v *Value) int {
	n := 0
	for _, m := range v.Members {
		if s.properties[m.Name] != nil {
			n++
		}
	}
	return n
}

// symbolOnly tells that the only objects among the forms are merge symbols.
func symbolOnly(branches []*schema) bool {
	return !slices.ContainsFunc(branches, func(b *schema) bool {
		return b.name != "mergeSymbol" && slices.Contains(b.wants(), "object")
	})
}

// isChoice tells that the forms only name members: one of these must be there.
func isChoice(branches []*schema) bool {
	return !slices.ContainsFunc(branches, func(b *schema) bool {
		return len(b.required) != 1 || b.types != nil || b.properties != nil
	})
}

func choice(branches []*schema, code Code, v *Value, w *way, found []issue) []issue {
	if v.Kind != Map {
		return found
	}
	var names, given []string
	for _, b := range branches {
		names = append(names, b.required[0])
		if v.find(b.required[0]) >= 0 {
			given = append(given, b.required[0])
		}
	}
	switch {
	case len(given) == 0 && code == SchemaAnyOf:
		return append(found, fails(code, v.At, w.pointer(), fmt.Sprintf("%s has neither %s, want at least one of them", w.leaf(), listed(names, "nor")), ""))
	case len(given) == 0:
		return append(found, fails(code, v.At, w.pointer(), fmt.Sprintf("%s has neither %s, want exactly one of them", w.leaf(), listed(names, "nor")), ""))
	case len(given) > 1 && code == SchemaOneOf:
		later := &v.Members[max(v.find(given[0]), v.find(given[1]))]
		return append(found, fails(code, later.Value.At, w.member(later.Name).pointer(),
			fmt.Sprintf("%s has %s, want exactly one of them", w.leaf(), listed(given, "and")), "remove one of them"))
	}
	return found
}
