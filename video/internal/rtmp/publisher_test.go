package rtmp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
)

// stage is a publisher without a connection.
type stage struct {
	t *testing.T
	p *publisher
	f *feed
}

func newStage(t *testing.T) stage {
	d := newDoor()
	f := &feed{door: d, first: make(chan struct{})}
	return stage{t, newPublisher(nil, f, Options{}), f}
}

func (s stage) take(kind byte, ms uint32, body ...byte) {
	s.t.Helper()
	if _, err := s.p.take(message{kind: kind, time: ms, body: bytes.Clone(body)}); err != nil {
		s.t.Fatalf("got %v at %d", err, ms)
	}
}

// config sends what tells of a format.
func (s stage) config(f live.Format) {
	s.t.Helper()
	kind, head, config, err := configTag(f)
	if err != nil {
		s.t.Fatal(err)
	}
	s.take(kind, 0, append(head, config...)...)
}

// picture sends units of H.264 as a key frame.
func (s stage) picture(ms uint32, units ...[]byte) {
	s.t.Helper()
	s.take(kindPicture, ms, append([]byte{0x17, 1, 0, 0, 0}, avcc(units...)...)...)
}

func (s stage) tone(ms uint32) { s.t.Helper(); s.take(kindSound, ms, aacFirst, packetFrames, 1, 2, 3) }

func avcc(units ...[]byte) (b []byte) {
	for _, u := range units {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(u))), u...)
	}
	return b
}

func (s stage) want(starts [][]live.Format, of []int) {
	s.t.Helper()
	if !reflect.DeepEqual(s.f.starts, starts) || !reflect.DeepEqual(s.f.of, of) {
		s.t.Errorf("got starts %v with frames %v, want %v with %v", s.f.starts, s.f.of, starts, of)
	}
}

func TestBothFormatsAtTheBeginningStartAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.config(tone44)
	s.config(small)
	s.tone(0)
	s.want([][]live.Format{{small, tone44}}, []int{0})
}

func TestOneFormatWaitsASecondForTheOther(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.config(small)
	s.picture(7000, idr[4:])
	s.picture(7500, idr[4:])
	s.want(nil, nil)
	s.config(tone44)
	s.tone(7510)
	s.want([][]live.Format{{small, tone44}}, []int{0, 0, 0})

	s = newStage(t)
	s.config(small)
	for ms := uint32(0); ms <= 2000; ms += 500 {
		s.picture(ms, idr[4:])
	}
	s.want([][]live.Format{{small}}, []int{0, 0, 0, 0, 0})
	s.config(tone44)
	s.tone(2500) // within a group of pictures: it begins with the next
	s.picture(3000, idr[4:])
	s.tone(3010)
	s.want([][]live.Format{{small}, {small, tone44}}, []int{0, 0, 0, 0, 0, 1, 1})
	if got := s.f.frames[6].Track; got != 1 {
		t.Errorf("got sound in track %d, want 1", got)
	}
}

func TestPictureIsAddedToSound(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.config(tone44)
	s.tone(0)
	s.tone(1000)
	s.config(small)
	s.picture(1100, idr[4:])
	s.tone(1200)
	s.want([][]live.Format{{tone44}, {small, tone44}}, []int{0, 0, 1, 1})
	if f := s.f.frames; f[2].Track != 0 || f[3].Track != 1 {
		t.Errorf("got tracks %d and %d, want 0 and 1", f[2].Track, f[3].Track)
	}
}

func TestChangeOfResolutionStartsAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.config(small)
	s.config(tone44)
	s.picture(0, idr[4:])
	s.config(small) // again the same
	s.config(tone44)
	s.picture(40, idr[4:])
	s.config(large)
	s.picture(80, idr[4:])
	s.picture(120, small.SPS, small.PPS, idr[4:]) // within the picture
	s.picture(160, small.SPS, small.PPS, idr[4:])
	s.want([][]live.Format{{small, tone44}, {large, tone44}, {small, tone44}}, []int{0, 0, 1, 2, 2})
	for i, f := range s.f.frames {
		if !bytes.Equal(f.Payload, idr) {
			t.Errorf("frame %d: got %x, want the picture alone", i, f.Payload)
		}
	}
}

func TestOtherKindOfPicturesWaitsForItsFormat(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.config(small)
	s.config(tone44)
	s.picture(0, idr[4:])
	s.take(kindPicture, 40, append([]byte{0x90}, "vp09"...)...)
	s.take(kindPicture, 40, append([]byte{0xa1}, "vp09\x86\x00\x40"...)...) // no key frame
	s.take(kindPicture, 80, append(append([]byte{0x91}, "vp09"...), vp9Frame...)...)
	s.want([][]live.Format{{small, tone44}, {vp9Key, tone44}}, []int{0, 1})
}

