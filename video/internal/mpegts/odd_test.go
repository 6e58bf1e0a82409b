package mpegts_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/ffmpeg/ffmpegtest"
	"stoa/video/internal/intake/intaketest"
	"stoa/video/internal/live"
	"stoa/video/internal/mpegts"
)

var aac = []string{"-c:a", "aac"}

func TestSoundFramesAreFoundWherePacketsDoNotBegin(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		args []string
	}{
		{"AC-3, several in a packet", slices.Concat(sound, []string{"-c:a", "ac3", "-f"})},
		{"MP3 of half the rate", slices.Concat(sound, []string{"-c:a", "libmp3lame", "-ar", "24000", "-id3v2_version", "0", "-write_xing", "0", "-f"})},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			kind := "ac3"
			if slices.Contains(test.args, "libmp3lame") {
				kind = "mp3"
			}
			want, err := os.ReadFile(ffmpegtest.Make(t, "bare", append(slices.Clone(test.args), kind)...))
			if err != nil {
				t.Fatal(err)
			}
			ts := slices.DeleteFunc(slices.Clone(test.args), func(a string) bool {
				return slices.Contains([]string{"-id3v2_version", "0", "-write_xing"}, a)
			})
			feed, err := read(t, stream(t, ts, []string{"mpegts"}), 1316)
			if err != nil {
				t.Fatal(err)
			}
			_, frames := feed.Kept()
			var got []byte
			for _, f := range frames {
				got = append(got, f.Payload...)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got %d bytes in %d frames, want %d bytes", len(got), len(frames), len(want))
			}
		})
	}
}

func TestAACInMultiplexedElements(t *testing.T) {
	t.Parallel()
	feed, err := read(t, stream(t, sound, aac, []string{"-mpegts_flags", "+latm"}), 1316)
	if err != nil {
		t.Fatal(err)
	}
	starts, frames := feed.Kept()
	plain, err := read(t, stream(t, sound, aac), 1316)
	if err != nil {
		t.Fatal(err)
	}
	wantStarts, wantFrames := plain.Kept()
	if len(starts) != 1 || starts[0][0].(*codecs.MPEG4Audio).Config.SampleRate != wantStarts[0][0].(*codecs.MPEG4Audio).Config.SampleRate {
		t.Errorf("got formats %v want %v", starts, wantStarts)
	}
	compare(t, frames, wantFrames)
}

func TestBytesMayBeCutAnywhere(t *testing.T) {
	t.Parallel()
	b := stream(t, picture, sound, x264, aac)
	whole, err := read(t, b, len(b))
	if err != nil {
		t.Fatal(err)
	}
	_, want := whole.Kept()
	for _, at := range []int{1, 187, 189, 1000} {
		feed, err := read(t, b, at)
		if err != nil {
			t.Fatal(err)
		}
		_, got := feed.Kept()
		compare(t, got, want)
	}
}

func TestBrokenPacketsCostFramesAndNotTheBroadcast(t *testing.T) {
	t.Parallel()
	b := stream(t, picture, sound, x264, aac)
	sent, err := read(t, b, 1316)
	if err != nil {
		t.Fatal(err)
	}
	_, all := sent.Kept()
	for _, test := range []struct {
		name  string
		spoil func(n int, packet []byte) []byte
	}{
		{"lost", func(n int, p []byte) []byte { return nil }},
		{"marked as broken", func(n int, p []byte) []byte { p[1] |= 0x80; return p }},
		{"without its beginning", func(n int, p []byte) []byte { return p[50:] }},
		{"other bytes before it", func(n int, p []byte) []byte { return append(bytes.Repeat([]byte{syncByte, 1}, 40), p...) }},
		{"the mark of packets before it", func(n int, p []byte) []byte { return append(bytes.Repeat([]byte{1, syncByte}, 40), p...) }},
		{"noise", func(n int, p []byte) []byte {
			for i := range p {
				p[i] ^= byte(n*31 + i*7)
			}
			return p
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var spoilt []byte
			n := 0
			for p := range slices.Chunk(b, 188) {
				if n++; n > 40 && n%23 == 0 {
					p = test.spoil(n, bytes.Clone(p))
				}
				spoilt = append(spoilt, p...)
			}
			feed, err := read(t, spoilt, len(spoilt))
			if err != nil {
				t.Fatal(err)
			}
			starts, frames := feed.Kept()
			if test.name == "the mark of packets before it" {
				compare(t, frames, all)
			}
			for _, f := range frames {
				whole := slices.ContainsFunc(all, func(a live.Frame) bool { return bytes.Equal(a.Payload, f.Payload) })
				if !whole && test.name != "noise" {
					t.Errorf("got part of a frame at %v", f.DTS)
				}
			}
			if len(starts) == 0 || len(frames) < len(all)/3 || len(frames) > len(all) {
				t.Errorf("got %d starts and %d frames of %d", len(starts), len(frames), len(all))
			}
		})
	}
}

