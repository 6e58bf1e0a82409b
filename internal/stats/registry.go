package stats

import (
	"slices"
	"sync"
	"time"
)

// Registry holds the statistics of a process. Its methods are safe for
// concurrent use. They take a lock, so keep the pointers they return.
type Registry struct {
	mu            sync.Mutex
	counters      []*Counter // in order of creation; nil where one was forgotten
	gauges        []*Gauge
	timers        []*Timer
	counterByKey  map[string]*Counter
	gaugeByKey    map[string]*Gauge
	timerByKey    map[string]*Timer
	watchers      []func(*Timer) func(time.Duration)
	beforeReading []func()
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	return &Registry{
		counterByKey: map[string]*Counter{},
		gaugeByKey:   map[string]*Gauge{},
		timerByKey:   map[string]*Timer{},
	}
}

// Counter returns the counter of that name and those tags, and makes it if
// there is none. Every output shows it from now on, with 0 at first.
func (r *Registry) Counter(name string, tags ...Tag) *Counter {
	id := newID(name, tags)
	key := id.key()
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.counterByKey[key]
	if c == nil {
		c = &Counter{id: id, slot: len(r.counters)}
		r.counterByKey[key] = c
		r.counters = append(r.counters, c)
	}
	return c
}

// CounterFunc shows a total that is kept elsewhere. Registering a name again
// replaces its function. The function must not use the registry.
func (r *Registry) CounterFunc(name string, f func() uint64) {
	r.Counter(name).read.Store(&f)
}

// Forget takes counters out of every output. Who still holds one may go on
// adding to it, unseen; the name makes a new counter that starts at 0.
func (r *Registry) Forget(counters ...*Counter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range counters {
		if c.slot >= len(r.counters) || r.counters[c.slot] != c {
			continue // forgotten before
		}
		r.counters[c.slot] = nil
		delete(r.counterByKey, c.id.key())
	}
	// Compacting only when half is empty keeps a Forget cheap on average.
	if len(r.counters) > 2*len(r.counterByKey) {
		r.counters = slices.DeleteFunc(r.counters, func(c *Counter) bool { return c == nil })
		for i, c := range r.counters {
			c.slot = i
		}
	}
}

// Gauge returns the gauge of that name and those tags, and makes it if there
// is none.
func (r *Registry) Gauge(name string, tags ...Tag) *Gauge {
	id := newID(name, tags)
	key := id.key()
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.gaugeByKey[key]
	if g == nil {
		g = &Gauge{id: id}
		r.gaugeByKey[key] = g
		r.gauges = append(r.gauges, g)
	}
	return g
}

// GaugeFunc shows a value that is kept elsewhere. Registering a name with the
// same tags again replaces its function. The function must not use the registry.
func (r *Registry) GaugeFunc(name string, f func() int64, tags ...Tag) {
	r.Gauge(name, tags...).read.Store(&f)
}

// Timer returns the timer of that name and those tags, and makes it if there
// is none.
func (r *Registry) Timer(name string, tags ...Tag) *Timer {
	id := newID(name, tags)
	key := id.key()
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.timerByKey[key]
	if t == nil {
		t = &Timer{id: id}
		r.timerByKey[key] = t
		r.timers = append(r.timers, t)
		for _, watch := range r.watchers {
			t.attach(watch(t))
		}
	}
	return t
}
