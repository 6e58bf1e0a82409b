package encode

import (
	"errors"
	"fmt"
	"io"
)

// Segment is a piece of a track that players load as one file.
type Segment struct {
	Bytes           []byte
	Frames          int   // pictures, or frames of sound
	Duration        int64 // units of Plan.Timescale
	FirstFrameBytes int   // how much of Bytes shows the first picture
}

// track is where the segments of one output belong.
type track struct {
	number int   // of the next segment
	at     int64 // where it begins on the time line
	delay  int64 // from decoding a picture to showing it; see delayed

	init    func(bytes []byte, codec string) error
	segment func(number int, s Segment) error
}

// split reads fragmented MP4 and gives out its head and its segments as they
// come, one at a time.
func (t *track) split(r io.Reader) error {
	var init []byte
	for {
		b, err := readBox(r)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		switch b.kind {
		case "ftyp":
			init = b.bytes
		case "moov":
			err = t.begin(append(init, b.bytes...))
		case "moof":
			err = t.take(b, r)
		}
		if err != nil {
			return err
		}
	}
}

func (t *track) begin(init []byte) error {
	codec, err := codec(init)
	if err != nil {
		return err
	}
	if t.delay > 0 {
		init = delayed(init, t.delay)
	}
	return t.init(init, codec)
}

// take gives out the segment that begins with moof.
func (t *track) take(moof box, r io.Reader) error {
	f, err := readFragment(moof)
	if err != nil {
		return err
	}
	mdat, err := readBox(r)
	if err != nil || mdat.kind != "mdat" {
		return fmt.Errorf("%w: no samples after its head", errFragment)
	}
	firstEnd := f.offset + f.firstSize
	if firstEnd > len(moof.bytes)+len(mdat.bytes) {
		return fmt.Errorf("%w: its first sample ends after it", errFragment)
	}
	if err := f.place(t.number, t.at+t.delay); err != nil {
		return err
	}
	s := Segment{
		Bytes:  append(moof.bytes, mdat.bytes...),
		Frames: f.samples, Duration: f.duration, FirstFrameBytes: firstEnd,
	}
	if err := t.segment(t.number, s); err != nil {
		return err
	}
	t.number++
	t.at += s.Duration
	return nil
}
