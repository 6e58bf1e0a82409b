package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// result is one round of one server.
type result struct {
	perSecond float64
	cpu       float64 // microseconds of the server for one request
	p50, p99  time.Duration
}

// workload is what viewers ask for: the nth file of a round.
type workload struct {
	name string
	path func(of *server, n int) string
}

// workloads are viewers of a size with its sound: segments of one and of the other in
// turns.
func workloads(s settings) []workload {
	var all []workload
	for _, track := range []string{"720p", "240p"} {
		all = append(all, workload{
			fmt.Sprintf("%s, %d kB and %d kB", track, s.sizes()[track]>>10, s.sizes()["audio"]>>10),
			func(of *server, n int) string {
				return fmt.Sprintf("%s/hls/%s/%d.m4s", of.place, []string{track, "audio"}[n%2], n/2%s.files)
			},
		})
	}
	return all
}

// compareDelivery measures the servers on every workload.
func compareDelivery(ctx context.Context, s settings) error {
	dir, err := os.MkdirTemp("", "stoa-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	stoa, err := startStoa(ctx, dir, s)
	if err != nil {
		return err
	}
	defer stoa.stop()
	nginx, err := startNginx(ctx, dir, stoa.Video)
	if err != nil {
		return err
	}
	defer nginx.stop()
	library, err := startLibrary(ctx, dir, stoa.Video)
	if err != nil {
		return err
	}
	defer library.stop()
	private := *stoa
	private.name, private.query = "stoa, private", "?avh="+stoa.Session
	private.place = "/vod/" + stoa.Private
	t := newTable("what", "server", "per second", "ratio", "wanted", "CPU µs", "ratio", "p50 ms", "p99 ms")
	servers := []*server{nginx, library, stoa, &private}
	for _, w := range workloads(s) {
		rounds, err := takeTurns(ctx, s, servers, w)
		if err != nil {
			return err
		}
		for _, server := range servers {
			mine, other, wanted := rounds[server], rounds[nginx], ""
			if server.name == stoa.name || server.name == private.name {
				wanted = "≥ 0.8"
			}
			t.add(w.name, server.name, figure("%.0f", mine, perSecond), ratio(mine, other, perSecond), wanted,
				figure("%.1f", mine, cpuMicros), ratio(mine, other, cpuMicros), figure("%.2f", mine, p50), figure("%.2f", mine, p99))
		}
	}
	fmt.Printf("\nDelivery: %d viewers\n\n", s.viewers)
	return t.print()
}

// takeTurns measures servers on a workload.
func takeTurns(ctx context.Context, s settings, servers []*server, w workload) (map[*server][]result, error) {
	rounds := map[*server][]result{}
	for round := range s.rounds + 1 { // the first warms up and is not counted
		for _, server := range servers {
			r, err := measure(ctx, s, server, w)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", w.name, server.name, err)
			}
			if round > 0 {
				rounds[server] = append(rounds[server], r)
			}
			fmt.Fprintf(os.Stderr, "%d/%d  %-24s %-14s %8.0f/s  %6.1f µs CPU  p50 %v  p99 %v\n",
				round, s.rounds, w.name, server.name, r.perSecond, r.cpu, r.p50.Round(10*time.Microsecond), r.p99.Round(10*time.Microsecond))
		}
	}
	return rounds, nil
}

func perSecond(r result) float64 { return r.perSecond }
func cpuMicros(r result) float64 { return r.cpu }
func p50(r result) float64       { return r.p50.Seconds() * 1e3 }
func p99(r result) float64       { return r.p99.Seconds() * 1e3 }

// blobs is the folder that both servers serve from.
func blobs(dir string) string { return filepath.Join(dir, "blobs") }
