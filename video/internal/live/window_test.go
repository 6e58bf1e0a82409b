package live_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/fault"
	"stoa/video/internal/hls"
	"stoa/video/internal/live"
)

// aired is a window with segments of two seconds in five parts, and parts of the next.
func aired(segments, parts int) *live.Window {
	w := live.NewWindow(time.Minute)
	w.AddHead(live.Head{Bytes: []byte("head"), Codec: "avc1.64001f", Clock: 90000, Width: 1280, Height: 720})
	for n := range segments {
		addParts(w, n, 5)
		w.AddSegment(segment(n))
	}
	addParts(w, segments, parts)
	return w
}

func addParts(w *live.Window, segment, parts int) {
	for p := range parts {
		w.AddPart(live.Part{Segment: segment, Number: p, Duration: 36000, Independent: p == 0, Bytes: fmt.Appendf(nil, "%d.%d ", segment, p)})
	}
}

func segment(n int) live.Segment {
	var b []byte
	for p := range 5 {
		b = fmt.Appendf(b, "%d.%d ", n, p)
	}
	return live.Segment{
		Number: n, Start: int64(n) * 180000, Duration: 180000, Parts: 5, FirstFrame: 3, Size: len(b), Bytes: b,
		At: time.Date(2026, 5, 1, 12, 0, 2*n, 0, time.UTC),
	}
}

func TestWindowListsWhatItHas(t *testing.T) {
	t.Parallel()
	text := string(aired(4, 2).Text(live.ListOptions{}))
	for _, want := range []string{"#EXT-X-MEDIA-SEQUENCE:0\n", `URI="head0.mp4"`, "\n3.m4s\n", `URI="4.1.m4s"`, `HINT:TYPE=PART,URI="4.2.m4s"`, `URI="1.0.m4s",INDEPENDENT=YES`} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, `"0.0.m4s"`) {
		t.Errorf("got the parts of the fourth segment from the end:\n%s", text)
	}
}

func TestWindowTakesPiecesOnce(t *testing.T) {
	t.Parallel()
	w := aired(4, 2)
	want := string(w.Text(live.ListOptions{}))
	w.AddHead(live.Head{Bytes: []byte("other")})
	for n := range 4 {
		addParts(w, n, 5)
		w.AddSegment(segment(n))
	}
	addParts(w, 4, 2)
	w.AddPart(live.Part{Segment: 4, Number: 4, Duration: 1}) // out of turn
	if got := string(w.Text(live.ListOptions{})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTextIsWrittenOnceForAll(t *testing.T) {
	t.Parallel()
	w := aired(30, 1)
	reports := []hls.Report{{URL: "../audio/manifest.m3u8", Segment: 30, Part: 0}}
	for _, o := range []live.ListOptions{{}, {Skip: true}, {Reports: reports}, {Skip: true, Reports: reports}} {
		if a, b := w.Text(o), w.Text(o); &a[0] != &b[0] {
			t.Errorf("%+v: got two texts of one state", o)
		}
	}
	if whole, delta := w.Text(live.ListOptions{}), w.Text(live.ListOptions{Skip: true}); len(delta) >= len(whole) {
		t.Errorf("got %d bytes of %d without what is known", len(delta), len(whole))
	}
	before := w.Text(live.ListOptions{})
	addParts(w, 30, 2)
	if bytes.Equal(before, w.Text(live.ListOptions{})) {
		t.Error("got the old text with a new part")
	}
	if got := string(w.Text(live.ListOptions{Carry: "?avh=s"})); strings.Count(got, ".m4s?avh=s") != strings.Count(got, ".m4s") {
		t.Errorf("got addresses without the carry:\n%s", got)
	}
}

func TestOldBytesAreInTheStoreOnly(t *testing.T) {
	t.Parallel()
	w := aired(6, 1)
	for n := range 6 {
		s, ok := w.Segment(n)
		_, part := w.Part(n, 4)
		if kept := n >= 3; !ok || (s.Bytes != nil) != kept || part != kept {
			t.Errorf("segment %d: got %q, part %t, want bytes %t", n, s.Bytes, part, kept)
		}
	}
	if got, ok := w.Part(6, 0); !ok || string(got) != "6.0 " {
		t.Errorf("got %q of the open segment", got)
	}
	if _, ok := w.Part(6, 1); ok {
		t.Error("got a part that is not there yet")
	}
	if head, media, ok := w.KeyFrame(); !ok || string(head) != "head" || string(media) != "6.0 " {
		t.Errorf("got %q %q as the newest key frame", head, media)
	}
	if segment, part := w.Newest(); segment != 6 || part != 0 {
		t.Errorf("got %d.%d as the newest", segment, part)
	}
}

func TestWindowSlides(t *testing.T) {
	t.Parallel()
	w := live.NewWindow(20 * time.Second)
	w.AddHead(live.Head{Clock: 90000})
	for n := range 30 {
		s := segment(n)
		if s.Break = n == 5 || n == 28; s.Break {
			s.Head++
			w.AddHead(live.Head{Number: s.Head, Clock: 90000})
		}
		w.AddSegment(s)
	}
	text := string(w.Text(live.ListOptions{}))
	for _, want := range []string{"MEDIA-SEQUENCE:20\n", "DISCONTINUITY-SEQUENCE:1\n", "#EXT-X-DISCONTINUITY\n", "12:00:40.000Z"} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in\n%s", want, text)
		}
	}
	if _, ok := w.Segment(19); ok {
		t.Error("got a segment from before the window")
	}
}

