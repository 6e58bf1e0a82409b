package memcache

import (
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	gomemcache "github.com/bradfitz/gomemcache/memcache"
)

const (
	// answerTime bounds connecting, and then the wait for each answer.
	answerTime = 500 * time.Millisecond

	// After a time-out the server is left alone for restSilent, and after a
	// refused connection for restRefused: that costs little to try again, and
	// the server may be back any moment.
	restSilent  = time.Second
	restRefused = 100 * time.Millisecond

	// mostInside bounds the connections that can pile up at one server during
	// answerTime. One that answers never has so many calls at a time.
	mostInside = 1024
)

var (
	errResting = errors.New("skipped, did not answer a moment ago")
	errBusy    = fmt.Errorf("skipped, %d calls are waiting for it already", mostInside)
)

// A gate keeps calls away from a server that does not answer. After a rest one
// call goes through to try it, the others when that one was answered.
type gate struct {
	restUntil atomic.Int64 // unix nanoseconds; 0 while the server answers
	inside    atomic.Int32
	peak      atomic.Int32 // of inside, since peakSince was asked
}

// enter lets a call through, which must then leave, or tells why not.
func (g *gate) enter() error {
	if until := g.restUntil.Load(); until != 0 {
		now := time.Now()
		if now.UnixNano() < until || !g.restUntil.CompareAndSwap(until, now.Add(restSilent).UnixNano()) {
			return errResting
		}
	}
	inside := g.inside.Add(1)
	if inside > mostInside {
		g.inside.Add(-1)
		return errBusy
	}
	for peak := g.peak.Load(); inside > peak; peak = g.peak.Load() {
		if g.peak.CompareAndSwap(peak, inside) {
			break
		}
	}
	return nil
}

// peakSince is how many calls were inside at a time since it was last asked.
func (g *gate) peakSince() int { return int(g.peak.Swap(g.inside.Load())) }

// leave takes the outcome of the call and tells whether it ended a rest.
func (g *gate) leave(err error) (recovered bool) {
	g.inside.Add(-1)
	switch {
	case timedOut(err):
		g.rest(restSilent)
	case isDial(err):
		g.rest(restRefused)
	default:
		return g.restUntil.Load() != 0 && g.restUntil.Swap(0) != 0
	}
	return false
}

func (g *gate) rest(d time.Duration) { g.restUntil.Store(time.Now().Add(d).UnixNano()) }

func timedOut(err error) bool {
	if _, connecting := errors.AsType[*gomemcache.ConnectTimeoutError](err); connecting {
		return true
	}
	nerr, ok := errors.AsType[net.Error](err)
	return ok && nerr.Timeout()
}

// A dialError is a connection that did not come about.
type dialError struct{ cause error }

func (e *dialError) Error() string { return e.cause.Error() }
func (e *dialError) Unwrap() error { return e.cause }

func isDial(err error) bool {
	_, ok := errors.AsType[*dialError](err)
	return ok
}
