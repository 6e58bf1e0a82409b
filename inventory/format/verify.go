package format

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"stoa/inventory"
)

var errMeaning = errors.New("formatted, it would mean something else")

// verify reads a formatted text again: it must say the same.
func verify(before *inventory.Document, out []byte, comments []string) error {
	after, faults := inventory.Load(before.Name, out)
	if len(faults) > 0 {
		return fmt.Errorf("formatted, it could not be read: %s", faults[0].Message)
	}
	if !same(before.Root, after.Root, schemaShape()) {
		return errMeaning
	}
	if isJSON(before.Text()) {
		return nil
	}
	again, err := readYAML(string(out))
	if err != nil {
		return err
	}
	slices.Sort(comments)
	slices.Sort(again.comments)
	if !slices.Equal(comments, again.comments) {
		return errors.New("formatted, it would lack a comment")
	}
	return nil
}

// same compares two values; the order of members counts where the schema does not
// set one.
func same(a, b *inventory.Value, s *shape) bool {
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	x, _ := a.Number()
	y, _ := b.Number()
	if x != y && !(math.IsNaN(x) && math.IsNaN(y)) || a.Bool() != b.Bool() {
		return false
	}
	ai, _ := a.Int()
	bi, _ := b.Int()
	if ai != bi {
		return false
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i], s.item(i)) {
			return false
		}
	}
	return len(a.Members) == 0 || sameMembers(a, b, s)
}

func sameMembers(a, b *inventory.Value, s *shape) bool {
	names := make([]string, len(a.Members))
	for i, m := range a.Members {
		names[i] = m.Name
	}
	s = s.form(names)
	for i, m := range a.Members {
		other := b.Get(m.Name)
		if other == nil || (s == nil || s.keyed) && b.Members[i].Name != m.Name || !same(m.Value, other, s.member(m.Name)) {
			return false
		}
	}
	return true
}
