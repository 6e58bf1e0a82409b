package analytics

import (
	"crypto/sha256"
	"slices"
	"time"
)

// never is a moment that has not come.
const never = -1

// presence is how long after an event a session counts as being there.
const presence = int64(20 * time.Second / time.Microsecond)

// maxTail is how many events may still be met by one that happened before them.
const maxTail = 32

// playbackID names a playback by its media and the id that its player chose.
type playbackID [16]byte

func newPlaybackID(media, chosen string) (id playbackID) {
	sum := sha256.Sum256([]byte(media + "\x00" + chosen))
	copy(id[:], sum[:])
	return id
}

// playback is one loading of a media in a page, as told by its events.
type playback struct {
	id                        playbackID
	project, media            string
	live                      bool
	audience, session, viewer int64

	// Moments; the first of each.
	first, last, impression, play, end int64

	began, ended int64    // the stretch in which the last event was
	settled      progress // of the events that are forgotten
	tail         []event  // the last events, in order
}

func newPlayback(id playbackID) *playback {
	return &playback{id: id, first: never, last: never, impression: never, play: never, end: never,
		began: never, ended: never, settled: progress{waited: never, source: never, at: never}}
}

// add takes the events of a batch in. It returns the stretches that are new or
// longer than before.
func (p *playback) add(events []event) (changed []stretch) {
	for _, e := range events {
		p.note(e)
		if e.emitted < p.settled.last {
			continue // too late to say between which others it was, or known
		}
		i, known := slices.BinarySearchFunc(p.tail, e, compare)
		if known {
			continue
		}
		p.tail = slices.Insert(p.tail, i, e)
		changed = append(changed, p.attend(e.moment)...)
	}
	if over := len(p.tail) - maxTail; over > 0 {
		for _, e := range p.tail[:over] {
			p.settled.follow(e)
			p.settled.last = e.emitted + 1
		}
		p.tail = slices.Clone(p.tail[over:])
		p.tail = slices.DeleteFunc(p.tail, func(e event) bool { return p.settle(e) })
	}
	return changed
}

// settle takes an event of the same millisecond as a settled one along, as later
// ones of that millisecond are refused.
func (p *playback) settle(e event) bool {
	if e.emitted >= p.settled.last {
		return false
	}
	p.settled.follow(e)
	return true
}

// note keeps the first moment of what an event says. It may be told twice.
func (p *playback) note(e event) {
	earliest(&p.first, e.moment)
	p.last = max(p.last, e.moment)
	switch e.kind {
	case loaded:
		earliest(&p.impression, e.moment)
	case play:
		earliest(&p.play, e.moment)
	case end:
		earliest(&p.end, e.moment)
	}
}

func earliest(moment *int64, candidate int64) {
	if *moment == never || candidate < *moment {
		*moment = candidate
	}
}

// progress is what all events say of the media that was shown.
func (p *playback) progress() progress {
	now := p.settled
	for _, e := range p.tail {
		now.follow(e)
	}
	return now
}

// anchor is the moment at which what was watched counts.
func (p *playback) anchor() int64 {
	if p.play != never {
		return p.play
	}
	return p.first
}
