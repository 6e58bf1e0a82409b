package config

import "strings"

const variablePrefix = "STOA_"

// keyOf is the name in the file, of any of the three spellings.
func keyOf(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, variablePrefix), "--")
	return strings.ToLower(strings.ReplaceAll(name, "-", "_"))
}

// variableOf is the name in the environment of a name in the file.
func variableOf(key string) string { return variablePrefix + strings.ToUpper(key) }

// nearest is the known key that differs least from an unknown one, "" when
// none is close: a third of the letters may differ, three at the most.
func nearest(unknown string, known []string) string {
	unknown = keyOf(unknown)
	best, least := "", min(3, max(1, len(unknown)/3))+1
	for _, key := range known {
		if d := distance(unknown, key); d < least {
			best, least = key, d
		}
	}
	return best
}

// distance counts the letters to insert, delete or change to get from a to b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
