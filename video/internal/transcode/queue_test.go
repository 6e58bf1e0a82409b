package transcode

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/internal/goldentest"
	"stoa/video/internal/encode"
	"stoa/video/internal/live"
)

func frame(at time.Duration, key bool, size int) live.Frame {
	return live.Frame{DTS: at, PTS: at, Key: key, Payload: make([]byte, size)}
}

// An encoder that takes nothing loses all up to a key frame, and somebody is told once.
func TestSlowEncoderLosesOldFrames(t *testing.T) {
	t.Parallel()
	q := newQueue()
	q.start(source{})
	told := 0
	for n := range 1000 {
		if q.put(frame(time.Duration(n)*40*time.Millisecond, n%50 == 0, 10)) {
			told++
		}
	}
	q.close()
	first, ok := q.next(t.Context())
	if !ok || first.start == nil {
		t.Fatalf("got %+v, want the source that begins", first)
	}
	var times []time.Duration
	for i, ok := q.next(t.Context()); ok; i, ok = q.next(t.Context()) {
		if len(times) == 0 && !i.frame.Key {
			t.Error("got a first frame that is no key frame")
		}
		times = append(times, i.frame.DTS)
	}
	if told != 1 {
		t.Errorf("told %d times want once", told)
	}
	if n := len(times); n == 0 || n > 126 || times[n-1] != 999*40*time.Millisecond || times[n-1]-times[0] > maxQueued {
		t.Errorf("got %d frames, want at most five seconds and the newest", n)
	}
}

func TestQueueIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	q := newQueue()
	for n := range 100 {
		q.put(frame(time.Duration(n), true, 1<<20))
	}
	if len(q.items) > 32 || q.bytes > maxBytes {
		t.Errorf("got %d frames of %d bytes", len(q.items), q.bytes)
	}
	for range 3000 {
		q.put(frame(1, true, 0))
		q.start(source{})
	}
	if len(q.items) > maxItems {
		t.Errorf("got %d items", len(q.items))
	}
}

func TestQueueWakesTheEncoder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan bool, 10)
		go func() {
			for {
				_, ok := q.take(ctx, func(i item) bool { return i.start == nil })
				got <- ok
				if !ok {
					return
				}
			}
		}()
		synctest.Wait()
		q.put(frame(0, true, 1))
		synctest.Wait()
		if len(got) != 1 || !<-got {
			t.Error("got no frame that was put")
		}
		q.start(source{})
		synctest.Wait()
		if len(got) != 1 || <-got || len(q.items) != 1 {
			t.Error("got what was not wanted")
		}
		cancel()
	})
}

func TestArguments(t *testing.T) {
	t.Parallel()
	s := &source{format: &codecs.VP9{}, renditions: encode.Ladder(1280, 720, encode.Rate{Num: 30, Den: 1})}
	s.renditions = slices.DeleteFunc(s.renditions, func(r encode.Rendition) bool { return r.Name != "480p" && r.Name != "240p" })
	goldentest.Check(t, "testdata/args.golden", strings.Join(args(s, 0), "\n")+"\n")
}

func FuzzOutput(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x08ftyp\x00\x00\x00\x08moov"))
	f.Add([]byte("\x00\x00\x00\x08moof\x00\x00\x00\x09mdat1"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		s := &step{cutter: live.NewCutter("240p", live.Place{}, nowhere{})}
		_ = s.read(strings.NewReader(string(data)), &source{})
		_ = s.close()
	})
}

// nowhere keeps nothing.
type nowhere struct{}

func (nowhere) Head(string, live.Head) error       { return nil }
func (nowhere) Part(string, live.Part) error       { return nil }
func (nowhere) Segment(string, live.Segment) error { return nil }
