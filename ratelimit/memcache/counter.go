package memcache

import (
	"context"
	"log/slog"
	"math"
	"math/bits"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"

	"stoa/internal/stats"
	"stoa/ratelimit"
)

// Options are what a Counter works with. Each may be left out.
type Options struct {
	Log      *slog.Logger
	Stats    *stats.Registry
	Jitter   int                  // a key is kept up to this many seconds longer, at random
	Tracer   trace.TracerProvider // nil makes no spans
	Resolver *net.Resolver        // finds the SRV name and the hosts; nil is the system's

	// Failed is called once for each Add that could not read all its keys or
	// had no room to queue its hits, by many goroutines. It must not block.
	Failed func(error)
}

var _ ratelimit.Looker = (*Counter)(nil)

// Counter is a ratelimit.Counter. Its hits are written while Run is running.
type Counter struct {
	hosts   *hosts
	jitter  int
	tracer  trace.Tracer // nil makes no spans
	failed  func(error)
	metrics metrics

	lanes   [lanes]*lane
	pending atomic.Int64 // writes waiting or under way
	ended   atomic.Bool  // Run has returned

	reads, badKeys, writes warner
}

// New makes a counter of valid settings. With MEMCACHE_SRV it looks the servers
// up; it connects to none.
func New(ctx context.Context, cfg Config, o Options) (*Counter, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Stats == nil {
		o.Stats = stats.NewRegistry()
	}
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	hosts, err := newHosts(ctx, cfg, o.Resolver, o.Log)
	if err != nil {
		return nil, err
	}
	c := &Counter{hosts: hosts, jitter: o.Jitter, failed: o.Failed, metrics: newMetrics(o.Stats)}
	if o.Tracer != nil {
		c.tracer = o.Tracer.Tracer("stoa/ratelimit/memcache")
	}
	for i := range c.lanes {
		c.lanes[i] = newLane()
	}
	c.reads.log, c.badKeys.log, c.writes.log = o.Log, o.Log, o.Log
	return c, nil
}

// Run writes queued hits and follows the SRV name. When the context ends it
// writes what is queued, for 5 seconds at most, and returns nil. Hits that
// are added later are lost. Run runs once.
func (c *Counter) Run(ctx context.Context) error {
	late, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(drainTime, end) })()

	var running sync.WaitGroup
	running.Go(func() { c.hosts.follow(ctx) })
	running.Go(func() { c.hosts.tidy(ctx) })
	for _, lane := range c.lanes {
		running.Go(func() { c.writeLane(ctx, late, lane) })
	}
	running.Wait()
	c.ended.Store(true)
	c.hosts.closeIdle()
	return nil
}

// Add implements ratelimit.Counter. Its error is always nil: a key that cannot
// be read counts from 0, and its hits are lost. The context is for tracing
// only; see the package comment for how long a call can take.
func (c *Counter) Add(ctx context.Context, hits []ratelimit.Hit) error {
	if len(hits) == 0 {
		return nil
	}
	keys, of := distinct(c.hosts.list(), hits)
	err := c.read(ctx, keys)
	for i := range hits {
		h, k := &hits[i], &keys[of[i]]
		k.count = after(k.count, h)
		h.Count = k.count
		if h.Add == 0 || k.err != nil {
			continue
		}
		if full := c.queue(k, h); full != nil && err == nil {
			err = full
		}
	}
	if err != nil {
		c.failed(err)
	}
	return nil
}

// Look implements ratelimit.Looker: what cannot be read is an error here, and no
// statistic changes.
func (c *Counter) Look(_ context.Context, hits []ratelimit.Hit) error {
	keys, of := distinct(c.hosts.list(), hits)
	groups, _ := byServer(keys)
	ask(groups)
	for i := range hits {
		k := &keys[of[i]]
		if k.err != nil {
			return k.err
		}
		hits[i].Count = k.count
	}
	return nil
}

// after is the count once the hit is applied.
func after(count uint64, h *ratelimit.Hit) uint64 {
	n := uint64(h.Add)
	if h.Back {
		return count - min(count, n)
	}
	sum, carry := bits.Add64(count, n, 0)
	if carry > 0 {
		return math.MaxUint64
	}
	return sum
}
