package live

import "time"

// Head is what players need before the segments that name it.
type Head struct {
	Number int    // of those of its track, from 0
	Bytes  []byte // an MP4 without media
	Codec  string // such as "avc1.64001f"
	Clock  int64  // units per second of the track's times, the same for all of its heads
	Width  int    // of the picture; 0 for sound
	Height int
}

// Part is the smallest piece that players load: a fraction of a segment.
type Part struct {
	Segment     int   // number of its segment
	Number      int   // in the segment, from 0
	Duration    int64 // units of the track's clock
	Independent bool  // decoding can begin with it
	Bytes       []byte
}

// Segment is a piece of a track that is kept. Its bytes are those of its parts.
type Segment struct {
	Number     int   // from 0 at the beginning of the broadcast
	Head       int   // the one that it needs
	Break      bool  // it does not go on from the one before: another publisher, another head
	Start      int64 // on the time line of the broadcast, units of the track's clock
	Duration   int64
	At         time.Time // when its first frame came
	Parts      int
	FirstFrame int // how many of its bytes show its first picture; 0: it does not begin with a whole one
	Size       int
	Bytes      []byte // nil where they are read from the store
}

// Sink keeps what is cut. Its methods are called for each track by one goroutine, in
// the order of time: a head before the first segment that needs it, the parts of a
// segment before the segment. They must not wait for a disk or a network for long.
type Sink interface {
	Head(track string, h Head) error
	Part(track string, p Part) error
	Segment(track string, s Segment) error
}

// How broadcasts are cut.
const (
	// PartDuration is how long a part is, at most. Viewers stay three of them behind.
	PartDuration = 400 * time.Millisecond

	// SegmentDuration is how long a segment is, at least, if a key frame comes then.
	SegmentDuration = 2 * time.Second

	// TargetDuration is how long a segment is, at most. Where key frames are farther
	// apart, one begins without.
	TargetDuration = 6 * time.Second
)
