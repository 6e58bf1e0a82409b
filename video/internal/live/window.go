package live

import (
	"context"
	"sync"
	"time"

	"stoa/internal/fault"
)

// Window is what viewers can have of a track: its newest segments, and the parts of
// those at the end. It may be used by many at the same time.
type Window struct {
	length time.Duration

	mu       sync.Mutex
	changed  chan struct{} // closed and made anew with each change
	heads    []Head
	first    int // number of the first segment; known with the first piece
	known    bool
	segments []windowSegment
	open     []Part // of the segment after them
	breaks   int    // before the first segment
	longest  time.Duration
	ended    bool

	texts [2]text // the whole list, and the one that leaves out what players know
}

// windowSegment is a segment with its parts, while they are there.
type windowSegment struct {
	Segment
	gap   bool // nothing came
	parts []Part
}

// keptSegments is how many segments have their bytes and parts here. Older ones are in
// the store.
const keptSegments = 3

// maxListed is how many segments are in a list, however short they are.
const maxListed = 4000

// ErrTooFar is the answer to those who want to wait for what will not come soon.
var ErrTooFar = fault.New(fault.Invalid, "this part of the broadcast is too far in the future: load the playlist again")

// NewWindow makes a window that is to be of some length, a little more or less.
func NewWindow(length time.Duration) *Window {
	return &Window{length: length, changed: make(chan struct{})}
}

// End says that nothing will follow.
func (w *Window) End() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.ended = true
		w.change()
	}
}

// Wait waits until a part is there, or the whole segment if part is below 0, or the
// broadcast has ended. It answers ErrTooFar, or the error of ctx.
func (w *Window) Wait(ctx context.Context, segment, part int) error {
	for {
		w.mu.Lock()
		there, changed, far := w.has(segment, part), w.changed, w.known && segment > w.next()+1
		w.mu.Unlock()
		switch {
		case there:
			return nil
		case far:
			return ErrTooFar
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// has tells whether to wait no more. A part after the last of a segment is the first of
// the next.
func (w *Window) has(segment, part int) bool {
	next := w.next()
	if n := segment - w.first; n >= 0 && n < len(w.segments) && part >= w.segments[n].Parts && part > 0 {
		segment, part = segment+1, 0
	}
	switch {
	case w.ended, segment < next:
		return true
	case part < 0 || len(w.open) == 0:
		return false
	}
	open := w.open[0].Segment
	return segment < open || segment == open && part < len(w.open)
}

// next is the number of the segment after the last.
func (w *Window) next() int { return w.first + len(w.segments) }

func (w *Window) clock() int64 {
	if len(w.heads) == 0 {
		return 0
	}
	return w.heads[0].Clock
}

// change tells all who wait.
func (w *Window) change() {
	close(w.changed)
	w.changed = make(chan struct{})
	w.texts = [2]text{}
}
