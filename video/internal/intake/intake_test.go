package intake_test

import (
	"slices"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/intake"
	"stoa/video/internal/intake/intaketest"
	"stoa/video/internal/live"
)

// step is a frame that comes: at so many milliseconds, of a format or with none.
type step struct {
	at    int
	sound bool
	key   bool
	of    live.Format
}

var (
	small  = &codecs.H264{SPS: []byte{1}, PPS: []byte{1}}
	large  = &codecs.H264{SPS: []byte{2}, PPS: []byte{2}}
	opus   = &codecs.Opus{ChannelCount: 2}
	mono   = &codecs.Opus{ChannelCount: 1}
	again  = &codecs.Opus{ChannelCount: 2} // says the same as opus
	lately = 3000
)

func TestFeedIsToldOfFormatsWhereDecodingCanBegin(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name            string
		pictures, sound bool
		steps           []step
		starts          []int // tracks of each
		frames          []int // milliseconds of those that are written
	}{
		{"both from the beginning", true, true,
			[]step{{0, true, true, opus}, {10, false, true, small}, {20, true, true, opus}, {50, false, false, small}},
			[]int{2}, []int{0, 10, 20, 50}},
		{"pictures before the first key frame", true, false,
			[]step{{0, false, false, nil}, {40, false, false, small}, {80, false, true, small}, {120, false, false, small}},
			[]int{1}, []int{80, 120}},
		{"sound that never comes", true, true,
			[]step{{0, false, true, small}, {1000, false, false, small}, {lately, false, false, small}},
			[]int{1}, []int{0, 1000, lately}},
		{"sound that comes late waits for a key frame", true, true,
			[]step{{0, false, true, small}, {lately, false, false, small}, {3010, true, true, opus}, {3040, false, false, small}, {3080, false, true, small}, {3090, true, true, opus}},
			[]int{1, 2}, []int{0, lately, 3040, 3080, 3090}},
		{"pictures that come late", true, true,
			[]step{{0, true, true, opus}, {lately, true, true, opus}, {3010, false, false, nil}, {3040, false, true, small}, {3050, true, true, opus}},
			[]int{1, 2}, []int{0, lately, 3040, 3050}},
		{"another size", true, true,
			[]step{{0, true, true, opus}, {10, false, true, small}, {50, false, true, large}, {60, true, true, opus}},
			[]int{2, 2}, []int{0, 10, 50, 60}},
		{"other sound waits for a key frame", true, true,
			[]step{{0, true, true, opus}, {10, false, true, small}, {20, true, true, mono}, {50, false, true, small}, {60, true, true, mono}},
			[]int{2, 2}, []int{0, 10, 50, 60}},
		{"the same sound in other words", false, true,
			[]step{{0, true, true, opus}, {20, true, true, again}, {40, true, true, opus}},
			[]int{1}, []int{0, 20, 40}},
		{"other sound alone", false, true,
			[]step{{0, true, true, opus}, {20, true, true, mono}},
			[]int{1, 1}, []int{0, 20}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			feed := intaketest.NewFeed()
			in := intake.New(feed, test.pictures, test.sound)
			for _, s := range test.steps {
				at := time.Duration(s.at) * time.Millisecond
				f := live.Frame{DTS: at, PTS: at, Key: s.key, Payload: []byte{1}}
				take := in.Picture
				if s.sound {
					take = in.Sound
				}
				if err := take(s.of, f); err != nil {
					t.Fatal(err)
				}
			}
			starts, frames := feed.Kept()
			var gotStarts, gotFrames []int
			for _, s := range starts {
				gotStarts = append(gotStarts, len(s))
			}
			for _, f := range frames {
				gotFrames = append(gotFrames, int(f.DTS.Milliseconds()))
			}
			if !slices.Equal(gotStarts, test.starts) || !slices.Equal(gotFrames, test.frames) {
				t.Errorf("got starts %v and frames %v, want %v and %v", gotStarts, gotFrames, test.starts, test.frames)
			}
		})
	}
}

func TestFormatsAreToldThoughPicturesStop(t *testing.T) {
	t.Parallel()
	feed := intaketest.NewFeed()
	in := intake.New(feed, true, true)
	_ = in.Picture(small, live.Frame{Key: true, Payload: []byte{1}})
	for n := range 1000 {
		sound := opus
		if n > 0 {
			sound = mono
		}
		if err := in.Sound(sound, live.Frame{DTS: time.Duration(n) * 20 * time.Millisecond, Payload: []byte{1}}); err != nil {
			t.Fatal(err)
		}
	}
	if starts, frames := feed.Kept(); len(starts) != 2 || len(frames) < 400 {
		t.Errorf("got %d starts and %d frames of 1001", len(starts), len(frames))
	}
}

func TestATrackThatIsNotAnnouncedAnyMoreLeaves(t *testing.T) {
	t.Parallel()
	feed := intaketest.NewFeed()
	in := intake.New(feed, true, true)
	_ = in.Picture(small, live.Frame{Key: true, Payload: []byte{1}})
	_ = in.Sound(opus, live.Frame{Payload: []byte{2}})
	in.Expect(false, true)
	_ = in.Sound(opus, live.Frame{Payload: []byte{3}})
	starts, frames := feed.Kept()
	if len(starts) != 2 || len(starts[1]) != 1 || len(frames) != 3 || frames[1].Track != 1 || frames[2].Track != 0 {
		t.Errorf("got starts %v and frames %v", starts, frames)
	}
}

func TestDescribedFormatsAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	feed := intaketest.NewFeed()
	in := intake.Unannounced(feed)
	in.Describe(small, nil)
	in.Describe(nil, opus)
	_ = in.Sound(opus, live.Frame{Payload: []byte{1}})
	_ = in.Picture(small, live.Frame{Key: true, Payload: []byte{2}})
	in.Describe(nil, mono)
	_ = in.Picture(small, live.Frame{Payload: []byte{3}})
	_ = in.Picture(small, live.Frame{Key: true, Payload: []byte{4}})
	_ = in.Sound(mono, live.Frame{Payload: []byte{5}})
	starts, frames := feed.Kept()
	if len(starts) != 2 || !slices.Equal(starts[0], []live.Format{small, opus}) || !slices.Equal(starts[1], []live.Format{small, mono}) || len(frames) != 5 {
		t.Errorf("got starts %v and %d frames, want two with both, and all 5 frames", starts, len(frames))
	}
}

func TestUnannouncedTracksAreWaitedForASecond(t *testing.T) {
	t.Parallel()
	feed := intaketest.NewFeed()
	in := intake.Unannounced(feed)
	for n, want := range []int{0, 0, 3, 4} {
		at := time.Duration(n) * time.Second / 2
		_ = in.Sound(opus, live.Frame{DTS: at, PTS: at, Payload: []byte{1}})
		if _, frames := feed.Kept(); len(frames) != want {
			t.Errorf("got %d frames after %v, want %d", len(frames), at, want)
		}
	}
}
