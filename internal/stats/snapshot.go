package stats

import "slices"

// Snapshot lists what a registry holds at one moment, in order of creation.
// The values are not part of it: they are read, live, from its members.
type Snapshot struct {
	Counters []*Counter
	Gauges   []*Gauge
}

// Snapshot is how a sink begins a flush, and a scrape: it runs the functions
// of BeforeReading, then lists what there is. Counting goes on meanwhile.
func (r *Registry) Snapshot() Snapshot {
	r.mu.Lock()
	before := slices.Clone(r.beforeReading)
	r.mu.Unlock()
	for _, f := range before {
		f()
	}
	r.mu.Lock()
	s := Snapshot{Counters: slices.Clone(r.counters), Gauges: slices.Clone(r.gauges)}
	r.mu.Unlock()
	s.Counters = slices.DeleteFunc(s.Counters, func(c *Counter) bool { return c == nil })
	return s
}

// BeforeReading has f called at the start of every Snapshot, so that several
// gauge functions can share one costly reading.
func (r *Registry) BeforeReading(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beforeReading = append(r.beforeReading, f)
}
