package live

import "time"

// Place is where a broadcast goes on. The zero value is its beginning.
type Place struct {
	Segment int              // number of the next segment
	Heads   map[string]int   // number of the next head, by track
	Clocks  map[string]int64 // of the tracks that there are, as their heads have it
	Time    time.Duration    // end of the last segment
}

// Cut begins a segment, in all tracks at the same time.
type Cut struct {
	Segment int           // its number
	Time    time.Duration // its first frame is the first that is decoded then, or later
	Shown   time.Duration // when that frame is shown
	At      time.Time     // when it came
	Break   bool          // it does not go on from the one before
}
