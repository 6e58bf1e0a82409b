package live_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/abema/go-mp4"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/mpeg4audio"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
)

// h264 is a picture of 1280 x 720.
func h264(t testing.TB) live.Format {
	t.Helper()
	sps, err := hex.DecodeString("6764001facd9405005bb0110000003001000000303c0f1831960")
	if err != nil {
		t.Fatal(err)
	}
	return &codecs.H264{SPS: sps, PPS: []byte{0x68, 0xeb, 0xe3, 0xcb, 0x22, 0xc0}}
}

func aac(rate int) live.Format {
	return &codecs.MPEG4Audio{Config: mpeg4audio.AudioSpecificConfig{
		Type: mpeg4audio.ObjectTypeAACLC, SampleRate: rate, ChannelConfig: 2,
	}}
}

// shelf is a sink that keeps everything, and sees that it comes in order.
type shelf struct {
	t      testing.TB
	tracks map[string]*track
}

type track struct {
	heads    []live.Head
	segments []live.Segment
	parts    []live.Part // of all segments
	open     []live.Part
	window   *live.Window
}

func newShelf(t testing.TB) *shelf { return &shelf{t: t, tracks: map[string]*track{}} }

func (s *shelf) track(name string) *track {
	if s.tracks[name] == nil {
		s.tracks[name] = &track{window: live.NewWindow(time.Hour)}
	}
	return s.tracks[name]
}

func (s *shelf) Head(name string, h live.Head) error {
	k := s.track(name)
	if len(k.open) > 0 {
		s.t.Errorf("%s: got head %d in the middle of a segment", name, h.Number)
	}
	k.heads = append(k.heads, h)
	k.window.AddHead(h)
	return nil
}

func (s *shelf) Part(name string, p live.Part) error {
	k := s.track(name)
	if p.Number != len(k.open) || p.Number > 0 && p.Segment != k.open[0].Segment {
		s.t.Errorf("%s: got part %d of segment %d after %d parts", name, p.Number, p.Segment, len(k.open))
	}
	if p.Duration <= 0 || len(p.Bytes) == 0 {
		s.t.Errorf("%s: got an empty part", name)
	}
	k.open = append(k.open, p)
	k.parts = append(k.parts, p)
	k.window.AddPart(p)
	return nil
}

func (s *shelf) Segment(name string, g live.Segment) error {
	k := s.track(name)
	var whole []byte
	var long int64
	for _, p := range k.open {
		whole, long = append(whole, p.Bytes...), long+p.Duration
		if p.Segment != g.Number {
			s.t.Errorf("%s: got a part of segment %d in %d", name, p.Segment, g.Number)
		}
	}
	if !bytes.Equal(whole, g.Bytes) || g.Parts != len(k.open) || g.Size != len(whole) {
		s.t.Errorf("%s: got a segment %d that is not its %d parts", name, g.Number, len(k.open))
	}
	if g.Duration < long {
		s.t.Errorf("%s: got a segment of %d with parts of %d", name, g.Duration, long)
	}
	if n := len(k.segments); n > 0 && (g.Number <= k.segments[n-1].Number || g.Start < k.segments[n-1].Start+k.segments[n-1].Duration) {
		s.t.Errorf("%s: got segment %d after %d", name, g.Number, k.segments[n-1].Number)
	}
	if g.Head != k.heads[len(k.heads)-1].Number {
		s.t.Errorf("%s: got head %d, want the newest", name, g.Head)
	}
	k.segments, k.open = append(k.segments, g), nil
	k.window.AddSegment(g)
	return nil
}

// got is a frame that was cut, with its times in units of the track's clock.
type got struct {
	time, duration, shown int64
	key                   bool
	payload               string
}

// frames reads all that a track holds.
func (k *track) frames(t testing.TB) (all []got) {
	t.Helper()
	for _, s := range k.segments {
		var parts fmp4.Parts
		if err := parts.Unmarshal(s.Bytes); err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			at := int64(p.Tracks[0].BaseTime)
			for _, f := range p.Tracks[0].Samples {
				all = append(all, got{
					time: at, duration: int64(f.Duration), shown: at + int64(f.PTSOffset),
					key: !f.IsNonSyncSample, payload: string(f.Payload),
				})
				at += int64(f.Duration)
			}
		}
	}
	return all
}

// stream is a publisher's frames, which say who they are.
type stream struct {
	t       testing.TB
	p       *live.Packager
	written []string
}

func (s *stream) write(f live.Frame) {
	s.t.Helper()
	f.Payload = fmt.Appendf(nil, "%d/%d", f.Track, len(s.written))
	s.written = append(s.written, string(f.Payload))
	if err := s.p.Write(f); err != nil {
		s.t.Fatal(err)
	}
}

// film writes pictures of 25 a second with a key frame every so many, and sound of
// 1024/48000 s in step, from one time of the publisher's clock to another.
func (s *stream) film(from, to time.Duration, group int) {
	s.t.Helper()
	sound := 0
	for n := 0; ; n++ {
		at := from + time.Duration(n)*40*time.Millisecond
		for heard := from; heard <= at && heard < to; sound++ {
			if heard = from + time.Duration(sound)*1024*time.Second/48000; heard <= at && heard < to {
				s.write(live.Frame{Track: 1, DTS: heard, PTS: heard, Key: true})
			} else {
				break
			}
		}
		if at >= to {
			return
		}
		s.write(live.Frame{Track: 0, DTS: at, PTS: at + 80*time.Millisecond, Key: n%group == 0})
	}
}

func start(t testing.TB, from live.Place, formats ...live.Format) (*stream, *shelf) {
	t.Helper()
	sink := newShelf(t)
	p := live.NewPackager(from, sink)
	if err := p.Start(formats); err != nil {
		t.Fatal(err)
	}
	return &stream{t: t, p: p}, sink
}

func (s *stream) close() live.Place {
	s.t.Helper()
	if err := s.p.Close(); err != nil {
		s.t.Fatal(err)
	}
	return s.p.Place()
}

// boxes reads the kinds of the boxes of a file, for a reader that is not ours.
func boxes(t testing.TB, file []byte) (kinds []string) {
	t.Helper()
	_, err := mp4.ReadBoxStructure(bytes.NewReader(file), func(h *mp4.ReadHandle) (any, error) {
		kinds = append(kinds, h.BoxInfo.Type.String())
		return nil, nil
	})
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return kinds
}
