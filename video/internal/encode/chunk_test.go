package encode_test

import (
	"bytes"
	"context"
	"errors"
	"image/jpeg"
	"maps"
	"slices"
	"testing"

	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

func TestChunksJoinWithoutASeam(t *testing.T) {
	t.Parallel()
	path := ffmpegtest.Source(t, ffmpegtest.Spec{Seconds: 20, Width: 480, Height: 360, Rate: "30000/1001", GOP: 77, Audio: true})
	s := encodeFile(t, path)
	if got := s.plan.Chunks(); got < 2 {
		t.Fatalf("got %d chunks want several", got)
	}
	checkTimes(t, s)
	checkNumbers(t, s, same)
	checkSound(t, s)

	want := []int{0, 1, 2, 3} // one every 5 s
	if got := slices.Sorted(maps.Keys(s.pictures)); !slices.Equal(got, want) || s.plan.Pictures() != len(want) {
		t.Fatalf("got pictures %v of %d, want %v", got, s.plan.Pictures(), want)
	}
	for n, b := range s.pictures {
		picture, err := jpeg.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		number, err := ffmpegtest.FrameNumber(picture)
		if err != nil || number != 150*n || picture.Bounds().Dx() != 160 {
			t.Errorf("picture %d: got frame %d (%v), %v want frame %d, 160 wide", n, number, err, picture.Bounds(), 150*n)
		}
	}
}

// A chunk that was interrupted goes on with the segment after the last one kept,
// and makes it as it would have been.
func TestChunkGoesOnAfterKeptSegments(t *testing.T) {
	t.Parallel()
	in := ffmpegtest.Input(t, ffmpegtest.Source(t, ffmpegtest.Spec{Seconds: 14, Rate: "25"}))
	p := plan(t, probe(t, in), encode.Options{})
	p.ChunkSegments = 4
	s, source := newStore(p), encode.Source{Input: in}
	whole := newStore(p)
	for first, sink := range map[int]*store{0: whole, 2: s} {
		if err := encode.Chunk(t.Context(), ffmpegtest.Runner(t), source, p, 0, first, sink); err != nil {
			t.Fatal(err)
		}
	}
	if got := slices.Sorted(maps.Keys(s.segments["240p"])); !slices.Equal(got, []int{2, 3}) {
		t.Fatalf("got segments %v want 2 and 3", got)
	}
	for n := range 2 { // the earlier half of one run, the later of the other
		s.segments["240p"][n] = whole.segments["240p"][n]
	}
	checkTimes(t, s)
	checkNumbers(t, s, same)
	for _, bad := range []int{-1, 4} {
		if err := encode.Chunk(t.Context(), ffmpegtest.Runner(t), source, p, 0, bad, s); err == nil {
			t.Errorf("segment %d: got no error want one", bad)
		}
	}
}

// full is a sink without room.
type full struct{ *store }

var errFull = errors.New("no space left")

func (full) Segment(context.Context, string, int, encode.Segment) error { return errFull }

func TestErrorOfTheSinkEndsTheRun(t *testing.T) {
	t.Parallel()
	in := ffmpegtest.Input(t, ffmpegtest.Source(t, ffmpegtest.Spec{}))
	p := plan(t, probe(t, in), encode.Options{})
	err := encode.Chunk(t.Context(), ffmpegtest.Runner(t), encode.Source{Input: in}, p, 0, 0, full{newStore(p)})
	if !errors.Is(err, errFull) {
		t.Errorf("got %v want %v", err, errFull)
	}
}

// A source that lasts shorter than it says stands still, and nothing is made of a
// place where it has no picture at all.
func TestSourceThatEndsEarly(t *testing.T) {
	t.Parallel()
	in := ffmpegtest.Input(t, ffmpegtest.Source(t, ffmpegtest.Spec{Seconds: 2}))
	media := probe(t, in)
	media.Duration *= 3
	s := encodeAll(t, encode.Source{Input: in}, plan(t, media, encode.Options{}))
	checkTimes(t, s)
	checkNumbers(t, s, func(n int) int { return min(n, 49) })

	media.Audio, media.Video.Index = nil, 0
	p := plan(t, media, encode.Options{})
	cut := ffmpegtest.Input(t, ffmpegtest.Source(t, ffmpegtest.Spec{Seconds: 2, Container: "ts"}))
	cut.Parts[0].Size = 188 * 3
	err := encode.Chunk(t.Context(), ffmpegtest.Runner(t), encode.Source{Input: cut}, p, 0, 0, newStore(p))
	if err == nil {
		t.Error("got no error of a source without pictures, want one")
	}
}
