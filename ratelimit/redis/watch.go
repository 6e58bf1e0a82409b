package redis

import (
	"context"
	"sync/atomic"
	"time"
)

// A watch ends calls that have waited for the timeout, without a timer for each.
// Calls that begin between two ticks are a batch; a batch that is not empty
// when its time is over means that redis does not answer.
type watch struct {
	timeout time.Duration
	tick    time.Duration // how late an end may come
	clock   atomic.Int64  // nanoseconds that have passed, as of the last tick
	ticked  time.Time
	newest  atomic.Pointer[batch]
	older   []*batch // in order, belongs to the goroutine that ticks
}

// A batch is the calls of one tick.
type batch struct {
	calls atomic.Int64
	over  chan struct{} // closed when the time of its calls is over
	ended int64         // by the clock
}

func newBatch() *batch { return &batch{over: make(chan struct{})} }

func (w *watch) init(timeout time.Duration) {
	w.timeout = timeout
	w.tick = min(max(timeout/32, 2*time.Millisecond), 50*time.Millisecond)
	w.clock.Store(1) // 0 means never
	w.ticked = time.Now()
	w.newest.Store(newBatch())
}

// late tells whether something that began then, by the clock, has taken longer
// than the timeout. It never says so early.
func (w *watch) late(began int64) bool {
	return began != 0 && w.clock.Load()-began > int64(w.timeout+w.tick)
}

// turn begins the next batch and tells whether calls of an old one are late.
//
// The clock hardly moves while this process stands still: after a suspension,
// answers may have come in that were not read yet.
func (w *watch) turn() (late bool) {
	passed := min(time.Since(w.ticked), max(w.timeout/4, 2*w.tick))
	w.ticked = time.Now()
	now := w.clock.Add(int64(passed))
	ended := w.newest.Swap(newBatch())
	ended.ended = now
	w.older = append(w.older, ended)
	for len(w.older) > 0 && now-w.older[0].ended > int64(w.timeout) {
		if w.older[0].calls.Load() > 0 {
			late = true
		}
		close(w.older[0].over)
		w.older[0] = nil
		w.older = w.older[1:]
	}
	return late
}

// look watches calls and connections until the context ends.
func (p *pool) look(ctx context.Context) {
	ticker := time.NewTicker(p.tick)
	defer ticker.Stop()
	p.ticked = time.Now()
	answered := make(chan int64, 1)
	asking := false
	for {
		select {
		case <-ctx.Done():
			return
		case left := <-answered:
			p.door.release(left)
			asking = false
			continue
		case <-ticker.C:
		}
		late := p.turn()
		s := p.live.Load()
		if s == nil {
			p.door.release(p.door.left.Load())
			continue
		}
		p.inspect(s, late)
		if left := p.door.left.Load(); left != p.door.freed && !asking {
			asking = true
			go func() {
				p.ask(s)
				answered <- left
			}()
		}
	}
}

// ask returns when everything sent before has been answered, or will never be:
// a connection answers in order, and if it breaks its calls are over.
func (p *pool) ask(s *session) {
	_ = p.greet(context.Background(), s.client)
}

// inspect closes connections that have been silent for too long, or, if calls
// are late, for half of that; when late calls have other reasons, all of them.
func (p *pool) inspect(s *session, late bool) {
	conns := s.connections()
	var silent []*conn
	for _, c := range conns {
		since := c.unanswered.Load()
		if p.late(since) || late && since != 0 && p.clock.Load()-since > int64(p.timeout/2) {
			silent = append(silent, c)
		}
	}
	if late && len(silent) == 0 {
		silent = conns
	}
	for _, c := range silent {
		s.unreachable(c.addr, p.silent) // first, or a call might connect again
		c.closeFor(p.silent)
	}
}
