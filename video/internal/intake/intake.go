// Package intake makes the frames of a feed out of pictures and sound as protocols
// carry them: NAL units become samples, parameter sets formats, and the feed is told of
// the formats before the first frame and where they change.
package intake

import (
	"reflect"
	"time"

	"stoa/video/internal/live"
)

// How long the feed waits for tracks that are announced and do not come, or of which
// nothing is known, by the time of the frames. It then begins without them.
const (
	announced    = 2 * time.Second
	guessed      = time.Second
	waitingBytes = 16 << 20
	waitingCount = 2000
)

// overdue is how many frames a change of format waits for a key frame, some ten seconds:
// pictures may have stopped.
const overdue = 500

// Intake puts the pictures and the sound of one publisher in order for its feed. Where a
// format changes, the feed is told at the next picture that decoding can begin with.
type Intake struct {
	feed     live.Feed
	patience time.Duration
	tracks   [2]track // picture and sound
	started  bool
	changed  int // frames since a format differs from what the feed was told; 0: none does

	waiting       []live.Frame // before the first Start; Track is an index of tracks
	waitingWeight int
}

// track is a picture track or a sound track.
type track struct {
	expected bool
	given    live.Format // the newest as it was given
	format   live.Format // the same, or an older one that says the same; nil: not known yet
	told     live.Format // what the feed knows; nil: nothing
	index    int         // of told, among those of the feed
}

const (
	picture = 0
	sound   = 1
)

// New gives the intake of a feed whose publisher announces pictures, sound or both.
func New(feed live.Feed, pictures, sounds bool) *Intake {
	in := &Intake{feed: feed, patience: announced}
	in.Expect(pictures, sounds)
	return in
}

// Unannounced gives the intake of a feed whose publisher does not say what will come:
// pictures, sound or both.
func Unannounced(feed live.Feed) *Intake {
	in := New(feed, true, true)
	in.patience = guessed
	return in
}

// Expect says what the publisher announces from now on.
func (in *Intake) Expect(pictures, sounds bool) {
	for n, expected := range [2]bool{pictures, sounds} {
		in.tracks[n].expected = expected
		if !expected {
			in.adopt(n, nil)
		}
	}
}

// Describe names formats that are known before frames of them come; nil: not known.
func (in *Intake) Describe(pictures, sounds live.Format) {
	for n, format := range [2]live.Format{pictures, sounds} {
		if format != nil {
			in.adopt(n, format)
		}
	}
}

// Picture takes a picture of the given format, nil where it is not known yet. Another
// format than before takes effect with its first key frame.
func (in *Intake) Picture(format live.Format, f live.Frame) error {
	if format == nil || in.tracks[picture].format == nil && !f.Key {
		return nil
	}
	f.Track = picture
	in.adopt(picture, format)
	return in.take(f)
}

// Sound takes a piece of sound of the given format.
func (in *Intake) Sound(format live.Format, f live.Frame) error {
	f.Track, f.Key = sound, true
	in.adopt(sound, format)
	return in.take(f)
}

func (in *Intake) adopt(n int, format live.Format) {
	t := &in.tracks[n]
	if t.given == format {
		return
	}
	t.given = format
	if !reflect.DeepEqual(t.format, format) {
		t.format = format
		in.changed = max(in.changed, 1)
	}
}

func (in *Intake) take(f live.Frame) error {
	if !in.started {
		return in.wait(f)
	}
	if in.changed > 0 {
		in.changed++
		begins := f.Track == picture && f.Key || in.tracks[picture].format == nil
		if begins || in.changed > overdue {
			if err := in.start(); err != nil {
				return err
			}
		}
	}
	return in.write(f)
}

// wait keeps what comes before the formats of all tracks are known.
func (in *Intake) wait(f live.Frame) error {
	in.waiting = append(in.waiting, f)
	in.waitingWeight += len(f.Payload)
	complete := true
	for _, t := range in.tracks {
		complete = complete && (t.format != nil || !t.expected)
	}
	late := (f.DTS-in.waiting[0].DTS).Abs() >= in.patience ||
		in.waitingWeight > waitingBytes || len(in.waiting) > waitingCount
	if !complete && !late {
		return nil
	}
	waiting := in.waiting
	in.waiting, in.started = nil, true
	if err := in.start(); err != nil {
		return err
	}
	for _, f := range waiting {
		if err := in.write(f); err != nil {
			return err
		}
	}
	return nil
}

func (in *Intake) start() error {
	in.changed = 0
	var formats []live.Format
	for n := range in.tracks {
		t := &in.tracks[n]
		t.told, t.index = t.format, len(formats)
		if t.told != nil {
			formats = append(formats, t.told)
		}
	}
	return in.feed.Start(formats)
}

// write hands a frame on, unless the feed does not know its format yet.
func (in *Intake) write(f live.Frame) error {
	t := &in.tracks[f.Track]
	if t.told == nil || t.told != t.format {
		return nil
	}
	f.Track = t.index
	return in.feed.Write(f)
}
