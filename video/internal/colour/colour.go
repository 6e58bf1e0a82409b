// Package colour says what a colour of a player theme may be. What is taken is
// written into style sheets as it is, so nothing else may get through.
package colour

import (
	"regexp"
	"strconv"
)

// Form says how to write one, for whoever wrote something else.
const Form = "Write a colour as rgba(255, 255, 255, .95), rgb(255, 255, 255) or #ffffff."

var (
	hex   = regexp.MustCompile(`^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$`)
	comma = ` {0,4}, {0,4}`
	rgb   = regexp.MustCompile(`^(?:rgb\( {0,4}(\d{1,3})` + comma + `(\d{1,3})` + comma + `(\d{1,3}) {0,4}\)` +
		`|rgba\( {0,4}(\d{1,3})` + comma + `(\d{1,3})` + comma + `(\d{1,3})` + comma + `(?:0|1|0?\.\d{1,6}|[01]\.0{1,6}) {0,4}\))$`)
)

// Valid tells whether text is a colour in one of the forms above, each number in
// its bounds.
func Valid(text string) bool {
	if hex.MatchString(text) {
		return true
	}
	m := rgb.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	for _, digits := range m[1:] {
		if n, _ := strconv.Atoi(digits); n > 255 { // those of the other form are empty
			return false
		}
	}
	return true
}
