// Command bench measures the videos, each subject against something that is measured in
// the same run:
//
//   - encode: a whole job, against one bare ffmpeg that makes the same sizes of the same
//     film in one pass; how soon the video begins; what a second worker brings.
//   - upload: sources that are sent, against writing the same bytes to the same disk.
//   - lists: pages and single videos where there are many videos, against few.
//   - delivery: files that viewers fetch, against nginx that has the same folder.
//   - live: broadcasts, against one ffmpeg for each; viewers who wait; how far behind the
//     camera a browser is.
//
// What is compared are processes of their own that run in turns, so that a noisy machine
// disturbs all alike; each figure is the median of its rounds.
//
//	go run ./bench/video -rounds 5 -seconds 3s
//	go run ./bench/video -only encode -film 2m -encodes 3
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

// settings is what a run is about.
type settings struct {
	viewers int
	length  time.Duration // of a round
	rounds  int
	files   int           // segments that viewers ask for in turn
	size    int           // bytes of a segment of 720p
	film    time.Duration // that is encoded
	lines   int           // its height
	source  string        // a file of somebody's own, instead
	encodes int
	upload  int64 // MiB
	videos  int   // that are many
	live    time.Duration
	program string
}

// sizes are the bytes of a segment, by track: four seconds of it.
func (s settings) sizes() map[string]int {
	return map[string]int{"720p": s.size, "240p": 128 << 10, "audio": 64 << 10}
}

// subject is something to measure.
type subject struct {
	name    string
	compare func(context.Context, settings) error
}

var subjects = []subject{
	{"encode", compareEncode},
	{"upload", compareUpload},
	{"lists", compareLists},
	{"delivery", compareDelivery},
	{"live", compareLive},
}

func main() {
	var s settings
	flag.IntVar(&s.viewers, "viewers", 32, "viewers, each with a connection; one asks for the next file when the last one is there")
	flag.DurationVar(&s.length, "seconds", 3*time.Second, "length of a round, such as 3s")
	flag.IntVar(&s.rounds, "rounds", 5, "rounds of each server")
	flag.IntVar(&s.files, "files", 100, "segments of the video that is delivered")
	flag.IntVar(&s.size, "size", 1<<20, "bytes of a large segment")
	flag.DurationVar(&s.film, "film", time.Minute, "length of the film that is encoded")
	flag.IntVar(&s.lines, "lines", 1080, "height of the film: 240, 360, 480, 720 or 1080")
	flag.StringVar(&s.source, "source", "", "encode this film instead: 30 frames a second, as high as lines says")
	flag.IntVar(&s.encodes, "encodes", 1, "rounds of encoding")
	flag.Int64Var(&s.upload, "upload", 200, "MiB of an upload; the API takes 200 at once")
	flag.IntVar(&s.videos, "videos", 100_000, "videos that are many")
	flag.DurationVar(&s.live, "live", 20*time.Second, "length of a measured piece of a broadcast")
	flag.StringVar(&s.program, "stoa", "", "the program, if it is built already")
	only := flag.String("only", "", "measure this alone: encode, upload, lists, delivery or live")
	folder := flag.String("serve", "", "for the program itself: serve from this folder")
	files := flag.String("serve-files", "", "for the program itself: serve the files of this folder, and nothing else")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	switch {
	case *folder != "":
		err = serve(ctx, *folder, s)
	case *files != "":
		err = serveFiles(ctx, *files)
	default:
		err = compare(ctx, s, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// compare measures all subjects, or only one.
func compare(ctx context.Context, s settings, only string) error {
	chosen := slices.DeleteFunc(slices.Clone(subjects), func(of subject) bool { return only != "" && of.name != only })
	switch {
	case len(chosen) == 0:
		return fmt.Errorf("only: want encode, upload, lists, delivery or live, got %q", only)
	case s.rounds < 1 || s.encodes < 1 || s.upload < 1 || s.viewers < 1 || s.files < 1 || s.videos < few:
		return fmt.Errorf("want at least 1 of everything, and %d videos that are many", few)
	}
	if s.program == "" && only != "delivery" {
		dir, err := os.MkdirTemp("", "stoa-bench-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if s.program, err = build(ctx, dir); err != nil {
			return err
		}
	}
	for _, subject := range chosen {
		if err := subject.compare(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", subject.name, err)
		}
	}
	return nil
}
