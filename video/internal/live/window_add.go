package live

import "slices"

// AddHead adds what segments need. What is there already is left as it is, here and in
// AddPart and AddSegment.
func (w *Window) AddHead(h Head) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.ContainsFunc(w.heads, func(old Head) bool { return old.Number == h.Number }) {
		w.heads = append(w.heads, h)
		w.open = nil // of a publisher whose process died: a head comes after whole segments
		w.change()
	}
}

// AddPart adds the next part of the open segment. One that comes out of turn is left
// out: its segment will bring its bytes.
func (w *Window) AddPart(p Part) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.known {
		w.first, w.known = p.Segment, true
	}
	next := w.next()
	if len(w.open) > 0 {
		next = w.open[0].Segment
	}
	if p.Segment < next || w.ended {
		return
	}
	if p.Segment > next {
		if p.Number != 0 {
			return
		}
		w.open = nil
	}
	if p.Number != len(w.open) {
		return
	}
	w.open = append(w.open, p)
	w.measure(p.Duration)
	w.change()
}

// AddSegment adds the next segment. Where numbers are missing before it, the track had
// nothing.
func (w *Window) AddSegment(s Segment) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.known {
		w.first, w.known = s.Number, true
	}
	if s.Number < w.next() || w.ended {
		return
	}
	w.fill(s)
	added := windowSegment{Segment: s}
	if len(w.open) == s.Parts && s.Parts > 0 && w.open[0].Segment == s.Number {
		added.parts = w.open
		shareBytes(added.parts, s.Bytes)
	}
	if len(w.open) > 0 && w.open[0].Segment <= s.Number {
		w.open = nil
	}
	w.segments = append(w.segments, added)
	w.forget()
	w.change()
}

// shareBytes lets parts have their bytes in those of the segment.
func shareBytes(parts []Part, segment []byte) {
	size := 0
	for _, p := range parts {
		size += len(p.Bytes)
	}
	if size != len(segment) {
		return
	}
	for i := range parts {
		n := len(parts[i].Bytes)
		parts[i].Bytes, segment = segment[:n:n], segment[n:]
	}
}

// fill makes gaps of the numbers that are missing before a segment. Too many mean that
// it is another time altogether.
func (w *Window) fill(s Segment) {
	missing := s.Number - w.next()
	if missing <= 0 {
		return
	}
	if missing > 1000 || len(w.segments) == 0 {
		for _, old := range w.segments {
			w.drop(old)
		}
		w.segments, w.first = nil, s.Number
		return
	}
	last := w.segments[len(w.segments)-1].Segment
	from := last.Start + last.Duration
	long := max(0, s.Start-from) / int64(missing)
	clock := max(1, w.clock())
	for i := range missing {
		start := from + int64(i)*long
		w.segments = append(w.segments, windowSegment{gap: true, Segment: Segment{
			Number: w.next(), Head: last.Head, Start: start, Duration: long,
			At: last.At.Add(duration(start-last.Start, clock)),
		}})
	}
}

// forget lets go of what is too old.
func (w *Window) forget() {
	old := len(w.segments) - keptSegments
	for n := old - 1; n >= 0 && (w.segments[n].Bytes != nil || w.segments[n].parts != nil || w.segments[n].gap); n-- {
		w.segments[n].Bytes, w.segments[n].parts = nil, nil
	}
	limit := ticks(w.length, max(1, w.clock()))
	last := w.segments[len(w.segments)-1]
	gone := 0
	for gone < old-1 && (last.Start+last.Duration-w.segments[gone+1].Start >= limit || len(w.segments)-gone > maxListed) {
		w.drop(w.segments[gone])
		gone++
	}
	w.segments, w.first = slices.Delete(w.segments, 0, gone), w.first+gone
	for len(w.heads) > 1 && w.heads[1].Number <= w.segments[0].Head {
		w.heads = slices.Delete(w.heads, 0, 1)
	}
}

func (w *Window) drop(s windowSegment) {
	if s.Break {
		w.breaks++
	}
}

// measure remembers the longest part.
func (w *Window) measure(units int64) {
	w.longest = max(w.longest, duration(units, max(1, w.clock())))
}
