package main

import (
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
)

// table is what docs/performance.md shows of a subject.
type table struct{ rows [][]string }

func newTable(head ...string) *table {
	return &table{[][]string{head, slices.Repeat([]string{"---"}, len(head))}}
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) print() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	for _, row := range t.rows {
		for _, cell := range row {
			fmt.Fprintf(w, "| %s\t", cell)
		}
		fmt.Fprintln(w, "|")
	}
	return w.Flush()
}

// figure is the median of rounds as text.
func figure[T any](format string, rounds []T, of func(T) float64) string {
	return fmt.Sprintf(format, median(rounds, of))
}

// ratio is the median of rounds by that of others.
func ratio[T any](rounds, others []T, of func(T) float64) string {
	return fmt.Sprintf("%.2f", median(rounds, of)/median(others, of))
}

func median[T any](rounds []T, of func(T) float64) float64 {
	values := make([]float64, len(rounds))
	for i, r := range rounds {
		values[i] = of(r)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