const syncByte = 0x47

func TestStreamsThatChangeAreStartedAgain(t *testing.T) {
	t.Parallel()
	small := stream(t, picture, sound, x264, aac)
	large := stream(t, picture, sound, x264, []string{"-s", "320x180"}, aac, []string{"-mpegts_start_pid", "0x300", "-mpegts_pmt_start_pid", "0x1001"})
	silent := stream(t, picture, x264)
	for _, test := range []struct {
		name   string
		pieces [][]byte
		want   []int // tracks of each start
	}{
		{"other size, other numbers", [][]byte{small, large}, []int{2, 2}},
		{"the same again", [][]byte{small, small}, []int{2}},
		{"sound comes later", [][]byte{silent, small}, []int{1, 2}},
		{"sound goes", [][]byte{small, silent}, []int{2, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			feed, err := read(t, slices.Concat(test.pieces...), 1316)
			if err != nil {
				t.Fatal(err)
			}
			starts, frames := feed.Kept()
			var got []int
			for _, s := range starts {
				got = append(got, len(s))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got starts of %v tracks, want %v", got, test.want)
			}
			// The last picture of the first piece has no end: another may be missing there.
			if got := len(track(frames, 0)); got != 59 && got != 60 {
				t.Errorf("got %d pictures, want 60", got)
			}
		})
	}
}

func TestTimesGoOnWhereTheClockBeginsAgain(t *testing.T) {
	t.Parallel()
	feed, err := read(t, stream(t, picture, sound, x264, aac, []string{"-output_ts_offset", "95441.8"}), 1316) // 2^33/90000 is 95443.7
	if err != nil {
		t.Fatal(err)
	}
	_, frames := feed.Kept()
	for n := range 2 {
		all := track(frames, n)
		if took := all[len(all)-1].DTS - all[0].DTS; took < time.Second || took > 2*time.Second {
			t.Errorf("track %d: got %v between the first frame and the last", n, took)
		}
		for i, f := range all[1:] {
			if step := f.DTS - all[i].DTS; step <= 0 || step > 100*time.Millisecond {
				t.Errorf("track %d: got a step of %v", n, step)
			}
		}
	}
}

func TestWhatCannotBeBroadcastIsRefused(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"MPEG-2 video": {"-c:v", "mpeg2video"},
		"MP2":          {"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "mp2"},
		"E-AC-3":       {"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "eac3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := read(t, stream(t, picture, sound, args), 1316); !errors.Is(err, live.ErrFormat) {
				t.Errorf("got %v want %v", err, live.ErrFormat)
			}
		})
	}
}

func FuzzReader(f *testing.F) {
	for _, args := range [][]string{
		slices.Concat(picture, sound, x264, []string{"-s", "64x36", "-frames:v", "6"}, aac),
		slices.Concat(sound, aac, []string{"-mpegts_flags", "+latm", "-t", "0.2"}),
		slices.Concat(sound, []string{"-c:a", "libopus", "-t", "0.2"}),
		slices.Concat(sound, []string{"-c:a", "ac3", "-t", "0.2"}),
		slices.Concat(sound, []string{"-c:a", "libmp3lame", "-t", "0.2"}),
		slices.Concat(picture, []string{"-c:v", "libx265", "-x265-params", "log-level=none", "-s", "64x64", "-frames:v", "4"}),
	} {
		f.Add(stream(f, args))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		feed := &strictFeed{t: t}
		r := mpegts.NewReader(feed)
		for piece := range slices.Chunk(b, 1316) {
			if r.Write(piece) != nil {
				return
			}
		}
		_ = r.Flush()
	})
}

// strictFeed fails where the rules of feeds are broken.
type strictFeed struct {
	intaketest.Feed
	t       *testing.T
	formats []live.Format
}

func (f *strictFeed) Start(formats []live.Format) error {
	if len(formats) == 0 || len(formats) > 2 || slices.Contains(formats, nil) {
		f.t.Errorf("got formats %v", formats)
	}
	f.formats = formats
	return nil
}

func (f *strictFeed) Write(frame live.Frame) error {
	if frame.Track >= len(f.formats) || len(frame.Payload) == 0 || frame.PTS < frame.DTS {
		f.t.Errorf("got frame %+v with formats %v", frame, f.formats)
	}
	return nil
}

func BenchmarkReader(b *testing.B) {
	ts := stream(b, picture, sound, withFrames, aac)
	b.SetBytes(int64(len(ts)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read(b, ts, 1316); err != nil {
			b.Fatal(err)
		}
	}
}
