package stats

import (
	"slices"
	"sync/atomic"
	"time"
)

// Timer passes durations on to the sinks; it keeps none itself.
type Timer struct {
	observers atomic.Pointer[[]func(time.Duration)]
	id        ID
}

// ID is what the timer is called.
func (t *Timer) ID() ID { return t.id }

// Observe reports one duration. It never blocks and does not allocate.
func (t *Timer) Observe(d time.Duration) {
	if observers := t.observers.Load(); observers != nil {
		for _, observe := range *observers {
			observe(d)
		}
	}
}

// attach is called with Registry.mu held. It replaces the list instead of
// growing it, because Observe walks the old one without a lock.
func (t *Timer) attach(observe func(time.Duration)) {
	if observe == nil {
		return
	}
	var old []func(time.Duration)
	if p := t.observers.Load(); p != nil {
		old = *p
	}
	list := append(slices.Clip(old), observe)
	t.observers.Store(&list)
}

// Timing is one observed duration on its way to a sink.
type Timing struct {
	Timer    *Timer
	Duration time.Duration
}

// Timings returns a channel on which every duration observed from now on
// arrives. Who observes never waits: beyond size unread ones they are dropped.
func (r *Registry) Timings(size int) <-chan Timing {
	queue := make(chan Timing, size)
	r.WatchTimers(func(t *Timer) func(time.Duration) {
		return func(d time.Duration) {
			select {
			case queue <- Timing{t, d}:
			default:
			}
		}
	})
	return queue
}

// WatchTimers calls watch for every timer there is and will be; the function
// watch returns gets each of the timer's durations, and has to be quick and
// safe for concurrent use. Nil means the timer is of no interest. Watch itself
// must not use the registry.
func (r *Registry) WatchTimers(watch func(*Timer) func(time.Duration)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watchers = append(r.watchers, watch)
	for _, t := range r.timers {
		t.attach(watch(t))
	}
}
