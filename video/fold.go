package video

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// foldCase makes texts alike that differ in case only.
func foldCase(s string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(s)))
}

// foldAccents makes texts alike that differ in case or in accents only.
func foldAccents(s string) string {
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
	return foldCase(bare)
}

var plainPattern = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// containing is the pattern of LIKE … ESCAPE '\' for texts with s in them. Nothing in
// s has a meaning of its own.
func containing(s string) string { return "%" + plainPattern.Replace(s) + "%" }
