package xds

import (
	"math/rand/v2"
	"time"
)

// backoff is the waits between streams.
type backoff struct {
	initial, most time.Duration
	factor        float64 // of spreading, 0 for none
	now           time.Duration
}

func newBackoff(cfg Config) *backoff {
	b := &backoff{initial: min(cfg.BackoffInitial, cfg.BackoffMax), most: cfg.BackoffMax}
	if cfg.BackoffJitter {
		b.factor = cfg.BackoffFactor
	}
	b.reset()
	return b
}

func (b *backoff) reset() { b.now = b.initial }

// next is the wait to make now; the one after it is twice as long.
func (b *backoff) next() time.Duration {
	wait := b.now
	b.now = b.most
	if wait < b.most/2 {
		b.now = 2 * wait
	}
	return b.spread(wait)
}

// spread keeps clients that lost their server together from coming back together.
func (b *backoff) spread(wait time.Duration) time.Duration {
	return time.Duration(float64(wait) * (1 + b.factor*(2*rand.Float64()-1)))
}
