package live

import "time"

// timeline sets the times of a publisher on those of the broadcast, which only rise. A
// publisher's clock begins anywhere, wraps around and jumps.
type timeline struct {
	start time.Duration // of the first frame
	shift time.Duration // from the publisher's clock to ours, as last seen
	now   time.Duration // the farthest that any track has come
	wall  time.Time     // when 0 was
	began bool
}

// What is taken for a jump of the publisher's clock, and what for the truth.
const (
	maxGap  = 3 * time.Second        // forward
	maxBack = 500 * time.Millisecond // back: pictures whose times are out of order
)

// trackClock is where a track is on a timeline. Tracks follow a jump one after the other,
// each with its own next frame, by the same shift: so they stay together.
type trackClock struct {
	shift time.Duration
	floor time.Duration // it begins then or later
	last  time.Duration
	step  time.Duration // from the last but one to the last
	tick  time.Duration // two frames are never closer
	late  bool          // what is before the floor is left out; else it is set there
	began bool
}

// place answers the time of a track's next frame; not ok: it is from before the
// beginning.
func (l *timeline) place(c *trackClock, at time.Duration) (_ time.Duration, ok bool) {
	if !l.began {
		l.began, l.now, l.shift = true, l.start, l.start-at
		l.wall = time.Now().Add(-l.start)
	}
	if !c.began {
		c.shift, c.last = l.shift, c.floor
	}
	placed := at + c.shift
	if !l.fits(c, placed) {
		placed = at + l.shift
		if !l.fits(c, placed) {
			placed = l.jump(c, at)
		}
		c.shift = l.shift
	}
	switch {
	case !c.began && placed < c.floor && c.late:
		return 0, false
	case !c.began:
		placed = max(placed, c.floor)
	default:
		placed = max(placed, c.last+c.tick)
		c.step = min(placed-c.last, time.Second)
	}
	c.began, c.last = true, placed
	l.now = max(l.now, placed)
	return placed, true
}

func (l *timeline) fits(c *trackClock, at time.Duration) bool {
	back := maxBack
	if !c.began && c.late {
		back = maxGap
	}
	return at >= c.last-back && at <= l.now+maxGap
}

// jump makes the publisher's clock go on from where the track is; from where the other
// is, for one that begins or had stopped.
func (l *timeline) jump(c *trackClock, at time.Duration) time.Duration {
	next := c.last + c.step
	if !c.began || l.now-next > time.Second {
		next = max(l.now, c.floor)
	}
	l.shift = next - at
	l.wall = time.Now().Add(-next)
	return next
}

// at is when a moment of the timeline was.
func (l *timeline) at(moment time.Duration) time.Time { return l.wall.Add(moment) }

// ticks is a time in units of a clock.
func ticks(d time.Duration, clock int64) int64 {
	whole, rest := d/time.Second, d%time.Second
	return int64(whole)*clock + (int64(rest)*clock+int64(time.Second/2))/int64(time.Second)
}

// duration is the time of units of a clock, rounded up: what begins then begins after.
func duration(units, clock int64) time.Duration {
	whole, rest := units/clock, units%clock
	return time.Duration(whole)*time.Second + time.Duration((rest*int64(time.Second)+clock-1)/clock)
}
