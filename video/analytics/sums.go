package analytics

// counts are the figures of a row of analytics_hours or analytics_days, in the
// order of their columns.
type counts [10]int64

const (
	impressions = iota
	plays
	ends
	waits
	waitMS
	watchMS
	views3
	views5
	views10
	views30
)

// viewSeconds are how long one must watch for each of the view columns.
var viewSeconds = map[int]int64{views3: 3, views5: 5, views10: 10, views30: 30}

// sumKey names a row of sums. number is that of the hour or day.
type sumKey struct {
	project, media   string
	number, audience int64
}

// level is a table of sums.
type level struct {
	table, column string
	unit          int64 // microseconds
}

var (
	levelDays  = level{"analytics_days", "day", microsDay}
	levelHours = level{"analytics_hours", "hour", microsHour}
)

type mediaKey struct{ project, media string }

// sums are changes of the sums, by the rows they are in.
type sums struct {
	levels map[level]map[sumKey]*counts
	totals map[mediaKey]int64
	live   map[mediaKey]bool
}

func newSums() sums {
	return sums{levels: map[level]map[sumKey]*counts{levelDays: {}, levelHours: {}}, totals: map[mediaKey]int64{}, live: map[mediaKey]bool{}}
}

// add counts the part of a playback, or takes it away with the sign -1. The sums
// are always those of the rows, as each change takes the old part away and adds
// the new one.
func (s sums) add(p *playback, sign int64) {
	media := mediaKey{p.project, p.media}
	s.live[media] = p.live
	s.totals[media] += 0 // the row must be there
	if p.impression != never {
		s.change(p, p.impression, func(c *counts) { c[impressions] += sign })
	}
	if p.end != never {
		s.change(p, p.end, func(c *counts) { c[ends] += sign })
	}
	if p.play != never {
		s.totals[media] += sign
	}
	far := p.progress()
	s.change(p, p.anchor(), func(c *counts) {
		if p.play != never {
			c[plays] += sign
		}
		if far.waited != never {
			c[waits] += sign
			c[waitMS] += sign * far.waited
		}
		c[watchMS] += sign * far.watched
		for column, seconds := range viewSeconds {
			if far.watched >= seconds*1000 {
				c[column] += sign
			}
		}
	})
}

func (s sums) change(p *playback, moment int64, by func(*counts)) {
	for l, rows := range s.levels {
		key := sumKey{p.project, p.media, moment / l.unit, p.audience}
		if rows[key] == nil {
			rows[key] = new(counts)
		}
		by(rows[key])
	}
}
