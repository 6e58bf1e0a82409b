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
