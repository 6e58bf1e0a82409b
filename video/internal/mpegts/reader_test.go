package mpegts_test

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	reference "github.com/bluenviron/mediacommon/v2/pkg/formats/mpegts"
	tscodecs "github.com/bluenviron/mediacommon/v2/pkg/formats/mpegts/codecs"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/ffmpeg/ffmpegtest"
	"stoa/video/internal/intake/intaketest"
	"stoa/video/internal/live"
	"stoa/video/internal/mpegts"
)

func TestMain(m *testing.M) { ffmpegtest.Main(m) }

var (
	picture    = []string{"-f", "lavfi", "-i", "testsrc=size=160x90:rate=25:duration=1.2"}
	sound      = []string{"-f", "lavfi", "-i", "sine=sample_rate=48000:duration=1.2"}
	x264       = []string{"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "10"}
	withFrames = []string{"-c:v", "libx264", "-preset", "superfast", "-pix_fmt", "yuv420p", "-g", "10", "-bf", "2"} // shown in another order
)

// stream makes a transport stream of all the arguments.
func stream(t testing.TB, args ...[]string) []byte {
	t.Helper()
	b, err := os.ReadFile(ffmpegtest.Make(t, "stream.ts", slices.Concat(args...)...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// read gives the bytes to a reader, so many at a time.
func read(t testing.TB, b []byte, at int) (*intaketest.Feed, error) {
	t.Helper()
	feed := intaketest.NewFeed()
	r := mpegts.NewReader(feed)
	for piece := range slices.Chunk(b, at) {
		if err := r.Write(piece); err != nil {
			return feed, err
		}
	}
	return feed, r.Flush()
}

func TestEveryCodecThatCanBeBroadcastIsRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		args    []string
		formats []live.Format // what is there, parameters aside
	}{
		{"H.264 and AAC", slices.Concat(picture, sound, withFrames, []string{"-c:a", "aac"}),
			[]live.Format{&codecs.H264{}, &codecs.MPEG4Audio{}}},
		{"H.265 alone", slices.Concat(picture, []string{"-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"}),
			[]live.Format{&codecs.H265{}}},
		{"H.264 and MP3", slices.Concat(picture, sound, x264, []string{"-c:a", "libmp3lame"}),
			[]live.Format{&codecs.H264{}, &codecs.MPEG1Audio{}}},
		{"Opus alone", slices.Concat(sound, []string{"-c:a", "libopus"}),
			[]live.Format{&codecs.Opus{}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := stream(t, test.args)
			feed, err := read(t, b, 1316)
			if err != nil {
				t.Fatal(err)
			}
			starts, frames := feed.Kept()
			if len(starts) != 1 || len(starts[0]) != len(test.formats) {
				t.Fatalf("got formats %v, want once %d", starts, len(test.formats))
			}
			for n, want := range test.formats {
				if got := starts[0][n]; reflect.TypeOf(got) != reflect.TypeOf(want) {
					t.Errorf("track %d: got %T want %T", n, got, want)
				}
			}
			for n := range test.formats {
				compare(t, track(frames, n), referenceFrames(t, b, n))
			}
		})
	}
}

func track(frames []live.Frame, n int) []live.Frame {
	return slices.DeleteFunc(slices.Clone(frames), func(f live.Frame) bool { return f.Track != n })
}

// compare holds frames against those of another reader, times from the first on.
func compare(t *testing.T, got, want []live.Frame) {
	t.Helper()
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("got %d frames, want %d", len(got), len(want))
	}
	for n := range got {
		g, w := got[n], want[n]
		if !bytes.Equal(g.Payload, w.Payload) || g.Key != w.Key {
			t.Fatalf("frame %d: got %d bytes, key %v, want %d bytes, key %v", n, len(g.Payload), g.Key, len(w.Payload), w.Key)
		}
		dts := (g.DTS - got[0].DTS) - (w.DTS - want[0].DTS)
		pts := (g.PTS - got[0].DTS) - (w.PTS - want[0].DTS)
		if dts.Abs() > time.Millisecond || pts.Abs() > time.Millisecond {
			t.Fatalf("frame %d: got times %v %v, want %v %v", n, g.DTS, g.PTS, w.DTS, w.PTS)
		}
	}
}

// referenceFrames reads track n as another implementation does, which gives frames of one
// packet the time of the first.
func referenceFrames(t *testing.T, b []byte, n int) []live.Frame {
	t.Helper()
	r := &reference.Reader{R: bytes.NewReader(b)}
	if err := r.Initialize(); err != nil {
		t.Fatal(err)
	}
	var frames []live.Frame
	add := func(pts, dts int64, key bool, payload []byte) {
		frames = append(frames, live.Frame{Key: key, Payload: payload,
			DTS: time.Duration(dts) * time.Second / 90000, PTS: time.Duration(pts) * time.Second / 90000})
	}
	several := func(length time.Duration) func(int64, [][]byte) error {
		return func(pts int64, payloads [][]byte) error {
			for n, p := range payloads {
				add(pts, pts, true, p)
				last := &frames[len(frames)-1]
				last.DTS += length * time.Duration(n)
				last.PTS = last.DTS
			}
			return nil
		}
	}
	unit := func(sets ...byte) func(int64, int64, [][]byte) error {
		return func(pts, dts int64, units [][]byte) error {
			key := slices.ContainsFunc(units, func(u []byte) bool {
				return len(sets) == 2 && u[0]&31 == 5 || len(sets) == 3 && u[0]>>1&63 >= 16 && u[0]>>1&63 <= 21
			})
			units = slices.DeleteFunc(units, func(u []byte) bool {
				return len(sets) == 2 && slices.Contains(sets, u[0]&31) || len(sets) == 3 && slices.Contains(sets, u[0]>>1)
			})
			payload, err := h264.AVCC(units).Marshal()
			add(pts, dts, key, payload)
			return err
		}
	}
	switch at := r.Tracks()[n]; at.Codec.(type) {
	case *tscodecs.H264:
		r.OnDataH264(at, unit(7, 8))
	case *tscodecs.H265:
		r.OnDataH265(at, unit(32, 33, 34))
	case *tscodecs.MPEG4Audio:
		r.OnDataMPEG4Audio(at, several(1024*time.Second/48000))
	case *tscodecs.MPEG1Audio:
		r.OnDataMPEG1Audio(at, several(1152*time.Second/48000))
	case *tscodecs.Opus:
		r.OnDataOpus(at, several(20*time.Millisecond))
	}
	for {
		if err := r.Read(); err != nil {
			return frames
		}
	}
}
