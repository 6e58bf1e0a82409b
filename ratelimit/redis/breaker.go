package redis

import (
	"context"
	"time"

	"stoa/internal/fault"
)

const (
	firstWait = 20 * time.Millisecond // before the second attempt, then doubled
	maxWait   = time.Second
)

// An outage is why calls fail at once.
type outage struct {
	cause error
	since time.Time
}

// trip opens the breaker: the session is given up, and with it everything that
// waits in it. Only the session in use can do that, and only once.
func (p *pool) trip(s *session, cause error) {
	if !p.live.CompareAndSwap(s, nil) {
		return
	}
	p.away.Store(&outage{cause: fault.New(fault.Unavailable, "redis is away: %s", cause), since: time.Now()})
	p.log.Warn("redis is away, calls fail at once until it answers", "cause", cause.Error())
	s.end(cause)
	select {
	case p.revive <- struct{}{}:
	default:
	}
}

// reconnect closes the breaker whenever it opened, until the context ends.
func (p *pool) reconnect(ctx context.Context) {
	var last time.Time // when a session was last put to use
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.revive:
		}
		// One that is lost again at once is not worth hurrying for.
		if rest := maxWait - time.Since(last); rest > 0 && !sleep(ctx, rest) {
			return
		}
		if !p.attempt(ctx) {
			return
		}
		last = time.Now()
	}
}

// attempt connects as often as it takes. An attempt gets a second; each fourth
// one gets the whole timeout, for a redis that is slow to take connections.
func (p *pool) attempt(ctx context.Context) bool {
	wait := firstWait
	for n := 1; ; n++ {
		limit := min(p.node.Timeout, maxWait)
		if n%4 == 0 {
			limit = 2 * p.node.Timeout
		}
		err := p.connect(ctx, limit)
		if err == nil {
			break
		}
		p.log.Debug("redis is still away", "cause", err.Error())
		if !sleep(ctx, wait) {
			return false
		}
		wait = min(2*wait, maxWait)
	}
	p.log.Warn("redis answers again", "away", time.Since(p.away.Load().since).Round(time.Millisecond))
	return true
}

// sleep tells whether the time has passed before the context ended.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
