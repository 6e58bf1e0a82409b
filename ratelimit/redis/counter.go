package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"go.opentelemetry.io/otel/trace"

	"stoa/internal/stats"
	"stoa/ratelimit"
)

// Options are what a Counter needs beside its settings. All may be left out.
type Options struct {
	Log   *slog.Logger
	Stats *stats.Registry

	// Jitter adds up to so many seconds, this number not included, to the
	// expiry of a key, lest many keys expire at the same moment. 0 adds none.
	Jitter int

	// Tracer makes a span of each call that is part of a sampled trace.
	Tracer trace.TracerProvider

	// OnActive is told, if Config.HealthCheckActiveConnection asks for it, when
	// the last connection to one of the redises closes, and when all are
	// connected again. It must return at once.
	OnActive func(active bool)
}

// Counter is a ratelimit.StopCounter. It counts after Connect, as long as Run
// runs.
type Counter struct {
	cfg    Config
	log    *slog.Logger
	main   *pool
	second *pool // of windows of one second; nil when main counts them too
	tracer trace.Tracer
}

var _ ratelimit.StopCounter = (*Counter)(nil)

// New checks the settings and connects to nothing yet.
func New(cfg Config, opt Options) (*Counter, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	opt.Log = cmp.Or(opt.Log, slog.New(slog.DiscardHandler))
	opt.Stats = cmp.Or(opt.Stats, stats.NewRegistry())
	c := &Counter{cfg: cfg, log: opt.Log}
	if opt.Tracer != nil {
		c.tracer = opt.Tracer.Tracer("stoa/ratelimit/redis")
	}
	health := &health{idle: map[string]bool{}}
	if cfg.HealthCheckActiveConnection {
		health.report = opt.OnActive
	}
	expiry := newExpiries()
	var err error
	if c.main, err = newPool(cfg, mainRole, cfg.Main, opt, health.of(mainRole.pool), expiry); err != nil {
		return nil, err
	}
	if cfg.PerSecond {
		c.second, err = newPool(cfg, perSecondRole, cfg.PerSecondNode, opt, health.of(perSecondRole.pool), expiry)
	}
	return c, err
}

func (c *Counter) pools() []*pool {
	if c.second == nil {
		return []*pool{c.main}
	}
	return []*pool{c.main, c.second}
}

// Run watches over calls and connections, and connects again when redis was
// away, until the context ends.
func (c *Counter) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	for _, p := range c.pools() {
		wg.Go(func() { p.look(ctx) })
		wg.Go(func() { p.reconnect(ctx) })
	}
	wg.Wait()
	return nil
}

// Close ends all connections; calls fail from now on. Run should have ended.
func (c *Counter) Close() error {
	for _, p := range c.pools() {
		p.close()
	}
	return nil
}

// Add implements ratelimit.Counter.
func (c *Counter) Add(ctx context.Context, hits []ratelimit.Hit) error {
	if !c.traces(ctx) {
		_, _, err := c.add(ctx, hits)
		return err
	}
	ctx, end := c.span(ctx)
	n, perSecond, err := c.add(ctx, hits)
	end(n, perSecond)
	return err
}

// add also tells how many commands went to each redis.
func (c *Counter) add(ctx context.Context, hits []ratelimit.Hit) (n, perSecond int, err error) {
	switch c.which(hits) {
	case longer:
		n, err = c.main.do(ctx, hits, all)
	case seconds:
		perSecond, err = c.second.do(ctx, hits, all)
	default:
		n, perSecond, err = c.addToBoth(ctx, hits)
	}
	return n, perSecond, err
}

// addToBoth has both pipelines on their way at the same time.
func (c *Counter) addToBoth(ctx context.Context, hits []ratelimit.Hit) (n, perSecond int, err error) {
	var wg sync.WaitGroup
	var secondErr error
	wg.Go(func() { perSecond, secondErr = c.second.do(ctx, hits, seconds) })
	n, err = c.main.do(ctx, hits, longer)
	wg.Wait()
	return n, perSecond, errors.Join(err, secondErr)
}

// AddUnlessOver implements ratelimit.StopCounter. Across two redises, and in a
// cluster, reading and adding are two steps, between which others may count.
func (c *Counter) AddUnlessOver(ctx context.Context, hits []ratelimit.Hit) error {
	switch p := c.alone(hits); {
	case p != nil && c.traces(ctx):
		ctx, end := c.span(ctx)
		if p == c.main {
			defer end(1, 0)
		} else {
			defer end(0, 1)
		}
		return p.judge(ctx, hits)
	case p != nil:
		return p.judge(ctx, hits)
	}
	looks := make([]ratelimit.Hit, len(hits))
	for i, h := range hits {
		looks[i] = ratelimit.Hit{Key: h.Key, Window: h.Window}
	}
	if err := c.Add(ctx, looks); err != nil {
		return fmt.Errorf("look before adding: %w", err)
	}
	for i := range hits {
		hits[i].Count = looks[i].Count
	}
	ratelimit.SpareOthers(hits)
	return c.Add(ctx, hits)
}

// alone is the redis that can judge over all hits in one step, or nil.
func (c *Counter) alone(hits []ratelimit.Hit) *pool {
	p := c.main
	switch c.which(hits) {
	case seconds:
		p = c.second
	case all:
		return nil
	}
	if p.cluster {
		return nil
	}
	return p
}
