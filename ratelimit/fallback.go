package ratelimit

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"stoa/internal/fault"
	"stoa/internal/stats"
)

// FallbackOptions is what a Fallback is made of.
type FallbackOptions struct {
	Far      Decider
	Near     Decider       // with the same rules, and counters of its own
	Patience time.Duration // how long the far one may take; 0: 50 ms
	Stats    *stats.Registry
	Log      *slog.Logger
}

const (
	usualPatience = 50 * time.Millisecond
	// trusted failures in a row are taken as bad luck; the next calls still ask.
	trusted = 2
	// pause is how long the far one is left alone after that. Then one call tries
	// it, while the others go on near.
	pause = time.Second
	// silence between two lines in the log.
	silence = time.Minute
)

// Fallback asks a far Decider, and a near one when the far one fails or is slow.
// Near counts know nothing of the far ones: while they decide, a caller may pass
// up to twice its limit.
type Fallback struct {
	FallbackOptions
	near *stats.Counter

	mu       sync.Mutex
	failures int       // in a row
	retry    time.Time // when the next call may ask the far one, after too many failures
	told     time.Time // when the log was last told
}

// NewFallback makes a Fallback.
func NewFallback(o FallbackOptions) *Fallback {
	o.Patience = cmp.Or(o.Patience, usualPatience)
	return &Fallback{FallbackOptions: o, near: o.Stats.Counter("ratelimit.fallback.near_decisions")}
}

// Decide implements Decider. A request that is itself at fault is not asked twice.
func (f *Fallback) Decide(ctx context.Context, r *Request, d *Decision) error {
	if f.asksFar(time.Now()) {
		err := f.askFar(ctx, r, d)
		if err == nil || errors.Is(err, fault.Invalid) {
			f.answered()
			return err
		}
		if ctx.Err() == nil { // else the caller gave up: nothing is known of the far one
			f.failed(time.Now(), err)
		}
	}
	f.near.Add(1)
	return f.Near.Decide(ctx, r, d)
}

func (f *Fallback) askFar(ctx context.Context, r *Request, d *Decision) error {
	ctx, cancel := context.WithTimeout(ctx, f.Patience)
	defer cancel()
	return f.Far.Decide(ctx, r, d)
}

// asksFar tells whether a call asks the far one. Of those that come after a
// pause it takes one, by beginning the next pause.
func (f *Fallback) asksFar(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failures <= trusted {
		return true
	}
	if now.Before(f.retry) {
		return false
	}
	f.retry = now.Add(pause)
	return true
}

func (f *Fallback) answered() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures = 0
}

func (f *Fallback) failed(now time.Time, err error) {
	f.mu.Lock()
	f.failures++
	f.retry = now.Add(pause)
	tell := f.told.IsZero() || now.Sub(f.told) >= silence
	if tell {
		f.told = now
	}
	f.mu.Unlock()
	if tell {
		f.Log.Warn("the rate limit service fails: deciding in this process",
			"error", err, "patience", f.Patience, "decided_here", f.near.Total()+1)
	}
}
