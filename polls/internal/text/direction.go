package text

import "golang.org/x/text/unicode/bidi"

// Direction is the dir attribute of a text in HTML, "ltr" or "rtl", by its first
// character that has one of its own; "ltr" when none has.
func Direction(s string) string {
	for _, r := range s {
		properties, _ := bidi.LookupRune(r)
		switch properties.Class() {
		case bidi.L:
			return "ltr"
		case bidi.R, bidi.AL:
			return "rtl"
		}
	}
	return "ltr"
}
