package transcode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"

	"stoa/video/internal/ffmpeg/ffmpegtest"
	"stoa/video/internal/live"
	"stoa/video/internal/live/livetest"
	"stoa/video/internal/transcode"
)

func TestMain(m *testing.M) { ffmpegtest.Main(m) }

// shelf keeps what is cut, by track.
type shelf struct {
	mu       sync.Mutex
	heads    map[string][]live.Head
	segments map[string][]live.Segment
	part     chan string // tracks whose parts have come
}

func newShelf() *shelf {
	return &shelf{heads: map[string][]live.Head{}, segments: map[string][]live.Segment{}, part: make(chan string, 10_000)}
}

func (s *shelf) Head(track string, h live.Head) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heads[track] = append(s.heads[track], h)
	return nil
}

func (s *shelf) Part(track string, _ live.Part) error {
	s.part <- track
	return nil
}

func (s *shelf) Segment(track string, g live.Segment) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.segments[track] = append(s.segments[track], g)
	return nil
}

// studio is a publisher with a ladder.
type studio struct {
	t      *testing.T
	sink   *shelf
	p      *live.Packager
	ladder *transcode.Ladder
}

func newStudio(t *testing.T, formats []live.Format, heights ...int) *studio {
	t.Helper()
	s := &studio{t: t, sink: newShelf()}
	s.ladder = transcode.Start(t.Context(), transcode.Options{Runner: ffmpegtest.Runner(t), Heights: heights, Sink: s.sink, Closing: 5 * time.Minute})
	s.p = live.NewPackager(live.Place{}, s.sink)
	s.p.Follow(s.ladder)
	s.start(formats)
	return s
}

func (s *studio) start(formats []live.Format) {
	s.t.Helper()
	if err := s.p.Start(formats); err != nil {
		s.t.Fatal(err)
	}
}

