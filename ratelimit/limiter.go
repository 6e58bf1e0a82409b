package ratelimit

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"stoa/internal/fault"
	"stoa/internal/stats"
)

// What Decide refuses to answer. A failed counter is fault.Unavailable as well.
var (
	ErrEmptyDomain   = fault.New(fault.Invalid, "rate limit domain must not be empty")
	ErrNoDescriptors = fault.New(fault.Invalid, "rate limit descriptor list must not be empty")
	ErrNoRules       = fault.New(fault.Unavailable, "no rate limit configuration loaded")
)

// Options is what a Limiter is made of.
type Options struct {
	Config
	Counter Counter
	Known   *KnownOver // keys known to be over; nil: every key goes to the counter
	Stats   *stats.Registry
}

// Limiter decides by the rules in force and the counts of its Counter.
type Limiter struct {
	Options
	stop    StopCounter // set when other counters are spared by a refused call
	key     keyMaker
	rules   atomic.Pointer[Rules]
	names   *ruleNames
	traffic atomic.Pointer[Traffic] // set while somebody watches

	backendErrors, serviceErrors, shadowed *stats.Counter
}

// New makes a Limiter without rules: Decide answers ErrNoRules until Use is called.
func New(o Options) *Limiter {
	l := &Limiter{
		Options:       o,
		key:           keyMaker{prefix: o.KeyPrefix},
		names:         newRuleNames(o.Stats, o.MaxDynamicNames),
		backendErrors: o.Stats.Counter("ratelimit.service.call.should_rate_limit.redis_error"),
		serviceErrors: o.Stats.Counter("ratelimit.service.call.should_rate_limit.service_error"),
		shadowed:      o.Stats.Counter("ratelimit.service.global_shadow_mode"),
	}
	if stop, ok := o.Counter.(StopCounter); ok && o.StopIncrement {
		l.stop = stop
	}
	return l
}

// Use puts a set of rules in force. Counts and statistics go on.
func (l *Limiter) Use(r *Rules) {
	l.names.bind(r)
	l.rules.Store(r)
}

// Rules is the set in force, nil before the first.
func (l *Limiter) Rules() *Rules { return l.rules.Load() }

// CountBackendError is for a counter that fails open: it answers, and tells here
// that it did so without knowing.
func (l *Limiter) CountBackendError() { l.backendErrors.Add(1) }

// Decide fills d, whose slices are used again. On an error d is meaningless. It
// allocates nothing beyond growing d the first time.
func (l *Limiter) Decide(ctx context.Context, r *Request, d *Decision) error {
	rules := l.rules.Load()
	if err := refuse(r, rules); err != nil {
		l.serviceErrors.Add(1)
		return err
	}
	c := calls.Get().(*call)
	defer c.release()
	c.now = time.Now().Unix()
	c.match(l, rules, r, d)
	c.plan(l, r)
	if err := c.count(ctx, l); err != nil {
		l.backendErrors.Add(1)
		return fault.Wrap(fault.Unavailable, err)
	}
	c.judge(l, d)
	d.conclude()
	if d.Code == OverLimit && l.Shadow {
		d.Code = OK
		l.shadowed.Add(1)
	}
	return nil
}

func refuse(r *Request, rules *Rules) error {
	switch {
	case r.Domain == "":
		return ErrEmptyDomain
	case len(r.Descriptors) == 0:
		return ErrNoDescriptors
	case rules == nil:
		return ErrNoRules
	}
	return nil
}

// calls keeps the scratch memory of decisions.
var calls = sync.Pool{New: func() any { return new(call) }}
