package live_test

import (
	"testing"
	"time"

	"stoa/video/internal/live"
)

// nowhere keeps nothing.
type nowhere struct{ windows map[string]*live.Window }

func (n nowhere) Head(track string, h live.Head) error { n.windows[track].AddHead(h); return nil }
func (n nowhere) Part(track string, p live.Part) error { n.windows[track].AddPart(p); return nil }
func (n nowhere) Segment(track string, s live.Segment) error {
	n.windows[track].AddSegment(s)
	return nil
}

// A second of a stream of 6 Mbit/s with 30 pictures and 47 frames of sound, through to
// the windows.
func BenchmarkPackager(b *testing.B) {
	sink := nowhere{map[string]*live.Window{"720p": live.NewWindow(time.Minute), "audio": live.NewWindow(time.Minute)}}
	p := live.NewPackager(live.Place{}, sink)
	if err := p.Start([]live.Format{h264(b), aac(48000)}); err != nil {
		b.Fatal(err)
	}
	picture, sound := make([]byte, 25_000), make([]byte, 340)
	b.ReportAllocs()
	n, heard := 0, 0
	for b.Loop() {
		for range 30 {
			at := time.Duration(n) * time.Second / 30
			for ; time.Duration(heard)*1024*time.Second/48000 < at; heard++ {
				when := time.Duration(heard) * 1024 * time.Second / 48000
				_ = p.Write(live.Frame{Track: 1, DTS: when, PTS: when, Payload: sound})
			}
			_ = p.Write(live.Frame{DTS: at, PTS: at, Key: n%60 == 0, Payload: picture})
			n++
		}
	}
}

// The list of an hour, as each part makes it anew.
func BenchmarkText(b *testing.B) {
	w := live.NewWindow(time.Hour)
	w.AddHead(live.Head{Clock: 90000})
	for n := range 1800 {
		addParts(w, n, 5)
		w.AddSegment(segment(n))
	}
	b.ReportAllocs()
	for b.Loop() {
		w.Text(live.ListOptions{Carry: "?avh=0123456789abcdef"})
	}
}