func (s *studio) write(frames ...live.Frame) {
	s.t.Helper()
	for _, f := range frames {
		if err := s.p.Write(f); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *studio) close() {
	s.t.Helper()
	if err := s.p.Close(); err != nil {
		s.t.Fatal(err)
	}
	if err := s.ladder.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// file is what a player puts together of a track.
func (s *shelf) file(t *testing.T, track string) string {
	t.Helper()
	all := slices.Clone(s.heads[track][0].Bytes)
	for _, g := range s.segments[track] {
		all = append(all, g.Bytes...)
	}
	path := filepath.Join(t.TempDir(), track+".mp4")
	if err := os.WriteFile(path, all, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// shown is when the pictures of a track are, in order.
func (s *shelf) shown(t *testing.T, track string) (times []int64) {
	t.Helper()
	for _, g := range s.segments[track] {
		var parts fmp4.Parts
		if err := parts.Unmarshal(g.Bytes); err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			at := int64(p.Tracks[0].BaseTime)
			for _, sample := range p.Tracks[0].Samples {
				times = append(times, at+int64(sample.PTSOffset))
				at += int64(sample.Duration)
			}
		}
	}
	slices.Sort(times)
	return times
}

func TestStepsShowTheSamePicturesAtTheSameTimes(t *testing.T) {
	t.Parallel()
	formats, frames := livetest.Frames(t, ffmpegtest.Spec{Width: 854, Height: 480, Seconds: 4, GOP: 55, Audio: true})
	s := newStudio(t, formats, 720, 360, 240)
	s.write(frames...)
	s.close()
	want := make([]int, 100)
	for i := range want {
		want[i] = i
	}
	source := s.sink.segments["480p"]
	for _, track := range []string{"360p", "240p"} {
		if got := ffmpegtest.FrameNumbers(t, s.sink.file(t, track)); !slices.Equal(got, want) {
			t.Errorf("%s: got pictures %v", track, got)
		}
		if got, want := s.sink.shown(t, track), s.sink.shown(t, "480p"); !slices.Equal(got, want) {
			t.Errorf("%s: got times\n%v want\n%v", track, got, want)
		}
		steps := s.sink.segments[track]
		if len(steps) != len(source) || len(steps) < 2 {
			t.Fatalf("%s: got %d segments want %d", track, len(steps), len(source))
		}
		for i, g := range steps {
			delay := int64(2 * 3600) // of the source's pictures, from decoding to showing
			if g.Number != source[i].Number || g.Start != source[i].Start+delay || g.FirstFrame == 0 || g.Break {
				t.Errorf("%s: got segment %d at %d, first picture %d, want it at %d", track, g.Number, g.Start, g.FirstFrame, source[i].Start+delay)
			}
		}
	}
	if h := s.sink.heads["360p"][0]; h.Width != 640 || h.Height != 360 || !strings.HasPrefix(h.Codec, "avc1.64") {
		t.Errorf("got %d x %d as %s", h.Width, h.Height, h.Codec)
	}
	if len(s.sink.heads) != 4 {
		t.Errorf("got %d tracks, want none that is not below the source", len(s.sink.heads))
	}
}

func TestLadderFollowsAnotherFormat(t *testing.T) {
	t.Parallel()
	large, first := livetest.Frames(t, ffmpegtest.Spec{Width: 854, Height: 480, Seconds: 1, GOP: 25})
	small, second := livetest.Frames(t, ffmpegtest.Spec{Width: 640, Height: 360, Seconds: 1, GOP: 25})
	s := newStudio(t, large, 240)
	s.write(first...)
	s.start(small)
	s.write(second...)
	s.close()
	if got := s.sink.segments["240p"]; len(got) != 2 || got[0].Break || !got[1].Break || got[1].Head != 1 || got[1].Number != 1 {
		t.Fatalf("got %d segments, want the second with a break and head 1", len(got))
	}
	if got := len(s.sink.shown(t, "240p")); got != 50 {
		t.Errorf("got %d pictures want 50", got)
	}
}

// A step never has the name of the source, whose height may be above it.
func TestNothingToMake(t *testing.T) {
	t.Parallel()
	formats, frames := livetest.Frames(t, ffmpegtest.Spec{Width: 400, Height: 300})
	s := newStudio(t, formats, 720, 240)
	s.write(frames...)
	s.close()
	if len(s.sink.heads) != 1 || len(s.sink.heads["240p"]) != 1 {
		t.Errorf("got %d tracks, want only the source", len(s.sink.heads))
	}
}

// Not beside others: it ends every encoder that this process has.
func TestDeadEncoderBeginsAgain(t *testing.T) {
	formats, frames := livetest.Frames(t, ffmpegtest.Spec{Width: 640, Height: 360, Seconds: 2, GOP: 25})
	s := newStudio(t, formats, 240)
	loops := 0
	publish := func(until func() bool) {
		t.Helper()
		pace := time.NewTicker(5 * time.Millisecond)
		defer pace.Stop()
		for {
			for _, f := range frames {
				if until() {
					return
				}
				<-pace.C
				shift := time.Duration(loops) * 2 * time.Second
				f.DTS, f.PTS, f.Payload = f.DTS+shift, f.PTS+shift, bytes.Clone(f.Payload)
				s.write(f)
			}
			loops++
		}
	}
	stepCame := func() bool {
		for {
			select {
			case track := <-s.sink.part:
				if track == "240p" {
					return true
				}
			default:
				return false
			}
		}
	}
	publish(stepCame)
	if killed := killEncoders(); killed != 1 {
		t.Fatalf("got %d encoders want 1", killed)
	}
	for stepCame() { // of what it had written
	}
	publish(stepCame)
	s.close()
	segments := s.sink.segments["240p"]
	for i, g := range segments {
		if i > 0 && g.Number <= segments[i-1].Number {
			t.Errorf("got segment %d after %d", g.Number, segments[i-1].Number)
		}
	}
	times := s.sink.shown(t, "240p")
	if len(s.sink.heads["240p"]) != 1 || !slices.IsSorted(times) || len(slices.Compact(slices.Clone(times))) != len(times) {
		t.Errorf("got %d heads, pictures at %v", len(s.sink.heads["240p"]), times)
	}
}

// killEncoders ends the ffmpegs that this process has started.
func killEncoders() (killed int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		stat, _ := os.ReadFile(path) // it may have ended
		_, rest, ok := strings.Cut(string(stat), " (ffmpeg) ")
		if fields := strings.Fields(rest); ok && len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if syscall.Kill(pid, syscall.SIGKILL) == nil {
				killed++
			}
		}
	}
	return killed
}
