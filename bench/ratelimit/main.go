// Command bench measures the rate limit service against a bare gRPC server: the
// CPU that the server takes for a decision, decisions per second, latency and
// allocations. The servers run one at a time, in turns, so that a noisy machine
// disturbs all of them alike; each figure is the median of its rounds.
//
//	go run ./bench/ratelimit -rounds 5 -seconds 3s
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"text/tabwriter"
	"time"
)

func main() {
	var l load
	flag.IntVar(&l.connections, "connections", 4, "gRPC connections")
	flag.IntVar(&l.inFlight, "inflight", 32, "calls in flight on each connection")
	flag.IntVar(&l.keys, "keys", 10000, "distinct counter keys")
	flag.IntVar(&l.descriptors, "descriptors", 2, "descriptors in a request")
	seconds := flag.Duration("seconds", 3*time.Second, "length of a round, such as 3s")
	rounds := flag.Int("rounds", 5, "rounds of each server")
	flag.Parse()
	l.length = *seconds
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, l, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, l load, rounds int) error {
	dir, err := os.MkdirTemp("", "stoa-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	servers, stop, err := startServers(ctx, dir)
	defer stop()
	if err != nil {
		return err
	}
	results := make(map[string][]result)
	for round := range rounds + 1 { // the first warms up and is not counted
		for _, s := range servers {
			r, err := l.run(ctx, s)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if round > 0 {
				results[s.name] = append(results[s.name], r)
			}
			fmt.Fprintf(os.Stderr, "round %d/%d  %-28s %8.0f decisions/s  %5.1f µs CPU\n", round, rounds, s.name, r.perSecond, r.cpuMicros)
		}
	}
	return report(servers, results, l)
}

// report prints the table of docs/performance.md.
func report(servers []*server, results map[string][]result, l load) error {
	bare := median(results[servers[0].name], func(r result) float64 { return r.cpuMicros })
	fmt.Printf("%d connections, %d calls in flight on each, %d keys, %d descriptors a request\n\n", l.connections, l.inFlight, l.keys, l.descriptors)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "| server\t| CPU µs per decision\t| ratio\t| decisions/s\t| p50\t| p99\t| allocs per decision\t|")
	fmt.Fprintln(table, "|---\t|---\t|---\t|---\t|---\t|---\t|---\t|")
	for _, s := range servers {
		of := func(f func(result) float64) float64 { return median(results[s.name], f) }
		cpu := of(func(r result) float64 { return r.cpuMicros })
		fmt.Fprintf(table, "| %s\t| %.1f\t| %.2f\t| %.0f\t| %.2f ms\t| %.2f ms\t| %.1f\t|\n", s.name, cpu, cpu/bare,
			of(func(r result) float64 { return r.perSecond }),
			of(func(r result) float64 { return r.p50.Seconds() * 1e3 }),
			of(func(r result) float64 { return r.p99.Seconds() * 1e3 }),
			of(func(r result) float64 { return r.allocs }))
	}
	return table.Flush()
}

func median(results []result, f func(result) float64) float64 {
	var values []float64
	for _, r := range results {
		values = append(values, f(r))
	}
	slices.Sort(values)
	if len(values) == 0 {
		return 0
	}
	return values[len(values)/2]
}
