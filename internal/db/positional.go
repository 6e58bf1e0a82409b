package db

import (
	"strconv"
	"strings"
)

// positional writes ? for $1, $2, … when each of them stands once and in order. To
// SQLite $1 is a name, and its driver looks every name up in a list: with some
// hundred of them that takes longer than the statement. Other texts are left alone.
func positional(text string) string {
	if strings.ContainsAny(text, `'"?`) { // a dollar may be part of a text or a name
		return text
	}
	var b strings.Builder
	rest := text
	for n := 1; ; n++ {
		before, after, found := strings.Cut(rest, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		number := strconv.Itoa(n)
		rest, found = strings.CutPrefix(after, number)
		if !found || rest != "" && '0' <= rest[0] && rest[0] <= '9' {
			return text
		}
		b.WriteByte('?')
	}
}