func TestMissingSegmentsAreGaps(t *testing.T) {
	t.Parallel()
	w := aired(2, 0)
	addParts(w, 4, 1)
	w.AddSegment(segment(4))
	text := string(w.Text(live.ListOptions{}))
	if strings.Count(text, "#EXT-X-GAP\n#EXTINF:2.000000,\n") != 2 || !strings.Contains(text, "\n4.m4s\n") {
		t.Errorf("got\n%s\nwant 2.m4s and 3.m4s as gaps", text)
	}
	if _, ok := w.Segment(3); ok {
		t.Error("got a segment that never was")
	}
}

// Viewers see a break with the first part after it, and not with the whole segment.
func TestOpenSegmentOfAnotherHead(t *testing.T) {
	t.Parallel()
	w := aired(1, 0)
	w.AddHead(live.Head{Number: 1, Clock: 90000})
	addParts(w, 1, 1)
	if got, want := string(w.Text(live.ListOptions{})), "#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"head1.mp4\"\n#EXT-X-PART"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant %s", got, want)
	}
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		segment, part int
		there         bool
		err           error
	}{
		{0, 0, true, nil}, {3, 4, true, nil}, {4, 1, true, nil}, {3, -1, true, nil}, {3, 7, true, nil},
		{4, 2, false, nil}, {4, -1, false, nil}, {5, 0, false, nil}, {6, 0, false, live.ErrTooFar}, {1 << 40, 0, false, live.ErrTooFar},
	} {
		w := aired(4, 2)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		want := c.err
		if !c.there && want == nil {
			want = context.Canceled
		}
		if err := w.Wait(ctx, c.segment, c.part); !errors.Is(err, want) {
			t.Errorf("%d.%d: got %v want %v", c.segment, c.part, err, want)
		}
		w.End()
		if err := w.Wait(ctx, c.segment, c.part); err != nil {
			t.Errorf("%d.%d: got %v after the end", c.segment, c.part, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := aired(4, 0).Wait(ctx, 3, 5); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v for the part after the last, want to wait for the next segment", err)
	}
	if live.ErrTooFar.Kind != fault.Invalid {
		t.Error("got another kind than the caller's fault")
	}
}

func TestAllWhoWaitAreWoken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := aired(1, 1)
		woken := make(chan int, 100)
		for n := range 50 {
			go func() {
				if err := w.Wait(t.Context(), 1, 1+n%2); err == nil {
					woken <- 1 + n%2
				}
			}()
		}
		synctest.Wait()
		addParts(w, 1, 2)
		synctest.Wait()
		if len(woken) != 25 {
			t.Errorf("got %d woken by their part want 25", len(woken))
		}
		w.End()
		synctest.Wait()
		if len(woken) != 50 || !w.Ended() {
			t.Errorf("got %d woken by the end want 50", len(woken))
		}
	})
}

func TestEndedList(t *testing.T) {
	t.Parallel()
	w := aired(4, 2)
	w.End()
	text := string(w.Text(live.ListOptions{Skip: true, Reports: []hls.Report{{URL: "a"}}}))
	if !strings.HasSuffix(text, "\n3.m4s\n#EXT-X-ENDLIST\n") || strings.Contains(text, "PART") || strings.Contains(text, "REPORT") {
		t.Errorf("got\n%s", text)
	}
}

func TestMasterOfWindows(t *testing.T) {
	t.Parallel()
	sound := live.NewWindow(time.Minute)
	sound.AddHead(live.Head{Codec: "mp4a.40.2", Clock: 48000})
	sound.AddSegment(live.Segment{Duration: 96000, Size: 32_000})
	url := func(track string) string { return track + ".m3u8" }
	got := string(live.Master(map[string]*live.Window{"720p": aired(2, 1), "audio": sound, "480p": live.NewWindow(0)}, url))
	for _, want := range []string{"BANDWIDTH=128080,", "RESOLUTION=1280x720", `CODECS="avc1.64001f,mp4a.40.2"`, `AUDIO="audio"`, `URI="audio.m3u8"`, "\n720p.m3u8\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "480p") || live.Master(nil, url) != nil {
		t.Errorf("got what is not there yet:\n%s", got)
	}
}
