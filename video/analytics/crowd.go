package analytics

import "container/heap"

// crowd counts how many are there at the same time. It is told of stretches in the
// order in which they begin, so it needs memory only for those who are there.
type crowd struct {
	spans   []crowdSpan
	current int             // the span of at
	at      int64           // everything before is counted
	present map[int64]int64 // until when, by session or viewer
	leaving leavings
}

// crowdSpan is a time with its figures.
type crowdSpan struct {
	from, to int64
	peak     int
	total    float64 // of the microseconds that all of them spent
}

// average is over a whole span, or over that which has passed.
func (s crowdSpan) average(now int64) float64 {
	if passed := min(s.to, now) - s.from; passed > 0 {
		return s.total / float64(passed)
	}
	return 0
}

// newCrowd counts in spans that follow on each other.
func newCrowd(spans []crowdSpan) *crowd {
	return &crowd{spans: spans, at: spans[0].from, present: map[int64]int64{}}
}

func (c *crowd) enter(who, began, ended int64) {
	began, ended = max(began, c.spans[0].from), min(ended, c.spans[len(c.spans)-1].to)
	if began >= ended {
		return
	}
	c.walk(began)
	if until, here := c.present[who]; here && until >= ended {
		return
	}
	c.present[who] = ended
	heap.Push(&c.leaving, leaving{who, ended})
}

// walk goes on to a moment, and lets those leave whose time ends before. Who has
// come again meanwhile stays.
func (c *crowd) walk(to int64) {
	for len(c.leaving) > 0 && c.leaving[0].at <= to {
		next := heap.Pop(&c.leaving).(leaving)
		if c.present[next.who] == next.at {
			c.pass(next.at)
			delete(c.present, next.who)
		}
	}
	c.pass(to)
}

// pass counts those who are there until a moment.
func (c *crowd) pass(to int64) {
	for c.at < to && c.current < len(c.spans) {
		span := &c.spans[c.current]
		until := min(to, span.to)
		if until > c.at {
			span.peak = max(span.peak, len(c.present))
			span.total += float64(len(c.present)) * float64(until-c.at)
			c.at = until
		}
		if c.at == span.to {
			c.current++
		}
	}
}

// close counts until the end.
func (c *crowd) close() []crowdSpan {
	c.walk(c.spans[len(c.spans)-1].to)
	return c.spans
}

type leaving struct{ who, at int64 }

// leavings is a heap, the first to leave on top.
type leavings []leaving

func (l leavings) Len() int           { return len(l) }
func (l leavings) Less(i, j int) bool { return l[i].at < l[j].at }
func (l leavings) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *leavings) Push(x any)        { *l = append(*l, x.(leaving)) }
func (l *leavings) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}
