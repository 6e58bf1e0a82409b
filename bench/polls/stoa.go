package main

import (
	"context"
	"log/slog"
	"os"

	"stoa/internal/blob/memory"
	"stoa/internal/db"
	"stoa/internal/secret"
	"stoa/internal/stats"
	"stoa/polls"
	"stoa/polls/limits"
	"stoa/ratelimit"
	counters "stoa/ratelimit/memory"
)

// serveStoa is the polls as `stoa serve` has them.
func (c *child) serveStoa(ctx context.Context) error {
	d, err := db.Open(ctx, c.db, db.Options{})
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Migrate(ctx, polls.Room, polls.Migrations()); err != nil {
		return err
	}
	if err := plant(ctx, d, c.polls); err != nil {
		return err
	}
	if c.fill > 0 {
		if err := fill(ctx, d, c.fill); err != nil {
			return err
		}
	}
	box, err := secret.New("the secret of the bench")
	if err != nil {
		return err
	}
	registry, log := stats.NewRegistry(), slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	o := polls.Options{
		Environment: polls.Production, Origin: "http://polls.example", DB: d, Blobs: memory.New(), Box: box, Log: log, Stats: registry,
		Config: polls.Config{Streams: 1000, Rules: limits.Default},
	}
	run := []func(context.Context) error{}
	if c.limited {
		counter := counters.New(counters.Config{MaxKeys: 10_000_000}, registry, log)
		run = append(run, counter.Run)
		if o.Decider, err = wideLimits(counter, registry, log); err != nil {
			return err
		}
	}
	service, err := polls.New(ctx, o)
	if err != nil {
		return err
	}
	return c.listen(ctx, service.Handler(), registry, append(run, service.Run)...)
}

// wideLimits asks as much as the shipped rules do, and refuses nobody.
func wideLimits(counter ratelimit.Counter, registry *stats.Registry, log *slog.Logger) (ratelimit.Decider, error) {
	limiter := ratelimit.New(ratelimit.Options{Config: ratelimit.Config{NearLimitRatio: 0.8}, Counter: counter, Stats: registry})
	spec, err := limits.Rules(limits.Default, polls.LimitDomain(polls.Production))
	if err != nil {
		return nil, err
	}
	widen(spec.Descriptors)
	return limiter, ratelimit.NewLoader(limiter, false, log, func(int) {}).Load([]ratelimit.DomainSpec{spec}, nil)
}

func widen(rules []ratelimit.DescriptorSpec) {
	for i := range rules {
		if rules[i].Limit != nil {
			rules[i].Limit.Requests = 1 << 31
		}
		widen(rules[i].Descriptors)
	}
}
