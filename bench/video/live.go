package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"
)

// compareLive measures what broadcasts cost, what viewers who only wait for the next part
// cost, and how far behind the camera a browser is.
func compareLive(ctx context.Context, s settings) error {
	dir, err := os.MkdirTemp("", "stoa-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	clip, err := makeClip(ctx, dir)
	if err != nil {
		return fmt.Errorf("make a clip: %w", err)
	}
	if err := compareIngest(ctx, s, clip, dir); err != nil {
		return err
	}
	if err := measureIdle(ctx, s, clip); err != nil {
		return err
	}
	return measureLatency(ctx, s)
}

// aired is what a second of broadcasts costs.
type aired struct{ cpu float64 } // milliseconds of a core, for each stream

func cpuMillis(a aired) float64 { return a.cpu }

// compareIngest has the same films pushed to the server and to as many bare ffmpegs.
func compareIngest(ctx context.Context, s settings, clip, dir string) error {
	t := newTable("streams", "who", "CPU ms per second and stream", "ratio", "wanted")
	for _, streams := range []int{1, 4} {
		var bare, ours []aired
		for round := range s.encodes {
			b, err := airBare(ctx, s, clip, dir, streams)
			if err != nil {
				return fmt.Errorf("bare ffmpeg: %w", err)
			}
			o, err := airOurs(ctx, s, clip, streams)
			if err != nil {
				return err
			}
			bare, ours = append(bare, b), append(ours, o)
			fmt.Fprintf(os.Stderr, "%d/%d  %d streams  bare %.1f ms  stoa %.1f ms\n", round+1, s.encodes, streams, b.cpu, o.cpu)
		}
		n := strconv.Itoa(streams)
		t.add(n, "ffmpeg -c copy", figure("%.1f", bare, cpuMillis), "1.00", "")
		t.add(n, "stoa", figure("%.1f", ours, cpuMillis), ratio(ours, bare, cpuMillis), "≤ 1.2")
	}
	fmt.Printf("\nLive: films of 1280×720, 30 frames and 2.5 Mbit a second, pushed for %v\n\n", s.live)
	return t.print()
}

// airOurs measures the server while films are pushed to it.
func airOurs(ctx context.Context, s settings, clip string, streams int) (aired, error) {
	studio, err := openStudio(ctx, s.program)
	if err != nil {
		return aired{}, err
	}
	defer studio.shut()
	for range streams {
		stream, err := studio.newStream(ctx)
		if err != nil {
			return aired{}, err
		}
		stop, err := push(ctx, clip, stream.ingest)
		if err != nil {
			return aired{}, err
		}
		defer stop()
		if err := studio.awaitAir(ctx, stream); err != nil {
			return aired{}, err
		}
	}
	return measureAired(ctx, s, streams, studio.site)
}

// measureAired waits until everything goes its way, and then for the length of a round.
func measureAired(ctx context.Context, s settings, streams int, servers ...*server) (aired, error) {
	if err := rest(ctx, 3*time.Second); err != nil {
		return aired{}, err
	}
	before, err := cpuOf(servers)
	if err != nil {
		return aired{}, err
	}
	start := time.Now()
	if err := rest(ctx, s.live); err != nil {
		return aired{}, err
	}
	after, err := cpuOf(servers)
	took := time.Since(start)
	return aired{float64((after - before).Milliseconds()) / took.Seconds() / float64(streams)}, err
}

// rest waits.
func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
