package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// Connect connects to redis, with growing waits between attempts. It returns an
// error when the time for that is over, or when the context is.
func (c *Counter) Connect(ctx context.Context) error {
	var wg sync.WaitGroup
	pools := c.pools()
	errs := make([]error, len(pools))
	for i, p := range pools {
		wg.Go(func() { errs[i] = c.connect(ctx, p) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (c *Counter) connect(ctx context.Context, p *pool) error {
	url := masked(p.node.URL)
	p.log.Warn(fmt.Sprintf("connecting to redis on %s with pool size %d", url, p.node.PoolSize))
	began := time.Now()
	wait, longest := cmp.Or(c.cfg.StartupInitial, time.Second), cmp.Or(c.cfg.StartupMax, 30*time.Second)
	for attempt := 1; ; attempt++ {
		err := p.connect(ctx, 2*p.node.Timeout)
		if err == nil {
			if attempt > 1 {
				p.log.Warn("connected to redis", "attempts", attempt, "took", time.Since(began).Round(time.Millisecond))
			}
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// Half of the wait is by chance, so that a fleet does not come at once.
		pause := min(wait, longest)
		pause = pause/2 + rand.N(pause/2+1)
		if limit := c.cfg.StartupMaxElapsed; limit > 0 && time.Since(began)+pause > limit {
			return fmt.Errorf("connect to redis on %s: given up after %s and %d attempts: %w", url, time.Since(began).Round(time.Millisecond), attempt, err)
		}
		p.log.Warn("cannot connect to redis", "url", url, "cause", err.Error(), "next_attempt_in", pause.Round(time.Millisecond))
		if !sleep(ctx, pause) {
			return ctx.Err()
		}
		wait *= 2
	}
}
