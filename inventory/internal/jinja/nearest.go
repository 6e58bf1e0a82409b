package jinja

import "stoa/internal/spelling"

// nearest is the end of a message: the word somebody may have meant.
func nearest(word string, words []string) string {
	if near := spelling.Nearest(word, words); near != "" {
		return ": did you mean \"" + near + "\"?"
	}
	return ""
}
