package live_test

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/internal/fault"
	"stoa/video/internal/live"
)

// FuzzPackager sends frames and formats without any sense.
func FuzzPackager(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 40, 0, 1, 1, 20, 0, 0, 0, 40, 0, 0, 3, 1, 9, 200})
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 4, 255, 255, 255, 5, 128, 128, 128, 7, 1, 2, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 800 {
			return // more of the same only takes longer
		}
		sink := newShelf(t)
		p := live.NewPackager(live.Place{}, sink)
		if err := p.Start([]live.Format{h264(t), aac(48000)}); err != nil {
			t.Fatal(err)
		}
		var clock time.Duration
		for ; len(data) >= 4; data = data[4:] {
			n := binary.BigEndian.Uint16(data[1:])
			switch data[0] % 8 {
			case 7:
				sps := h264(t).(*codecs.H264).SPS
				sps[int(data[1])%len(sps)] ^= data[2]
				formats := []live.Format{&codecs.H264{SPS: sps, PPS: data[2:4]}, aac(int(n))}
				if err := p.Start(formats[int(data[3])%2:]); err != nil && !errors.Is(err, live.ErrFormat) {
					t.Fatalf("got %v", err)
				}
				continue
			case 6: // many at one time
				for range int(n % 1500) {
					write(t, p, live.Frame{Track: int(data[3] % 2), DTS: clock, PTS: clock, Key: data[3]&4 != 0, Payload: []byte{1}})
				}
			case 5: // far away
				clock += time.Duration(int16(n)) << (data[3] % 48)
			case 4: // large
				write(t, p, live.Frame{Track: int(data[3] % 2), DTS: clock, PTS: clock, Key: true, Payload: make([]byte, 1+20*int(n))})
			default:
				clock += time.Duration(int8(data[1])) * time.Millisecond
				write(t, p, live.Frame{
					Track: int(data[0] % 3), DTS: clock, PTS: clock + time.Duration(int8(data[2]))*time.Second/10,
					Key: data[3]&1 != 0, Payload: data[:1+int(data[3])%4],
				})
			}
		}
		if err := p.Close(); err != nil && !errors.Is(err, fault.Invalid) {
			t.Fatal(err)
		}
		for name, k := range sink.tracks {
			at := int64(-1)
			for _, f := range k.frames(t) {
				if f.time <= at {
					t.Errorf("%s: got time %d after %d", name, f.time, at)
				}
				at = f.time
			}
			for _, g := range k.segments {
				if g.Size > 120<<20 {
					t.Errorf("%s: got a segment of %d bytes", name, g.Size)
				}
			}
		}
	})
}

// write refuses nothing but what is the publisher's fault.
func write(t *testing.T, p *live.Packager, f live.Frame) {
	t.Helper()
	if err := p.Write(f); err != nil && !errors.Is(err, fault.Invalid) {
		t.Fatalf("got %v", err)
	}
}