func TestUnitsOfPictures(t *testing.T) {
	t.Parallel()
	slice, sei := []byte{0x41, 1, 2}, []byte{6, 5, 1, 0xaa, 6, 1, 0xc4, 0x80}
	otherPPS := []byte{0x68, 0x5e, 0x0f, 0xc8} // number 1
	for name, c := range map[string]struct {
		units [][]byte
		flag  byte
		want  []byte
		key   bool
	}{
		"key":                       {[][]byte{idr[4:]}, 1, idr, true},
		"not called key but is":     {[][]byte{idr[4:]}, 2, idr, true},
		"called key but is not":     {[][]byte{slice}, 1, avcc(slice), false},
		"begins without a key unit": {[][]byte{sei, slice}, 1, avcc(sei, slice), true},
		"recovers, not called key":  {[][]byte{sei, slice}, 2, avcc(sei, slice), false},
		"marks and padding":         {[][]byte{{9, 0x10}, slice, {12, 255, 255}, slice, {12}}, 2, avcc(slice, slice), false},
		"empty units":               {[][]byte{{}, slice, {}}, 2, avcc(slice), false},
		"parameters of another":     {[][]byte{otherPPS, slice}, 2, avcc(otherPPS, slice), false},
		"nothing but information":   {[][]byte{sei}, 1, nil, false},
		"nothing but parameters":    {[][]byte{small.SPS, small.PPS}, 1, nil, false},
	} {
		s := newStage(t)
		s.config(small)
		s.config(tone44)
		s.take(kindPicture, 0, append([]byte{c.flag<<4 | 7, 1, 0, 0, 0}, avcc(c.units...)...)...)
		if c.want == nil {
			if len(s.f.frames) != 0 {
				t.Errorf("%s: got %v, want no frame", name, s.f.frames)
			}
			continue
		}
		if len(s.f.frames) != 1 || !bytes.Equal(s.f.frames[0].Payload, c.want) || s.f.frames[0].Key != c.key {
			t.Errorf("%s: got %v, want %x, key %v", name, s.f.frames, c.want, c.key)
		}
		s.want([][]live.Format{{small, tone44}}, []int{0})
	}
}

func TestShortLengthsAndBrokenUnits(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	_, _, config, err := configTag(small)
	if err != nil {
		t.Fatal(err)
	}
	config[4] = 0xfd // lengths of two bytes
	s.config(tone44)
	s.take(kindPicture, 0, append([]byte{0x17, 0, 0, 0, 0}, config...)...)
	s.take(kindPicture, 0, 0x17, 1, 0, 0, 0, 0, 2, 9, 16, 0, 4, 0x65, 0x88, 0x84, 0x21, 0, 99, 1)
	if len(s.f.frames) != 1 || !bytes.Equal(s.f.frames[0].Payload, idr) {
		t.Errorf("got %v, want %x", s.f.frames, idr)
	}
}

func TestTimesGoOnWhereTheyBeginAnew(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.config(small)
	s.config(tone44)
	s.p.clock = clock{}
	for _, ms := range []uint32{1<<32 - 100, 1<<32 - 60, 1<<32 - 20, 20, 10, 60} {
		s.picture(ms, idr[4:])
	}
	first := s.f.frames[0].DTS
	for i, want := range []time.Duration{0, 40, 80, 120, 110, 160} {
		if got := s.f.frames[i].DTS - first; got != want*time.Millisecond {
			t.Errorf("frame %d: got %v after the first, want %d ms", i, got, want)
		}
	}
}

func TestMP3FramesInOneMessage(t *testing.T) {
	t.Parallel()
	frame := make([]byte, 192) // 64 kbit/s at 48000 Hz, 24 ms
	copy(frame, mp3Frame)
	s := newStage(t)
	s.config(small)
	s.take(kindSound, 1000, append([]byte{0x2e}, append(bytes.Clone(frame), frame...)...)...)
	if len(s.f.frames) != 2 || s.f.frames[1].DTS != 1024*time.Millisecond || !bytes.Equal(s.f.frames[1].Payload, frame) {
		t.Errorf("got %v, want two frames with 24 ms between", s.f.frames)
	}
}

