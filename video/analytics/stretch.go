package analytics

import "time"

const (
	microsHour   = int64(time.Hour / time.Microsecond)
	microsDay    = 24 * microsHour
	microsMinute = int64(time.Minute / time.Microsecond)
)

// stretch is a time in which a session was there, within one hour.
type stretch struct{ began, ended int64 }

// attend says that the session was there at a moment. A stretch that is written
// twice, or overlaps another of the same session, does no harm.
func (p *playback) attend(moment int64) []stretch {
	switch {
	case p.began == never || moment > p.ended:
		p.began, p.ended = moment, moment+presence
		return byHour(p.began, p.ended)
	case moment < p.began:
		return byHour(moment, min(moment+presence, p.began))
	case moment+presence <= p.ended:
		return nil
	}
	before := p.ended
	p.ended = moment + presence
	return byHour(max(p.began, hourOf(before)*microsHour), p.ended)
}

// byHour cuts a time at the borders of hours.
func byHour(began, ended int64) (pieces []stretch) {
	for began < ended {
		border := min((hourOf(began)+1)*microsHour, ended)
		pieces = append(pieces, stretch{began, border})
		began = border
	}
	return pieces
}

func hourOf(moment int64) int64 { return moment / microsHour }
