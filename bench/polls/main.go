// Command bench measures the polls against a stub: a plain net/http server that
// reads the same request, stores nothing and answers the same bytes. It shows
// requests per second, CPU of the server for one, how many votes share a disk sync,
// and latency. The servers are processes of their own and run in turns, so that a
// noisy machine disturbs all of them alike; each figure is the median of its rounds.
//
//	go run ./bench/polls -rounds 5 -seconds 3s
//	go run ./bench/polls -postgres postgres://stoa@127.0.0.1/empty
//	go run ./bench/polls -big
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"
)

// settings is what a run is about.
type settings struct {
	callers  int
	length   time.Duration // of a round
	rounds   int
	polls    int // that spread votes go to
	voters   int
	postgres string
	big      bool
	what     string // part of the name of what is measured
}

func main() {
	var s settings
	flag.IntVar(&s.callers, "callers", 64, "callers, each with a connection; one sends its next request when the last one is answered")
	flag.DurationVar(&s.length, "seconds", 3*time.Second, "length of a round, such as 3s")
	flag.IntVar(&s.rounds, "rounds", 5, "rounds of each server")
	flag.IntVar(&s.polls, "polls", 1000, "polls that votes are spread over")
	flag.IntVar(&s.voters, "voters", 100_000, "people who vote")
	flag.StringVar(&s.postgres, "postgres", os.Getenv("STOA_BENCH_POSTGRES"), "URL of an empty PostgreSQL database to show as well")
	flag.StringVar(&s.what, "what", "", "measure only what has this in its name, such as votes")
	flag.BoolVar(&s.big, "big", false, "instead, compare a poll of ten million votes with an empty one")
	role := flag.String("serve", "", "for the program itself: stub or stoa")
	var c child
	c.flags(flag.CommandLine)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch *role {
	case "stub":
		err = c.serveStub(ctx)
	case "stoa":
		err = c.serveStoa(ctx)
	default:
		err = run(ctx, s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	dir, err := os.MkdirTemp("", "stoa-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	house := &house{dir: dir}
	defer house.stop()
	if s.big {
		return compareBig(ctx, s, house)
	}
	return compareStub(ctx, s, house)
}

// compareStub measures every kind of request on every server.
func compareStub(ctx context.Context, s settings, h *house) error {
	servers, err := h.startAll(ctx, s)
	if err != nil {
		return err
	}
	t := newTable("stub")
	for _, w := range workloads(s) {
		if !strings.Contains(w.name, s.what) {
			continue
		}
		for round := range s.rounds + 1 { // the first warms up and is not counted
			for _, server := range servers {
				r, err := measure(ctx, s, server, w)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", w.name, server.name, err)
				}
				if round > 0 {
					t.add(w.name, server.name, r)
				}
				fmt.Fprintf(os.Stderr, "%d/%d  %-22s %-26s %s\n", round, s.rounds, w.name, server.name, r)
			}
		}
	}
	fmt.Printf("%d callers, votes of %d people spread over %d polls or on one\n\n", s.callers, s.voters, s.polls)
	return t.print(os.Stdout)
}

// compareBig measures votes on a poll of ten million votes and on an empty one, in
// the same database.
func compareBig(ctx context.Context, s settings, h *house) error {
	server, err := h.startStoa(ctx, "stoa, SQLite", s, "-fill", "10000000")
	if err != nil {
		return err
	}
	const empty, big = "an empty poll", "a poll of 10,000,000 votes"
	t := newTable(empty)
	for round := range s.rounds + 1 {
		for _, w := range []workload{hotVotes(empty, s, 2+round), hotVotes(big, s, 1)} {
			r, err := measure(ctx, s, server, w)
			if err != nil {
				return err
			}
			if round > 0 {
				t.add("votes", w.name, r)
			}
			fmt.Fprintf(os.Stderr, "%d/%d  %-26s %s\n", round, s.rounds, w.name, r)
		}
	}
	return t.print(os.Stdout)
}
