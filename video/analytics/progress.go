package analytics

// progress is how far somebody has come in a media. It follows the events in
// their order.
type progress struct {
	last     int64 // events emitted before it are settled
	at       int64 // moment of the position; never: there is none
	position int64 // milliseconds
	moving   bool
	source   int64 // when the source was set, emitted; never: not yet
	waited   int64 // milliseconds from the source to the first picture; never: not yet
	watched  int64 // milliseconds of the media, without seeks
}

const (
	// A position that runs away faster than this was not watched: a seek got lost.
	maxSpeed = 4
	// slack is for batches that were on their way for different times.
	slack = 2000 // milliseconds

	maxWait = 3600_000 // milliseconds; somebody who comes back after lunch has not waited
)

func (p *progress) follow(e event) {
	switch e.kind {
	case ping:
		return
	case source, loaded:
		if e.kind == source && p.source == never {
			p.source = e.emitted
		}
		p.at, p.moving = never, false
		return
	case play, timeUpdate:
		if p.source != never && p.waited == never {
			p.waited = min(e.emitted-p.source, maxWait)
		}
	}
	if e.kind != seek && p.moving {
		p.watch(e)
	}
	p.at, p.position = e.moment, e.position
	switch e.kind {
	case play:
		p.moving = true
	case pause, end:
		p.moving = false
	default:
		p.moving = !e.paused
	}
}

// watch counts the way from the last position, unless nobody can have come so far
// in that time.
func (p *progress) watch(e event) {
	way, passed := e.position-p.position, max(e.moment-p.at, 0)/1000
	if p.at != never && way > 0 && way <= maxSpeed*passed+slack {
		p.watched += way
	}
}
