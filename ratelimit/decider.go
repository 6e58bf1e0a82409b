package ratelimit

import "context"

// A Decider answers whether a request may pass. Who asks cannot tell whether the
// answer is made in this process (Limiter), elsewhere (rls.Client), or elsewhere
// as long as that works (Fallback).
type Decider interface {
	// Decide fills d, whose slices are used again. On an error d is meaningless.
	// It returns soon after the context ends, and keeps neither r nor d.
	Decide(ctx context.Context, r *Request, d *Decision) error
}

var _ Decider = (*Limiter)(nil)