func TestMP3OfLowRates(t *testing.T) {
	t.Parallel()
	frame := make([]byte, 192) // 64 kbit/s at 24000 Hz
	copy(frame, []byte{0xff, 0xf3, 0x84, 0xc4})
	s := newStage(t)
	s.config(small)
	s.take(kindSound, 0, append([]byte{0x2a}, append(bytes.Clone(frame), frame...)...)...)
	want := &codecs.MPEG1Audio{SampleRate: 24000, ChannelCount: 1}
	if len(s.f.frames) != 2 || !reflect.DeepEqual(s.f.starts[0][1], live.Format(want)) {
		t.Errorf("got %d frames after %v, want two of %v", len(s.f.frames), s.f.starts, want)
	}
}

func TestOtherFormatsAreRefused(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]message{
		"Sorenson":       {kind: kindPicture, body: []byte{0x12, 0, 0, 0, 0, 0}},
		"VP8":            {kind: kindPicture, body: append([]byte{0x90}, "vp08...."...)},
		"Speex":          {kind: kindSound, body: []byte{0xb6, 1, 2}},
		"PCM":            {kind: kindSound, body: []byte{0x3e, 1, 2}},
		"E-AC-3":         {kind: kindSound, body: append([]byte{0x90}, "ec-3...."...)},
		"Opus, 6 voices": {kind: kindSound, body: append([]byte{0x90}, "OpusOpusHead\x01\x06.............."...)},
		"broken AAC":     {kind: kindSound, body: []byte{0xaf, 0, 0xff}},
		"broken H.264":   {kind: kindPicture, body: unhex("1700000000014200" + "0aff" + "e10004" + "67000000" + "0100" + "0268ce")},
	} {
		p := newPublisher(nil, &feed{door: newDoor(), first: make(chan struct{})}, Options{})
		if _, err := p.take(m); !errors.Is(err, live.ErrFormat) {
			t.Errorf("%s: got %v, want ErrFormat", name, err)
		}
	}
}

func TestWhatIsNotForUsIsPassedOver(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.config(small)
	s.config(tone44)
	for _, body := range [][]byte{
		{}, {0x17}, {0x17, 2, 0, 0, 0}, {0x57, 0, 0, 0, 0}, {0x17, 9, 0, 0, 0}, {0x17, 0, 0, 0, 0}, {0x27, 1, 0, 0, 0},
		append([]byte{0x94}, "hvc1metadata"...), append([]byte{0x91}, "hvc1"...), append([]byte{0xd1}, "avc1...."...),
		append([]byte{0x96, 0x01}, "avc1\x01..."...), append([]byte{0x96, 0x11}, "avc1\x00..."...), {0x96, 1, 2, 3, 4},
	} {
		s.take(kindPicture, 0, body...)
	}
	for _, body := range [][]byte{{}, {0xaf}, {0xaf, 0}, {0xaf, 1}, {0x9f, 1}, append([]byte{0x94}, "Opus"...), {0x2e, 1, 2, 3}} {
		s.take(kindSound, 0, body...)
	}
	s.want(nil, nil)
}

func TestFirstOfSeveralTracksIsTaken(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.config(tone44)
	_, _, config, err := configTag(small)
	if err != nil {
		t.Fatal(err)
	}
	s.take(kindPicture, 0, append(append([]byte{0x96, 0}, "avc1\x00"...), config...)...)
	s.take(kindPicture, 0, append(append([]byte{0x96, 1}, "avc1\x00\x00\x00\x28"...), idr...)...)
	s.want([][]live.Format{{small, tone44}}, []int{0})
	if f := s.f.frames[0]; f.PTS != 40*time.Millisecond || !f.Key {
		t.Errorf("got %v, want a key frame shown at 40 ms", f)
	}
}

func TestKeysInAddresses(t *testing.T) {
	t.Parallel()
	for _, r := range []request{
		{"s", "K"}, {"s/", "K"}, {"/s", "/K/"}, {"s", "K?a=b/c"}, {"s?x=y", "K"}, {"s/K", ""}, {"s/K/", "?a=b"}, {"s/K", "K"}, {"s", " K\n"}, {"s//", "K//"}, {"", "s/K"},
	} {
		if key, err := r.key(); key != "K" || err != nil {
			t.Errorf("%+v: got %q, %v, want K", r, key, err)
		}
	}
	for _, r := range []request{{}, {"s", ""}, {"live", "K"}, {"s/J", "K"}, {"s", "K/K/K"}, {"K", ""}, {"s?K", ""}, {"s", string(make([]byte, 200))}, {"s", "K\x00"}, {"s", "\xffK"}} {
		if key, err := r.key(); err == nil {
			t.Errorf("%q: got %q, want none", r, key)
		}
	}
}
