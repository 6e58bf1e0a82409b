package live_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
)

// cuts is where the segments of a track begin, in thousandths of a second.
func (k *track) cuts() (starts []int64) {
	for _, s := range k.segments {
		starts = append(starts, s.Start*1000/k.heads[0].Clock)
	}
	return starts
}

func TestSegmentsBeginWithKeyFramesAfterTwoSeconds(t *testing.T) {
	t.Parallel()
	s, sink := start(t, live.Place{}, h264(t), aac(48000))
	s.film(0, 7*time.Second, 40) // a key frame every 1.6 s
	place := s.close()
	picture, sound := sink.track("720p"), sink.track("audio")
	if got, want := picture.cuts(), []int64{0, 3200, 6400}; !slices.Equal(got, want) {
		t.Errorf("got segments at %v want %v", got, want)
	}
	if got, want := sound.cuts(), []int64{0, 3200, 6400}; !slices.Equal(got, want) {
		t.Errorf("got sound cut at %v want %v", got, want)
	}
	for _, seg := range picture.segments {
		if seg.FirstFrame == 0 || seg.Break {
			t.Errorf("got segment %d with a first frame of %d bytes, break %t", seg.Number, seg.FirstFrame, seg.Break)
		}
	}
	if place.Segment != 3 || place.Heads["720p"] != 1 || place.Heads["audio"] != 1 || place.Time < 7*time.Second || place.Time > 7030*time.Millisecond {
		t.Errorf("got %+v, want to go on with segment 3 at 7 s", place)
	}
	if !slices.Equal(boxes(t, slices.Concat(picture.heads[0].Bytes, picture.segments[0].Bytes))[:3], []string{"ftyp", "moov", "moof"}) {
		t.Error("got no MP4")
	}
}

func TestFarKeyFramesDoNotMakeSegmentsLonger(t *testing.T) {
	t.Parallel()
	s, sink := start(t, live.Place{}, h264(t), aac(48000))
	s.film(0, 20*time.Second, 100_000)
	s.close()
	if got, want := sink.track("720p").cuts(), []int64{0, 6000, 12000, 18000}; !slices.Equal(got, want) {
		t.Errorf("got segments at %v want %v", got, want)
	}
	if got := sink.track("720p").segments; got[0].FirstFrame == 0 || got[1].FirstFrame != 0 {
		t.Error("got a first picture where there is none, or none where it is")
	}
}

func TestPartsAreShortAndFull(t *testing.T) {
	t.Parallel()
	s, sink := start(t, live.Place{}, h264(t), aac(48000))
	s.film(0, 6*time.Second, 50)
	s.close()
	for name, want := range map[string]int64{"720p": 36000, "audio": 18 * 1024} {
		k := sink.track(name)
		for _, p := range k.parts {
			last := p.Number+1 == k.segments[p.Segment].Parts
			if p.Duration > want || p.Duration < want && !last {
				t.Errorf("%s: got part %d of segment %d with %d want %d", name, p.Number, p.Segment, p.Duration, want)
			}
		}
	}
}

func TestNothingBeforeTheFirstKeyFrame(t *testing.T) {
	t.Parallel()
	s, sink := start(t, live.Place{}, h264(t), aac(48000))
	for at := time.Duration(0); at < 1200*time.Millisecond; at += 20 * time.Millisecond {
		s.write(live.Frame{Track: 1, DTS: at, PTS: at})
		s.write(live.Frame{Track: 0, DTS: at, PTS: at, Key: at >= time.Second})
	}
	s.close()
	for _, name := range []string{"720p", "audio"} {
		if got := len(sink.track(name).frames(t)); got != 10 {
			t.Errorf("%s: got %d frames, want the 10 after a second", name, got)
		}
	}
}

func TestSoundGoesAloneAfterAWhile(t *testing.T) {
	t.Parallel()
	s, sink := start(t, live.Place{}, h264(t), aac(48000))
	for at := time.Duration(0); at < 5*time.Second; at += 20 * time.Millisecond {
		s.write(live.Frame{Track: 1, DTS: at, PTS: at})
	}
	s.film(5*time.Second, 6*time.Second, 50)
	s.close()
	if got, want := sink.track("720p").segments[0], sink.track("audio").segments[3]; got.Number != 3 || want.Number != 3 {
		t.Errorf("got the first picture in segment %d, sound %d want 3", got.Number, want.Number)
	}
	if got := sink.track("audio").frames(t)[0]; got.time != 0 || got.payload != s.written[0] {
		t.Errorf("got first sound %+v, want the first that came", got)
	}
}

func TestPictureOrSoundAlone(t *testing.T) {
	t.Parallel()
	s, sink := start(t, live.Place{}, aac(44100))
	for n := range 300 {
		at := time.Duration(n) * 1024 * time.Second / 44100
		s.write(live.Frame{DTS: at, PTS: at})
	}
	s.close()
	if k := sink.track("audio"); len(k.segments) != 4 || len(k.frames(t)) != 300 {
		t.Errorf("got %d segments with %d frames of sound", len(k.segments), len(k.frames(t)))
	}
	s, sink = start(t, live.Place{}, h264(t))
	for n := range 300 {
		at := time.Duration(n) * 40 * time.Millisecond
		s.write(live.Frame{DTS: at, PTS: at, Key: n%50 == 0})
	}
	s.close()
	if k := sink.track("720p"); len(k.segments) != 6 || len(k.frames(t)) != 300 {
		t.Errorf("got %d segments with %d pictures", len(k.segments), len(k.frames(t)))
	}
}

