package format

import (
	"errors"
	"testing"

	"stoa/inventory"
)

// What the printer does must not be taken on trust.
func TestVerify(t *testing.T) {
	doc, faults := inventory.Load("x.yaml", []byte("plugins: {b: {}, a: {}}\nvalues: yes # why\n"))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for _, test := range []struct {
		name, out string
		sound     bool
		meaning   bool
	}{
		{"the same", "values: yes # why\nplugins: {b: {}, a: {}}\n", true, false},
		{"another type", "values: 'yes' # why\nplugins: {b: {}, a: {}}\n", false, true},
		{"another order where it counts", "values: yes # why\nplugins: {a: {}, b: {}}\n", false, true},
		{"a member less", "values: yes # why\n", false, true},
		{"a comment less", "values: yes\nplugins: {b: {}, a: {}}\n", false, false},
		{"not to be read", "values: [\n", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := verify(doc, []byte(test.out), []string{"# why"})
			if (err == nil) != test.sound || errors.Is(err, errMeaning) != test.meaning {
				t.Errorf("got %v", err)
			}
		})
	}
}
