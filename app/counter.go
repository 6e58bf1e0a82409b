package app

import (
	"context"

	"go.opentelemetry.io/otel/trace"

	"stoa/ratelimit"
	"stoa/ratelimit/memcache"
	"stoa/ratelimit/memory"
	"stoa/ratelimit/redis"
	"stoa/ratelimit/rls"
)

// backend is a counter with its life: connect returns when it can count.
type backend struct {
	ratelimit.Counter
	connect func(context.Context) error
}

// openCounter opens the counters that the settings choose. failed is told of
// calls that a backend let pass without knowing.
func (a *App) openCounter(health *rls.Health, failed func(error)) (*backend, error) {
	c := &a.cfg.Ratelimit
	if c.Backend.Name != "memory" { // which has a line of its own below
		a.log.Warn("counting in "+c.Backend.Name, "reason", c.Backend.Reason)
	}
	connected := func(context.Context) error { return nil }
	switch c.Backend.Name {
	case "redis":
		counter, err := redis.New(c.Redis, redis.Options{
			Log: a.log, Stats: a.stats, Jitter: c.Jitter, Tracer: a.tracerProvider(),
			OnActive: func(active bool) { health.Set(rls.Backend, active) },
		})
		if err != nil {
			return nil, err
		}
		a.backs = append(a.backs, counter.Run)
		a.closes = append(a.closes, counter.Close)
		return &backend{counter, counter.Connect}, nil
	case "memcache":
		counter, err := memcache.New(context.Background(), c.Memcache, memcache.Options{
			Log: a.log, Stats: a.stats, Jitter: c.Jitter, Tracer: a.tracerProvider(), Failed: failed,
		})
		if err != nil {
			return nil, err
		}
		a.backs = append(a.backs, counter.Run)
		return &backend{counter, connected}, nil
	}
	a.log.Warn("counting in memory: counters are not shared with other processes and end with this one", "reason", c.Backend.Reason)
	counter := memory.New(c.Memory, a.stats, a.log)
	a.backs = append(a.backs, counter.Run)
	return &backend{counter, connected}, nil
}

// tracerProvider is nil while tracing is off, so that nobody pays for spans that
// go nowhere.
func (a *App) tracerProvider() trace.TracerProvider {
	if !a.tracing.Enabled() {
		return nil
	}
	return a.tracing.Provider()
}