func TestSilentTrackStallsNobody(t *testing.T) {
	t.Parallel()
	for silent, other := range map[string]string{"audio": "720p", "720p": "audio"} {
		s, sink := start(t, live.Place{}, h264(t), aac(48000))
		s.film(0, 3*time.Second, 50)
		for n := range 1000 {
			at := 3*time.Second + time.Duration(n)*20*time.Millisecond
			f := live.Frame{DTS: at, PTS: at, Key: n%50 == 0}
			if other == "audio" {
				f.Track = 1
			}
			s.write(f)
		}
		if got := len(sink.track(other).segments); got < 8 {
			t.Errorf("%s is silent: got %d segments of %s", silent, got, other)
		}
		heard := slices.DeleteFunc(sink.track(silent).frames(t), isSilence)
		if got := heard; got[len(got)-1].time < 2900*sink.track(silent).heads[0].Clock/1000 {
			t.Errorf("%s is silent: got it until %d only", silent, got[len(got)-1].time)
		}
		s.film(23*time.Second, 26*time.Second, 50) // and it comes back
		s.close()
		a, b := sink.track(silent).segments, sink.track(other).segments
		if a[len(a)-1].Number != b[len(b)-1].Number {
			t.Errorf("%s came back: got segment %d beside %d", silent, a[len(a)-1].Number, b[len(b)-1].Number)
		}
		heard = slices.DeleteFunc(sink.track("audio").frames(t), isSilence)
		if got := len(heard) + len(sink.track("720p").frames(t)); got != len(s.written) {
			t.Errorf("got %d frames want %d", got, len(s.written))
		}
	}
}

func TestAnotherPublisherGoesOn(t *testing.T) {
	t.Parallel()
	s, _ := start(t, live.Place{}, h264(t), aac(48000))
	s.film(0, 5*time.Second, 50)
	place := s.close()
	s, sink := start(t, place, h264(t), aac(44100))
	s.film(7*time.Hour, 7*time.Hour+3*time.Second, 50)
	s.close()
	for name, k := range sink.tracks {
		first := k.segments[0]
		if first.Number != 3 || !first.Break || first.Head != 1 || k.heads[0].Number != 1 {
			t.Errorf("%s: got %d break %t head %d, want segment 3 with a break and head 1", name, first.Number, first.Break, first.Head)
		}
		if got := first.Start * 1000 / k.heads[0].Clock; got < 5000 || got > 5050 {
			t.Errorf("%s: got it at %d ms, want 5000", name, got)
		}
		if k.segments[1].Break {
			t.Errorf("%s: got a break in the middle", name)
		}
	}
	if got := sink.track("audio").heads[0].Clock; got != 48000 {
		t.Errorf("got clock %d, want that of the sound before", got)
	}
}

func TestFormatsChange(t *testing.T) {
	t.Parallel()
	s, sink := start(t, live.Place{}, h264(t))
	write := func(from, to int) {
		for n := from; n < to; n++ {
			at := time.Duration(n) * 40 * time.Millisecond
			s.write(live.Frame{DTS: at, PTS: at, Key: n%25 == 0})
		}
	}
	write(0, 30)
	again := &codecs.H264{SPS: h264(t).(*codecs.H264).SPS, PPS: []byte{0x68, 0xee, 0x3c, 0x80}}
	for range 2 { // the second says nothing new
		if err := s.p.Start([]live.Format{again}); err != nil {
			t.Fatal(err)
		}
		write(30, 60)
	}
	s.close()
	k := sink.track("720p")
	if len(k.heads) != 2 || len(k.segments) != 2 || !k.segments[1].Break || k.segments[1].Head != 1 || k.segments[1].Number != 1 {
		t.Fatalf("got %d heads, %d segments, want a break with a new head", len(k.heads), len(k.segments))
	}
	if first := k.segments[1]; first.FirstFrame == 0 || first.Start != 2*90000 {
		t.Errorf("got segment 1 at %d, want it to wait for the key frame", first.Start)
	}
}

func TestUnknownFormatsAreRefused(t *testing.T) {
	t.Parallel()
	for name, formats := range map[string][]live.Format{
		"none": {}, "nil": {nil}, "two pictures": {h264(t), h264(t)}, "raw sound": {&codecs.LPCM{SampleRate: 48000, BitDepth: 16, ChannelCount: 2}},
		"no parameters": {&codecs.H264{}}, "short parameters": {&codecs.H264{SPS: []byte{0x67}, PPS: []byte{0x68}}},
		"no rate": {aac(0)}, "stills": {&codecs.MJPEG{Width: 10, Height: 10}}, "no H.265": {&codecs.H265{}}, "no AV1": {&codecs.AV1{}},
		"no VP9": {&codecs.VP9{}}, "no FLAC": {&codecs.FLAC{}},
	} {
		if err := live.NewPackager(live.Place{}, newShelf(t)).Start(formats); !errors.Is(err, live.ErrFormat) {
			t.Errorf("%s: got %v, want ErrFormat", name, err)
		}
	}
	p := live.NewPackager(live.Place{}, newShelf(t))
	var err error
	for n := 0; n < 100 && err == nil; n++ {
		err = p.Start([]live.Format{aac(48000 - 4000*(n%2))})
	}
	if !errors.Is(err, live.ErrFormat) {
		t.Errorf("got %v for formats that change all the time", err)
	}
}

func TestTrackNames(t *testing.T) {
	t.Parallel()
	for height, want := range map[int]string{1: "240p", 240: "240p", 359: "240p", 360: "360p", 719: "480p", 720: "720p", 1088: "1080p", 1920: "1080p", 4320: "2160p"} {
		if got := live.TrackName(height); got != want {
			t.Errorf("%d: got %s want %s", height, got, want)
		}
	}
}
