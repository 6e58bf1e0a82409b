package video

import (
	"strings"
	"unicode/utf8"

	"stoa/video/internal/problem"
)

// checkText tells what is wrong with a text that is going to be stored. Bounds are in
// characters. PostgreSQL keeps no NUL, so there is none in either database.
func checkText(name, s string, least, most int) *problem.Error {
	n := utf8.RuneCountInString(s)
	switch {
	case least > 0 && n < least:
		return problem.Attribute(name, "This value is empty: give %d to %d characters.", least, most)
	case n > most:
		return problem.Attribute(name, "This value has %d characters: give at most %d.", n, most)
	case strings.ContainsRune(s, 0):
		return problem.Attribute(name, "This value has a NUL character in it: leave that out.")
	}
	return nil
}

// checkFilter is checkText for a parameter of a query, where also the encoding can be
// wrong.
func checkFilter(name, s string) *problem.Error {
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) || utf8.RuneCountInString(s) > maxFilter {
		return problem.Query(name, "Give UTF-8 text of at most %d characters.", maxFilter)
	}
	return nil
}

// maxFilter is also what SQLite can take as a pattern.
const maxFilter = 2000
