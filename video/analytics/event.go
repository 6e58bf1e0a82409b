package analytics

import (
	"cmp"
	"math"
	"time"
)

// kind is what happened in a player. The numbers are those of the second version
// of the events; ping is our own, for a player that only says it is there.
type kind uint8

const (
	ping       kind = 0
	loaded     kind = 1
	play       kind = 2
	pause      kind = 3
	timeUpdate kind = 4
	failure    kind = 5
	end        kind = 6
	seek       kind = 7
	source     kind = 8
)

// rank orders what happened in the same millisecond: a source is there before it
// plays, and a seek comes after the position that it leaves.
var rank = [...]uint8{source: 0, loaded: 1, play: 2, timeUpdate: 3, pause: 4, failure: 5, end: 6, seek: 7, ping: 8}

// event is something that happened in a player.
type event struct {
	emitted  int64 // milliseconds on the clock of the player: orders events, tells them apart
	moment   int64 // microseconds on our clock
	kind     kind
	position int64 // of the media, milliseconds
	paused   bool
}

// compare orders events as they happened. Equal ones are the same event.
func compare(a, b event) int {
	return cmp.Or(cmp.Compare(a.emitted, b.emitted), cmp.Compare(rank[a.kind], rank[b.kind]), cmp.Compare(a.position, b.position))
}

// batch is what a player sends at once.
type batch struct {
	media    string
	playback string // chosen by the player, or by us for one of the first version
	session  string // a tab
	referrer string
	events   []event // in the order of compare
}

const (
	maxAge      = time.Hour           // an event is not taken to be older when it arrives
	maxPosition = 366 * 24 * 3600_000 // milliseconds; a live stream may run for long
	maxClock    = 1 << 48             // milliseconds
)

// place puts the events of a batch on our clock. That of the player may be wrong
// by years, but not the time from an event to the sending of the batch.
func place(events []event, sent int64, received time.Time) {
	for i := range events {
		age := min(max(sent-events[i].emitted, 0), maxAge.Milliseconds())
		events[i].moment = received.Add(-time.Duration(age) * time.Millisecond).UnixMicro()
	}
}

// milliseconds reads a number of seconds that somebody sent.
func milliseconds(seconds float64) (int64, bool) {
	if !(seconds >= 0 && seconds*1000 <= maxPosition) {
		return 0, false
	}
	return int64(math.Round(seconds * 1000)), true
}
