package live

import (
	"slices"

	"stoa/video/internal/hls"
)

// ListOptions say how a list is wanted.
type ListOptions struct {
	Carry   string       // what every address ends with
	Skip    bool         // leave out what a player knows that asked before
	Reports []hls.Report // of the other tracks
}

// text is a list as it was written, for the reports that came with it.
type text struct {
	list    []byte
	reports []hls.Report
	whole   []byte // the list with them
}

// Text is the list of the track. Without a carry it is written once for all who ask
// while nothing changes, and must be left as it is.
func (w *Window) Text(o ListOptions) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		o.Reports, o.Skip = nil, false
	}
	if o.Carry != "" {
		return hls.AppendReports(w.write(o), o.Reports)
	}
	t := &w.texts[0]
	if o.Skip {
		t = &w.texts[1]
	}
	if t.list == nil {
		t.list = w.write(o)
	}
	if len(o.Reports) == 0 {
		return t.list
	}
	if t.whole == nil || !slices.Equal(t.reports, o.Reports) {
		t.reports = slices.Clone(o.Reports)
		t.whole = hls.AppendReports(slices.Clone(t.list), o.Reports)
	}
	return t.whole
}

func (w *Window) write(o ListOptions) []byte {
	l := w.list()
	l.Carry, l.Skip = o.Carry, o.Skip
	return l.Append(make([]byte, 0, 512+80*len(l.Segments)))
}

// Part is the bytes of a part, if they are still here.
func (w *Window) Part(segment, number int) ([]byte, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var parts []Part
	if n := segment - w.first; n >= 0 && n < len(w.segments) {
		parts = w.segments[n].parts
	} else if len(w.open) > 0 && w.open[0].Segment == segment {
		parts = w.open
	}
	if number < 0 || number >= len(parts) || parts[number].Bytes == nil {
		return nil, false
	}
	return parts[number].Bytes, true
}

// Segment is one that is in the list. Its bytes are nil if they are only in the store.
func (w *Window) Segment(number int) (Segment, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := number - w.first
	if n < 0 || n >= len(w.segments) || w.segments[n].gap {
		return Segment{}, false
	}
	return w.segments[n].Segment, true
}

// Heads are those of the track, in the order of time.
func (w *Window) Heads() []Head {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.heads)
}

// Newest is the last segment that has something, and the last part of it; both are below
// 0 where there is none.
func (w *Window) Newest() (segment, part int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case len(w.open) > 0:
		return w.open[0].Segment, len(w.open) - 1
	case len(w.segments) > 0:
		return w.next() - 1, w.segments[len(w.segments)-1].Parts - 1
	}
	return -1, -1
}

// Ended tells whether nothing will follow.
func (w *Window) Ended() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ended
}

// Bandwidth is bits per second: of all, and of the worst segment. A segment that is much
// shorter than others counts for as long as a usual one.
func (w *Window) Bandwidth() (average, peak int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	clock := max(1, w.clock())
	var size, long int64
	worst := func(bytes, units int64) {
		peak = max(peak, int(8*bytes*clock/max(units, ticks(SegmentDuration, clock), 1)))
	}
	for i := range w.segments {
		s := &w.segments[i]
		size, long = size+int64(s.Size), long+s.Duration
		worst(int64(s.Size), s.Duration)
	}
	var openSize, openLong int64
	for _, p := range w.open {
		openSize, openLong = openSize+int64(len(p.Bytes)), openLong+p.Duration
	}
	worst(openSize, openLong)
	if size, long = size+openSize, long+openLong; long > 0 {
		average = int(8 * size * clock / long)
	}
	return average, max(average, peak)
}

// KeyFrame is the newest bytes that a picture can be made of: a head, and what follows
// it in the file. Not ok: there are none here.
func (w *Window) KeyFrame() (head, media []byte, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	newest := -1
	if len(w.heads) > 0 {
		newest = w.heads[len(w.heads)-1].Number
	}
	if media = independent(w.open); media != nil {
		head, ok = w.head(newest)
		return head, media, ok
	}
	for i := len(w.segments) - 1; i >= 0; i-- {
		s := &w.segments[i]
		if media = independent(s.parts); media == nil && s.FirstFrame > 0 {
			media = s.Bytes
		}
		if media != nil {
			head, ok = w.head(s.Head)
			return head, media, ok
		}
	}
	return nil, nil, false
}

// independent is the bytes of the newest part that decoding can begin with.
func independent(parts []Part) []byte {
	for _, p := range slices.Backward(parts) {
		if p.Independent && p.Bytes != nil {
			return p.Bytes
		}
	}
	return nil
}

func (w *Window) head(number int) ([]byte, bool) {
	for _, h := range w.heads {
		if h.Number == number {
			return h.Bytes, true
		}
	}
	return nil, false
}

// list is the window as a list says it.
func (w *Window) list() hls.Live {
	l := hls.Live{
		Timescale: w.clock(), Target: TargetDuration, PartTarget: max(PartDuration, w.longest),
		First: w.first, Breaks: w.breaks, Ended: w.ended, Segments: make([]hls.LiveSegment, len(w.segments)),
	}
	for i := range w.segments {
		s := &w.segments[i]
		l.Segments[i] = hls.LiveSegment{
			Head: s.Head, Break: s.Break, Gap: s.gap, Duration: s.Duration, At: s.At, Parts: listed(s.parts),
		}
	}
	if len(w.open) > 0 && w.open[0].Segment == w.next() {
		l.Open = listed(w.open)
	}
	// A head that no segment has is that of the open one, which is a break then.
	if len(w.heads) > 0 {
		l.OpenHead = w.heads[len(w.heads)-1].Number
	}
	return l
}

func listed(parts []Part) []hls.LivePart {
	if len(parts) == 0 {
		return nil
	}
	l := make([]hls.LivePart, len(parts))
	for i, p := range parts {
		l[i] = hls.LivePart{Duration: p.Duration, Independent: p.Independent}
	}
	return l
}
