package db

import "testing"

func TestPositional(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SELECT 1":                         "SELECT 1",
		"a = $1 AND b IN ($2, $3)":         "a = ? AND b IN (?, ?)",
		"($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)": "(?,?,?,?,?,?,?,?,?,?)",
		"SET a = $2 WHERE id = $1":         "SET a = $2 WHERE id = $1",
		"VALUES ($1, $1)":                  "VALUES ($1, $1)",
		"VALUES ($1, $2, $1)":              "VALUES ($1, $2, $1)",
		"VALUES ($11)":                     "VALUES ($11)",
		"a = $1 AND b = '$2'":              "a = $1 AND b = '$2'",
		`a = $1 AND "b$2" = 1`:             `a = $1 AND "b$2" = 1`,
		"a = ? AND b = $1":                 "a = ? AND b = $1",
		"a = $1 AND b = $name AND c$ = $2": "a = $1 AND b = $name AND c$ = $2",
	} {
		if got := positional(text); got != want {
			t.Errorf("%s: got %s want %s", text, got, want)
		}
	}
}
