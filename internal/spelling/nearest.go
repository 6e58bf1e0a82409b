// Package spelling finds the word that somebody meant to write.
package spelling

import (
	"strings"
	"unicode/utf8"
)

// longest is the length beyond which a word is no misspelling but something else.
const longest = 64

// Nearest is the word that differs least from the one written, "" when none is
// near: about a third of the letters may be inserted, left out, changed or swapped
// with their neighbour. Case, dashes, underscores and blanks make no difference.
func Nearest(word string, words []string) string {
	if utf8.RuneCountInString(word) > longest {
		return ""
	}
	best, found := 0, ""
	for _, w := range words {
		limit := max(1, min(len(word), len(w))/3)
		if d := distance(fold(word), fold(w), limit); d <= limit && (found == "" || d < best) {
			best, found = d, w
		}
	}
	return found
}

var oneDash = strings.NewReplacer("_", "-", " ", "-")

func fold(s string) string { return oneDash.Replace(strings.ToLower(s)) }

// distance counts insertions, deletions, changes and swaps of neighbours; it
// gives up beyond limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
