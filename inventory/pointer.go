package inventory

import (
	"slices"
	"strconv"
	"strings"
)

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")
var pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")

// pointer writes a JSON pointer (RFC 6901).
func pointer(segments ...string) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteByte('/')
		pointerEscape.WriteString(&b, s)
	}
	return b.String()
}

// splitPointer is the segments of a JSON pointer.
func splitPointer(p string) []string {
	if p == "" {
		return nil
	}
	segments := strings.Split(strings.TrimPrefix(p, "/"), "/")
	for i, s := range segments {
		segments[i] = pointerUnescape.Replace(s)
	}
	return segments
}

// at is what a list of segments leads to, list positions being numbers.
func (v *Value) at(segments []string) *Value {
	for _, s := range segments {
		switch {
		case v == nil:
			return nil
		case v.Kind == Map:
			v = v.Get(s)
		case v.Kind == List:
			i, err := strconv.Atoi(s)
			if err != nil || i < 0 || i >= len(v.Items) {
				return nil
			}
			v = v.Items[i]
		default:
			return nil
		}
	}
	return v
}

func sortedNames(v *Value) []string {
	names := make([]string, len(v.Members))
	for i := range v.Members {
		names[i] = v.Members[i].Name
	}
	slices.Sort(names)
	return names
}
