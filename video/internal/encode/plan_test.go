package encode

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"stoa/video/internal/ffmpeg"
)

func TestLadder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		width, height int
		want          string
	}{
		{1280, 720, "720p 1280x720, 480p 854x480, 360p 640x360, 240p 426x240"},
		{1080, 1920, "1080p 1080x1920, 720p 720x1280, 480p 480x854, 360p 360x640, 240p 240x426"},
		{3840, 2160, "2160p 3840x2160, 1080p 1920x1080, 720p 1280x720, 480p 854x480, 360p 640x360, 240p 426x240"},
		{1279, 719, "480p 854x480, 360p 640x360, 240p 426x240"},
		{853, 481, "480p 852x480, 360p 638x360, 240p 426x240"},
		{321, 239, "240p 322x240"},
		{160, 90, "240p 160x90"},
		{1, 1, "240p 16x16"},
		{8192, 240, "240p 8192x240"},
		{65536, 480, "240p 16384x120"},
		{32768, 600, "240p 13108x240"},
		{2, 30000, "240p 16x16384"},
	} {
		var names []string
		for _, r := range Ladder(test.width, test.height, Rate{25, 1}) {
			names = append(names, fmt.Sprintf("%s %dx%d", r.Name, r.Width, r.Height))
		}
		if got := strings.Join(names, ", "); got != test.want {
			t.Errorf("%dx%d: got %s want %s", test.width, test.height, got, test.want)
		}
	}
}

func TestLevelFollowsSizeAndRate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		width, height int
		rate          Rate
		want          int
	}{
		{426, 240, Rate{30, 1}, 21},
		{1280, 720, Rate{30, 1}, 31},
		{1280, 720, Rate{60, 1}, 32},
		{1920, 1080, Rate{30000, 1001}, 40},
		{1920, 1080, Rate{60, 1}, 42},
		{3840, 2160, Rate{60, 1}, 52},
		{8192, 8192, Rate{60, 1}, 62},
	} {
		if got := level(test.width, test.height, test.rate); got != test.want {
			t.Errorf("%dx%d at %v: got %d want %d", test.width, test.height, test.rate, got, test.want)
		}
	}
}

func TestOutputRate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		source ffmpeg.Rate
		want   Rate
	}{
		{ffmpeg.Rate{Num: 25, Den: 1}, Rate{25, 1}},
		{ffmpeg.Rate{Num: 60000, Den: 1001}, Rate{60000, 1001}},
		{ffmpeg.Rate{Num: 60, Den: 1}, Rate{60, 1}},
		{ffmpeg.Rate{Num: 120000, Den: 1001}, Rate{60000, 1001}},
		{ffmpeg.Rate{Num: 75, Den: 1}, Rate{75, 2}},
		{ffmpeg.Rate{Num: 240, Den: 1}, Rate{60, 1}},
		{ffmpeg.Rate{Num: 1, Den: 1}, Rate{5, 1}},
		{ffmpeg.Rate{Num: 15, Den: 4}, Rate{30, 4}},
		{ffmpeg.Rate{}, Rate{25, 1}},
	} {
		if got := outputRate(test.source); got != test.want {
			t.Errorf("%v: got %v want %v", test.source, got, test.want)
		}
	}
}

// Two workers share also a short video; a long one is cut at 48 s.
func TestChunksOfAPlan(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		duration time.Duration
		want     []int // frames of the chunks
	}{
		{40 * time.Millisecond, []int{1}},
		{8 * time.Second, []int{200}},
		{16 * time.Second, []int{200, 200}},
		{60 * time.Second, []int{400, 400, 400, 300}},
		{100*time.Second + 40*time.Millisecond, []int{700, 700, 700, 401}},
		{241 * time.Second, []int{1100, 1100, 1100, 1100, 1100, 525}},
	} {
		m := film(320, 240)
		m.Duration, m.Video.FrameRate = test.duration, ffmpeg.Rate{Num: 25, Den: 1}
		p := planned(t, m, Options{})
		var got []int
		for n := range p.Chunks() {
			got = append(got, p.firstFrame(p.FirstSegment(n+1))-p.firstFrame(p.FirstSegment(n)))
		}
		if fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%v: got chunks of %v want %v", test.duration, got, test.want)
		}
	}
}

// Whatever the length and the rate, the chunks are the whole video.
func TestChunksCoverEveryVideo(t *testing.T) {
	t.Parallel()
	for _, rate := range []ffmpeg.Rate{{Num: 24000, Den: 1001}, {Num: 60, Den: 1}, {Num: 17, Den: 3}} {
		for d := 200 * time.Millisecond; d < 24*time.Hour; d = d*11/8 + 33*time.Millisecond {
			m := film(320, 240)
			m.Duration, m.Video.FrameRate = d, rate
			p := planned(t, m, Options{})
			if got := p.Duration() - d; got.Abs() > time.Duration(0.51*float64(time.Second)/p.Rate.FPS()) {
				t.Errorf("%v at %v: got %v more want at most half a frame", d, rate, got)
			}
			next := 0
			for n := range p.Chunks() {
				if p.FirstSegment(n) != next || p.FirstSegment(n+1) <= next {
					t.Fatalf("%v at %v: chunk %d has segments %d to %d", d, rate, n, p.FirstSegment(n), p.FirstSegment(n+1))
				}
				next = p.FirstSegment(n + 1)
			}
			if next != p.Segments() || p.firstFrame(next) != p.Frames || p.ChunkSegments > chunkSegments {
				t.Errorf("%v at %v: got %d segments want %d, %d a chunk", d, rate, next, p.Segments(), p.ChunkSegments)
			}
		}
	}
}

func TestClipAfterTheEndIsRefused(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{Start: 61 * time.Second}, {Start: 5 * time.Second, End: 5 * time.Second}} {
		if _, err := NewPlan(film(320, 240), o); !errors.Is(err, ErrNothing) {
			t.Errorf("%+v: got %v want %v", o, err, ErrNothing)
		}
	}
	if p := planned(t, film(320, 240), Options{Start: time.Minute, End: time.Hour}); p.Frames != 30 {
		t.Errorf("got %d frames want 30, to the end of the source", p.Frames)
	}
}

// Pictures of the storyboard are further apart in a long video.
func TestPicturesOfALongVideo(t *testing.T) {
	t.Parallel()
	m := film(320, 240)
	m.Duration, m.Video.FrameRate = 2*time.Hour, ffmpeg.Rate{Num: 25, Den: 1}
	p := planned(t, m, Options{})
	if p.Pictures() != 720 || p.PictureTime(3) != 30*time.Second {
		t.Errorf("got %d pictures, the fourth at %v want 720, 30s", p.Pictures(), p.PictureTime(3))
	}
}
