package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// outputFlag is for commands whose answer programs read too.
type outputFlag struct {
	Output string `short:"o" enum:"text,json" default:"text" help:"Print ${enum}."`
}

// printRows prints a list as JSON, or as a table with a line for each.
func printRows[T any](w io.Writer, f outputFlag, rows []T, columns func(T) []string) error {
	if f.Output == "json" {
		return json.NewEncoder(w).Encode(rows)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(table, strings.TrimRight(strings.Join(columns(r), "\t"), "\t"))
	}
	return table.Flush()
}
