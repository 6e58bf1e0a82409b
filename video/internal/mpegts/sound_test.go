package mpegts

import (
	"os"
	"slices"
	"testing"
	"time"

	"stoa/video/internal/ffmpeg/ffmpegtest"
	"stoa/video/internal/intake/intaketest"
)

func TestFramesOfSoundMayBeCut(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(ffmpegtest.Make(t, "sound.adts", "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=1.2", "-c:a", "aac", "-f", "adts"))
	if err != nil {
		t.Fatal(err)
	}
	var want int
	for _, size := range []int{len(b), 100, 1000, 1} {
		feed := intaketest.NewFeed()
		r := NewReader(feed)
		r.intake.Expect(false, true)
		decoder := newSoundDecoder(aac)
		at := &moment{pts: time.Second}
		for piece := range slices.Chunk(b, size) {
			if err := decoder.decode(r, at, piece); err != nil {
				t.Fatal(err)
			}
			at = nil
		}
		_, frames := feed.Kept()
		if want == 0 {
			want = len(frames)
		}
		if len(frames) != want || want < 50 {
			t.Errorf("pieces of %d: got %d frames want %d", size, len(frames), want)
		}
		for n, f := range frames {
			if due := time.Second + samples(int64(n)*1024, 48000); (f.PTS - due).Abs() > time.Microsecond {
				t.Errorf("pieces of %d: frame %d: got %v want %v", size, n, f.PTS, due)
			}
		}
	}
}

func TestTimesOfYearsDoNotOverflow(t *testing.T) {
	t.Parallel()
	if got, want := duration(10*365*86400*90000), 10*365*24*time.Hour; got != want {
		t.Errorf("got %v want %v", got, want)
	}
}
