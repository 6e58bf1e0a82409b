package inventory

import (
	"strings"
	"unicode/utf8"
)

// kindName is a value's type in words.
func kindName(v *Value) string {
	switch v.Kind {
	case Bool:
		return "a boolean"
	case Int:
		return "a whole number"
	case Float:
		return "a number"
	case String:
		return "a text"
	case Time:
		return "a date"
	case List:
		return "a list"
	case Map:
		return "an object"
	}
	return "empty"
}

// nearest is the word that someone most likely meant, "" when none is near.
func nearest(word string, words []string) string {
	if utf8.RuneCountInString(word) > 64 {
		return ""
	}
	best, found := 0, ""
	for _, w := range words {
		limit := max(1, min(len(word), len(w))/3)
		d := distance(fold(word), fold(w), limit)
		if d <= limit && (found == "" || d < best) {
			best, found = d, w
		}
	}
	return found
}

func fold(s string) string {
	return strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(s))
}

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
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// didYouMean is a hint with the nearest word, "" when none is near.
func didYouMean(word string, words []string) string {
	if near := nearest(word, words); near != "" {
		return `did you mean "` + near + `"?`
	}
	return ""
}

// listed writes a, b or c.
func listed(words []string, last string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}
