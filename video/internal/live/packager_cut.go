package live

import "time"

// put sets a frame on the time line and cuts.
func (p *Packager) put(l *lane, f Frame) error {
	before := *l
	at, ok := p.line.place(&l.clock, f.DTS)
	if !ok {
		return nil
	}
	f.DTS, f.PTS = at, f.PTS+l.clock.shift
	if l == p.sound {
		f.PTS = at
	}
	l.shown = f.PTS
	other := p.beside(l)
	l.missed = 0
	if l == p.sound && other != nil && !l.filling {
		l.lag = min(max(0, other.clock.last-at), maxGap)
	}
	if other != nil && before.clock.began {
		other.missed += min(at-before.clock.last, time.Second) // a hole is not a going on
	}
	if p.drives(l) {
		p.decide(f, before)
	}
	if err := l.cutter.Write(f); err != nil {
		return err
	}
	if l == p.picture && p.follow != nil {
		p.follow.Write(f)
	}
	return p.attend(other)
}

// drives says that it is the lane's frames that segments begin with: those of the
// picture, unless there is none or it has stopped.
func (p *Packager) drives(l *lane) bool {
	return !p.open || l == p.picture || p.picture == nil || !p.picture.clock.began || p.picture.silent()
}

// decide begins a segment with a frame, or with the one before it, whose length is known
// only now. before is the lane as it was then.
func (p *Packager) decide(f Frame, before lane) {
	if p.open && f.DTS-p.start > TargetDuration && before.clock.last > p.start {
		p.cut(before.clock.last, before.shown)
	}
	long := f.DTS - p.start
	switch {
	case !p.open, // the first
		!before.clock.began && before.track != AudioTrack, // a picture joins sound that went alone
		f.Key && long >= SegmentDuration,
		p.full() && long > 0:
		p.cut(f.DTS, f.PTS)
	}
}

// cut begins a segment in all tracks.
func (p *Packager) cut(at, shown time.Duration) {
	if p.open {
		p.place.Segment++
	}
	c := Cut{Segment: p.place.Segment, Time: at, Shown: shown, At: p.line.at(at), Break: p.broken}
	p.open, p.start, p.broken = true, at, false
	for _, l := range p.lanes {
		l.cutter.Cut(c)
	}
	if p.follow != nil {
		p.follow.Cut(c)
	}
}

func (p *Packager) full() bool {
	for _, l := range p.lanes {
		if l.cutter.full() {
			return true
		}
	}
	return false
}
