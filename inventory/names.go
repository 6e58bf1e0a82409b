package inventory

import (
	"slices"
	"strings"

	"stoa/internal/spelling"
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

// renamed is words of older documents and what they are called now.
var renamed = map[string]string{"master": "control-plane", "control-plain": "control-plane"}

// didYouMean is a hint with the nearest word, "" when none is near.
func didYouMean(word string, words []string) string {
	if now := renamed[word]; now != "" && slices.Contains(words, now) {
		return `did you mean "` + now + `"?`
	}
	if near := spelling.Nearest(word, words); near != "" {
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
