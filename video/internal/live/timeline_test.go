package live_test

import (
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
)

// Picture and sound stay together over a jump, though sound is missing there.
func TestJumpKeepsTracksTogether(t *testing.T) {
	t.Parallel()
	for name, jump := range map[string]time.Duration{"forward": time.Hour, "back": -time.Hour, "wrap": -(1 << 32) * time.Millisecond, "a little back": -2 * time.Second} {
		s, sink := start(t, live.Place{}, h264(t), aac(48000))
		s.film(0, 3*time.Second, 50)
		after := 3*time.Second + jump
		for n := range 10 { // no sound with these
			at := after + time.Duration(n)*40*time.Millisecond
			s.write(live.Frame{DTS: at, PTS: at, Key: n == 0})
		}
		s.film(after+400*time.Millisecond, after+2*time.Second, 50)
		s.close()
		picture, sound := sink.track("720p").frames(t), sink.track("audio").frames(t)
		if got := picture[85].time; got != 34*9000 {
			t.Errorf("%s: got the picture at %d want %d", name, got, 34*9000)
		}
		if got := sound[141].time; got != 34*4800 { // the first after 3.4 s
			t.Errorf("%s: got the sound at %d want %d", name, got, 34*4800)
		}
	}
}

// Times that stand still or go back a little are nudged, and shown when they were to be.
func TestTimesOnlyRise(t *testing.T) {
	t.Parallel()
	s, sink := start(t, live.Place{}, h264(t))
	for n := range 100 {
		at := time.Duration(n) * 40 * time.Millisecond
		late := at
		if n%5 == 3 {
			late -= 80 * time.Millisecond
		}
		s.write(live.Frame{DTS: late, PTS: at, Key: n == 0})
	}
	for n := range 3 {
		at := 99 * 40 * time.Millisecond
		s.write(live.Frame{DTS: at, PTS: at, Key: n == 2})
	}
	s.close()
	k := sink.track("720p")
	frames := k.frames(t)
	for i, f := range frames {
		if i > 0 && f.time <= frames[i-1].time {
			t.Errorf("got frame %d at %d after %d", i, f.time, frames[i-1].time)
		}
		if want := int64(min(i, 99)) * 3600; f.shown != want {
			t.Errorf("got frame %d shown at %d want %d", i, f.shown, want)
		}
	}
	if len(k.segments) != 2 || k.segments[1].FirstFrame == 0 {
		t.Errorf("got %d segments, want the second to begin with the key frame", len(k.segments))
	}
}

// Frames of one time, or of none that makes sense, fill neither parts nor memory.
func TestNonsenseIsCut(t *testing.T) {
	t.Parallel()
	s, sink := start(t, live.Place{}, h264(t))
	for n := range 70_000 {
		if err := s.p.Write(live.Frame{Key: n == 0, Payload: []byte{1}}); err != nil {
			t.Fatal(err)
		}
	}
	k := sink.track("720p")
	if len(k.segments) < 1 {
		t.Errorf("got %d segments, want them cut", len(k.segments))
	}
	large := make([]byte, 17<<20)
	if err := s.p.Write(live.Frame{DTS: time.Second, Payload: large}); err == nil {
		t.Error("got no error for a picture of 17 MiB")
	}
	s, sink = start(t, live.Place{}, h264(t))
	for n := range 7 {
		at := time.Duration(n) * 40 * time.Millisecond
		if err := s.p.Write(live.Frame{DTS: at, PTS: at, Key: n == 0, Payload: large[:15<<20]}); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(sink.track("720p").segments); got < 1 {
		t.Errorf("got %d segments of 120 MB", got)
	}
	if err := s.p.Write(live.Frame{Track: 7, Payload: []byte{1}}); err == nil {
		t.Error("got no error for a track that is not there")
	}
}

// A hole in the sound has its length too where the sound before it is in the same part:
// it was ahead when the segment began, and stopped at once.
func TestHoleAtTheBeginningOfASegment(t *testing.T) {
	t.Parallel()
	sound := aac(48000)
	sound.(*codecs.MPEG4Audio).Config.ChannelConfig = 6 // of which there is no silence
	s, sink := start(t, live.Place{}, h264(t), sound)
	heard := 0
	for n := range 250 {
		at := time.Duration(n) * 40 * time.Millisecond
		for ; time.Duration(heard)*1024*time.Second/48000 <= at+80*time.Millisecond; heard++ {
			when := time.Duration(heard) * 1024 * time.Second / 48000
			if when < 6060*time.Millisecond || when > 8200*time.Millisecond {
				s.write(live.Frame{Track: 1, DTS: when, PTS: when})
			}
		}
		s.write(live.Frame{DTS: at, PTS: at, Key: n == 0})
	}
	s.close()
	for _, f := range sink.track("audio").frames(t) {
		if f.time%1024 != 0 || f.time > 6060*48 && f.time < 8200*48 {
			t.Fatalf("got sound at %d, where there was none", f.time)
		}
	}
}
