package inventory

import "strconv"

// taints remembers which values are faulty, so that what merely follows from a
// reported fault is not reported again.
type taints struct {
	at    map[string]bool // pointers of faulty values
	below map[string]bool // those and everything above them
}

// add marks a value. List positions count twice, as themselves and as *, so that
// a check can ask for /nodes/*/roles.
func (t *taints) add(p string) {
	if t.at == nil {
		t.at, t.below = make(map[string]bool), make(map[string]bool)
	}
	exact, starred := "", ""
	t.below[""] = true
	for _, s := range splitPointer(p) {
		exact += pointer(s)
		if _, err := strconv.Atoi(s); err == nil {
			s = "*"
		}
		starred += pointer(s)
		t.below[exact], t.below[starred] = true, true
	}
	t.at[exact], t.at[starred] = true, true
}

// sound tells that nothing at, above or below a pointer is faulty.
func (t *taints) sound(p string) bool {
	if len(t.at) == 0 {
		return true
	}
	return !t.below[p] && t.usable(p)
}

// usable tells that nothing at or above a pointer is faulty; something in it may
// be.
func (t *taints) usable(p string) bool {
	if t.at[p] {
		return false
	}
	for i := range len(p) {
		if p[i] == '/' && t.at[p[:i]] {
			return false
		}
	}
	return true
}

// prune takes what the schema refused out of a copy of the document, so that
// later stages can look at the rest. A refused item of a list becomes null: the
// others keep their positions.
func prune(root *Value, issues []issue, t *taints) {
	for _, i := range issues {
		segments := splitPointer(i.path)
		if i.code == SchemaUnknownMember {
			if near := i.near; near != "" {
				t.add(pointer(append(segments[:len(segments)-1:len(segments)-1], near)...))
			}
			defer remove(root, segments)
			continue
		}
		t.add(i.path)
		switch i.code {
		case SchemaType, SchemaEnum, SchemaRange, SchemaMergeSymbol:
			defer remove(root, segments)
		}
	}
}

func remove(root *Value, segments []string) {
	if len(segments) == 0 {
		*root = Value{Kind: Map, At: root.At}
		return
	}
	up := root.at(segments[:len(segments)-1])
	last := segments[len(segments)-1]
	switch {
	case up == nil:
	case up.Kind == Map:
		up.Delete(last)
	case up.Kind == List:
		if v := up.at([]string{last}); v != nil {
			*v = Value{At: v.At}
		}
	}
}
