package ffmpeg_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"testing"
	"time"

	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

// still takes a picture that is at most 400 pixels wide.
func still(t *testing.T, path string, m ffmpeg.Media, at time.Duration) image.Image {
	t.Helper()
	picture, err := ffmpegtest.Runner(t).Still(t.Context(), ffmpegtest.Input(t, path), m, at, 400)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := jpeg.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	want := image.Pt(m.Video.Width, m.Video.Height)
	if want.X > 400 {
		want = image.Pt(400, (want.Y*400+want.X/2)/want.X)
	}
	if got := decoded.Bounds().Size(); got != want {
		t.Errorf("got a picture of %v, want %v", got, want)
	}
	return decoded
}

func TestStillShowsTheFrameOfItsTime(t *testing.T) {
	t.Parallel()
	path := ffmpegtest.Source(t, ffmpegtest.Spec{Width: 640, Height: 360, Rate: "30000/1001"}) // 60 frames
	m := probe(t, path)
	tests := []struct {
		name string
		at   time.Duration
		want int
	}{
		{"the start", 0, 0},
		{"before the start", -time.Second, 0},
		{"a frame begins", 10 * 1001 * time.Second / 30000, 10},
		{"a frame is half over", 21 * 1001 * time.Second / 60000, 10},
		{"the last frame", 1985 * time.Millisecond, 59},
		{"after the end", time.Hour, 0},
	}
	for _, test := range tests {
		got, err := ffmpegtest.FrameNumber(still(t, path, m, test.at))
		if err != nil || got != test.want {
			t.Errorf("%s: got frame %d, %v, want %d", test.name, got, err, test.want)
		}
	}
}

// A transport stream has no index, and its times begin anywhere.
func TestStillOfATransportStream(t *testing.T) {
	t.Parallel()
	film := ffmpegtest.Source(t, ffmpegtest.Spec{Seconds: 13, Width: 180, Height: 120, GOP: 20}) // 325 frames
	path := copied(t, "far.ts", film, "-output_ts_offset", "5000")
	m := probe(t, path)
	for at, want := range map[time.Duration]int{
		1000 * time.Millisecond: 25, 12400 * time.Millisecond: 310, 12970 * time.Millisecond: 324,
	} {
		if got, err := ffmpegtest.FrameNumber(still(t, path, m, at)); err != nil || got != want {
			t.Errorf("%v: got frame %d, %v, want %d", at, got, err, want)
		}
	}
}

// A transport stream that was cut somewhere: the next picture that can be decoded is later
// than the sound, with which the source begins.
func TestStillOfAPictureThatBeginsAfterTheSound(t *testing.T) {
	t.Parallel()
	film := ffmpegtest.Source(t, ffmpegtest.Spec{Seconds: 13, Audio: true})
	for name, clock := range map[string][]string{"anywhere": nil, "from zero": {"-muxdelay", "0", "-muxpreload", "0"}} {
		args := append([]string{"-copyts", "-i", film, "-vf", "trim=start=1", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "mp2"}, clock...)
		path := ffmpegtest.Make(t, "late.ts", args...)
		m := probe(t, path)
		for at, want := range map[time.Duration]int{
			0: 25, 500 * time.Millisecond: 25, 3020 * time.Millisecond: 75, 12620 * time.Millisecond: 315, time.Hour: 25,
		} {
			if got, err := ffmpegtest.FrameNumber(still(t, path, m, at)); err != nil || got != want {
				t.Errorf("clock %s, %v: got frame %d, %v, want %d", name, at, got, err, want)
			}
		}
	}
}
