// Package memory counts in this process: exact under concurrency, bounded, gone
// with the process. It is what runs when no backend is configured.
package memory

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"stoa/internal/fault"
	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/internal/windowed"
)

// Config is the settings of the memory backend.
type Config struct {
	// MaxKeys bounds the counters alive at a time.
	MaxKeys int `env:"MEMORY_MAX_KEYS" envDefault:"10000000"`
}

// Validate tells what is wrong with the settings.
func (c Config) Validate() error {
	if c.MaxKeys < 1 {
		return fault.New(fault.Invalid, "MEMORY_MAX_KEYS=%d: want at least 1", c.MaxKeys)
	}
	return nil
}

var errFull = fault.New(fault.Unavailable, "counter memory is full")

// graceSeconds is how long a counter outlives its window, for calls that took
// their key just before it ended.
const graceSeconds = 2

// Counter is a ratelimit.StopCounter.
type Counter struct {
	totals *windowed.Map[*total]
	stops  atomic.Bool  // AddUnlessOver is in use: Add has to share the lock
	judge  sync.RWMutex // makes AddUnlessOver one step
	log    *slog.Logger
}

type total struct{ n atomic.Uint64 }

func newTotal() *total { return new(total) }

// New makes an empty counter. Run must be running for windows to be swept.
func New(cfg Config, registry *stats.Registry, log *slog.Logger) *Counter {
	c := &Counter{totals: windowed.New[*total](cfg.MaxKeys), log: log}
	registry.GaugeFunc("ratelimit.memory.keys", func() int64 { return int64(c.totals.Len()) })
	registry.Gauge("ratelimit.memory.max_keys").Set(int64(cfg.MaxKeys))
	return c
}

// Run drops counters whose window has ended, until the context ends.
func (c *Counter) Run(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if n := c.sweep(); n > 0 {
				c.log.Debug("dropped counters of ended windows", "keys", n)
			}
		}
	}
}

// Add implements ratelimit.Counter.
func (c *Counter) Add(_ context.Context, hits []ratelimit.Hit) error {
	if c.stops.Load() {
		c.judge.RLock()
		defer c.judge.RUnlock()
	}
	return c.addAll(hits)
}

func (c *Counter) addAll(hits []ratelimit.Hit) error {
	for i := range hits {
		if err := c.add(&hits[i]); err != nil {
			return err
		}
	}
	return nil
}

// AddUnlessOver implements ratelimit.StopCounter.
func (c *Counter) AddUnlessOver(_ context.Context, hits []ratelimit.Hit) error {
	c.stops.Store(true)
	c.judge.Lock()
	defer c.judge.Unlock()
	for i := range hits {
		hits[i].Count = c.look(&hits[i])
	}
	ratelimit.SpareOthers(hits)
	return c.addAll(hits)
}

func (c *Counter) add(h *ratelimit.Hit) error {
	switch {
	case h.Back:
		h.Count = c.giveBack(h)
		return nil
	case h.Add == 0:
		h.Count = c.look(h)
		return nil
	}
	t, _, ok := c.totals.LoadOrStore(h.Window.Kept(), h.Key, newTotal)
	if !ok && c.sweep() > 0 {
		t, _, ok = c.totals.LoadOrStore(h.Window.Kept(), h.Key, newTotal)
	}
	if !ok {
		return errFull
	}
	h.Count = t.n.Add(uint64(h.Add))
	return nil
}

func (c *Counter) look(h *ratelimit.Hit) uint64 {
	t, ok := c.totals.Load(h.Window.Kept(), h.Key)
	if !ok {
		return 0
	}
	return t.n.Load()
}

func (c *Counter) giveBack(h *ratelimit.Hit) uint64 {
	t, ok := c.totals.Load(h.Window.Kept(), h.Key)
	if !ok {
		return 0
	}
	for {
		had := t.n.Load()
		left := had - min(had, uint64(h.Add))
		if t.n.CompareAndSwap(had, left) {
			return left
		}
	}
}

func (c *Counter) sweep() int { return c.totals.Sweep(time.Now().Unix() - graceSeconds) }
