package text

import "unicode"

// forbidden says why no text may hold a character; "" for all others. Isolates
// (U+2066 to U+2069) are allowed: they cannot reach beyond their text.
func forbidden(r rune) string {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return ""
	case unicode.IsControl(r):
		return "a control character"
	case 0xFDD0 <= r && r <= 0xFDEF, r&0xFFFE == 0xFFFE:
		return "which is not a character"
	case 0x202A <= r && r <= 0x202E:
		return "which overrides the direction of text"
	}
	return ""
}

// visible is for characters that leave a mark or could: what this version of
// Unicode does not know is taken to be visible.
func visible(r rune) bool {
	return !unicode.IsSpace(r) && !ignorable(r) && r != brailleBlank
}

const brailleBlank = '\u2800'

// ignorable follows Default_Ignorable_Code_Point, which package unicode has
// only in parts: joiners, variation selectors, fillers, marks of direction.
func ignorable(r rune) bool {
	switch {
	case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r), // Arabic number signs are drawn
		0xFFF9 <= r && r <= 0xFFFB,   // so are annotation marks
		0x13430 <= r && r <= 0x1343F: // and the frames of hieroglyphs
		return false
	}
	return unicode.Is(unicode.Cf, r)
}
