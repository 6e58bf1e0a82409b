package redis

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/redis/rueidis"

	"stoa/internal/fault"
	"stoa/ratelimit"
)

// do counts a share of the hits in one pipeline and tells how many commands it
// had.
func (p *pool) do(ctx context.Context, hits []ratelimit.Hit, part share) (commands int, err error) {
	err = p.inside(ctx, func(s *session) error {
		commands, err = p.pipe(ctx, s.client, hits, part)
		return err
	})
	return commands, err
}

// inside runs a call on the session in use, bounded in number and time.
func (p *pool) inside(ctx context.Context, call func(*session) error) error {
	if p.live.Load() == nil {
		return p.away.Load().cause
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	b := p.newest.Load()
	b.calls.Add(1)
	defer b.calls.Add(-1)
	if err := p.door.enter(ctx, b); err != nil {
		if err == errLate {
			return fault.New(fault.Unavailable, "redis: %s", p.silent)
		}
		return err
	}
	s := p.live.Load()
	if s == nil {
		p.door.leave()
		return p.away.Load().cause
	}
	err := call(s)
	if err == nil {
		p.door.leave()
		return nil
	}
	return p.failed(ctx, s, err)
}

// failed leaves after an error and says what it means.
func (p *pool) failed(ctx context.Context, s *session, err error) error {
	if _, told := rueidis.IsRedisErr(err); told {
		p.door.leave()
		if !p.cluster && strings.HasPrefix(err.Error(), "READONLY") {
			p.trip(s, err) // a master that was put down; perhaps there is a new one
		}
		return fmt.Errorf("redis: %w", err)
	}
	if gone := ctx.Err(); gone != nil {
		p.door.abandon()
		return gone
	}
	p.door.leave()
	if _, ours := errors.AsType[*fault.Error](err); ours {
		return err
	}
	return fault.New(fault.Unavailable, "redis: %s", err)
}

// expirySeconds is how long the key of a hit lives from now.
func (p *pool) expirySeconds(h *ratelimit.Hit) int64 {
	if p.jitter <= 0 {
		return h.Window.Seconds
	}
	return h.Window.Seconds + rand.Int64N(p.jitter)
}

// close gives the session up for good.
func (p *pool) close() {
	p.closed.Store(true)
	p.away.Store(&outage{cause: fault.New(fault.Unavailable, "redis is closed")})
	if s := p.live.Swap(nil); s != nil {
		s.end(errSessionOver)
	}
}
