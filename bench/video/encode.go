package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// encoded is one film that was encoded.
type encoded struct {
	cpu time.Duration // of all that did it
	// From the last byte of the upload: until the beginning can be played, until all
	// sizes are there, and until nothing is left to do.
	first, ladder, whole time.Duration
	bytes                int64 // of all sizes
}

func (e encoded) cpuSeconds() float64    { return e.cpu.Seconds() }
func (e encoded) firstSeconds() float64  { return e.first.Seconds() }
func (e encoded) ladderSeconds() float64 { return e.ladder.Seconds() }
func (e encoded) wholeSeconds() float64  { return e.whole.Seconds() }
func (e encoded) wait() float64          { return e.first.Seconds() / e.ladder.Seconds() }
func (e encoded) megabytes() float64     { return float64(e.bytes) / 1e6 }

// compareEncode measures a bare ffmpeg, one worker, and two.
func compareEncode(ctx context.Context, s settings) error {
	ladder, err := s.ladder()
	if err != nil {
		return err
	}
	h, site, shut, err := openHome(ctx, s.program)
	if err != nil {
		return err
	}
	defer shut()
	film, err := makeFilm(ctx, s, h.dir, ladder[0])
	if err != nil {
		return fmt.Errorf("make a film: %w", err)
	}
	const bare, one, two = "bare ffmpeg", "one worker", "two workers"
	rounds := map[string][]encoded{}
	for round := range s.encodes {
		for _, who := range []struct {
			name   string
			encode func() (encoded, error)
		}{
			{bare, func() (encoded, error) { return encodeBare(ctx, film, h.dir, ladder) }},
			{one, func() (encoded, error) { return h.encode(ctx, site, film, 1) }},
			{two, func() (encoded, error) { return h.encode(ctx, site, film, 2) }},
		} {
			made, err := who.encode()
			if err != nil {
				return fmt.Errorf("%s: %w", who.name, err)
			}
			rounds[who.name] = append(rounds[who.name], made)
			fmt.Fprintf(os.Stderr, "%d/%d  %-12s %7.2f s CPU  begins after %.2f s  all sizes after %.2f s  done after %.2f s  %.1f MB\n", round+1, s.encodes, who.name,
				made.cpuSeconds(), made.firstSeconds(), made.ladderSeconds(), made.wholeSeconds(), made.megabytes())
		}
	}
	fmt.Printf("\nEncoding: a film of %d lines. The bare ffmpeg is\n\n    ffmpeg %s\n\n", s.lines, quoted(bareArgs("film.mp4", "", ladder)))
	return printEncoded(rounds[bare], rounds[one], rounds[two])
}

func printEncoded(bare, one, two []encoded) error {
	t := newTable("who", "CPU s", "ratio", "wanted", "begins s", "all sizes s", "ratio", "wanted", "all done s", "faster", "wanted", "MB")
	row := func(name string, rounds []encoded, cpu, wait, speed, faster string) {
		begins, waits := "", ""
		if wait != "" {
			begins, waits = figure("%.2f", rounds, encoded.firstSeconds), figure("%.2f", rounds, encoded.wait)
		}
		t.add(name, figure("%.2f", rounds, encoded.cpuSeconds), ratio(rounds, bare, encoded.cpuSeconds), cpu,
			begins, figure("%.2f", rounds, encoded.ladderSeconds), waits, wait,
			figure("%.2f", rounds, encoded.wholeSeconds), speed, faster, figure("%.1f", rounds, encoded.megabytes))
	}
	row("bare ffmpeg", bare, "", "", "", "")
	row("one worker", one, "≤ 1.1", "≤ 0.4", "1.00", "")
	row("two workers", two, "", "", ratio(one, two, encoded.wholeSeconds), "≥ 1.7")
	return t.print()
}

// encode uploads the film and waits until workers have made everything of it.
func (h *home) encode(ctx context.Context, site *server, film string, workers int) (made encoded, err error) {
	var started []*server
	for range workers {
		w, err := h.work(ctx)
		if err != nil {
			return made, err
		}
		defer w.stop()
		started = append(started, w)
	}
	before, err := cpuOf(started)
	if err != nil {
		return made, err
	}
	id, err := site.create(ctx, `{"title":"film"}`)
	if err != nil {
		return made, err
	}
	defer func() { _ = site.call(context.WithoutCancel(ctx), "DELETE", "/videos/"+id, "", nil) }()
	sent, err := site.sendFile(ctx, id, film)
	if err != nil {
		return made, err
	}
	if err := until(ctx, 20*time.Millisecond, func() (bool, error) { return site.begins(ctx, id) }); err != nil {
		return made, err
	}
	made.first = time.Since(sent)
	if err := until(ctx, 100*time.Millisecond, func() (bool, error) { return site.isEncoded(ctx, id, "hls") }); err != nil {
		return made, err
	}
	made.ladder = time.Since(sent)
	if err := until(ctx, 100*time.Millisecond, func() (bool, error) { return site.isDone(ctx, id) }); err != nil {
		return made, err
	}
	made.whole = time.Since(sent)
	after, err := cpuOf(started)
	if err != nil {
		return made, err
	}
	made.cpu = after - before
	made.bytes, err = folderSize(filepath.Join(blobs(h.data()), "video", id, "hls"))
	return made, err
}

func cpuOf(all []*server) (total time.Duration, err error) {
	for _, s := range all {
		used, err := s.cpu()
		if err != nil {
			return 0, err
		}
		total += used
	}
	return total, nil
}

// quoted is a command for a shell.
func quoted(args []string) string {
	for i, a := range args {
		if strings.ContainsAny(a, "[;") {
			args[i] = "'" + a + "'"
		}
	}
	return strings.Join(args, " ")
}
