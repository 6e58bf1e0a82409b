package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// table collects the rounds and prints their medians as docs/performance.md has
// them.
type table struct {
	against string // the row that the others are compared with
	rows    []*row
}

type row struct {
	what, server string
	rounds       []result
}

func newTable(against string) *table { return &table{against: against} }

func (t *table) add(what, server string, r result) {
	found := t.find(what, server)
	if found == nil {
		found = &row{what: what, server: server}
		t.rows = append(t.rows, found)
	}
	found.rounds = append(found.rounds, r)
}

func (t *table) find(what, server string) *row {
	for _, r := range t.rows {
		if r.what == what && r.server == server {
			return r
		}
	}
	return nil
}

func (t *table) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	fmt.Fprintln(w, "| what\t| server\t| per second\t| ratio\t| CPU µs\t| ratio\t| votes per sync\t| p50 ms\t| p99 ms\t|")
	fmt.Fprintln(w, "|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|")
	for _, r := range t.rows {
		base := t.find(r.what, t.against)
		perSecond := func(r result) float64 { return r.perSecond }
		cpu := func(r result) float64 { return r.cpuMicros }
		fmt.Fprintf(w, "| %s\t| %s\t| %.0f\t| %.2f\t| %.1f\t| %.2f\t| %.1f\t| %.2f\t| %.2f\t|\n", r.what, r.server,
			r.median(perSecond), r.median(perSecond)/base.median(perSecond), r.median(cpu), r.median(cpu)/base.median(cpu),
			r.median(func(r result) float64 { return r.votesPerSync }),
			r.median(func(r result) float64 { return r.p50.Seconds() * 1e3 }),
			r.median(func(r result) float64 { return r.p99.Seconds() * 1e3 }))
	}
	return w.Flush()
}

func (r *row) median(of func(result) float64) float64 {
	if r == nil || len(r.rounds) == 0 {
		return 0
	}
	var values []float64
	for _, round := range r.rounds {
		values = append(values, of(round))
	}
	slices.Sort(values)
	return values[len(values)/2]
}
