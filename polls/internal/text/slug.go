package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const slugMax = 60

// Slug is a caption as part of an address: a-z, 0-9 and single hyphens, none
// at the ends. Letters lose their accents; scripts without a-z leave nothing,
// so it may be empty.
func Slug(caption string) string {
	var slug strings.Builder
	gap := false
	for _, r := range cases.Fold().String(norm.NFKD.String(caption)) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			if gap && slug.Len() > 0 {
				slug.WriteByte('-')
			}
			gap = false
			slug.WriteRune(r)
		case !unicode.Is(unicode.Mn, r):
			gap = true
		}
		if slug.Len() >= slugMax {
			break
		}
	}
	return strings.TrimSuffix(slug.String()[:min(slug.Len(), slugMax)], "-")
}
