package stats

import "sync/atomic"

// Counter is a total that only grows.
type Counter struct {
	n    atomic.Uint64
	read atomic.Pointer[func() uint64]
	id   ID
	slot int // index in Registry.counters; guarded by Registry.mu
}

// ID is what the counter is called.
func (c *Counter) ID() ID { return c.id }

// Add counts n more.
func (c *Counter) Add(n uint64) { c.n.Add(n) }

// Total is what was counted since the start, here and, for a counter of
// [Registry.CounterFunc], elsewhere.
func (c *Counter) Total() uint64 {
	total := c.n.Load()
	if read := c.read.Load(); read != nil {
		total += (*read)()
	}
	return total
}
