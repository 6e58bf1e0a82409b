package memcache

import (
	"errors"

	gomemcache "github.com/bradfitz/gomemcache/memcache"

	"stoa/internal/stats"
)

// metrics are the counters of this backend. Hits that were written
// together count as one increment.
type metrics struct {
	multigetSuccess, multigetError                  *stats.Counter
	keysRequested, keysFound                        *stats.Counter
	incrementSuccess, incrementMiss, incrementError *stats.Counter
	decrementSuccess, decrementMiss, decrementError *stats.Counter
	addSuccess, addNotStored, addError              *stats.Counter
}

func newMetrics(r *stats.Registry) metrics {
	counter := func(name, code string) *stats.Counter {
		return r.Counter("ratelimit.memcache."+name, stats.Tag{Key: "code", Value: code})
	}
	return metrics{
		multigetSuccess:  counter("multiget", "success"),
		multigetError:    counter("multiget", "error"),
		keysRequested:    r.Counter("ratelimit.memcache.keys_requested"),
		keysFound:        r.Counter("ratelimit.memcache.keys_found"),
		incrementSuccess: counter("increment", "success"),
		incrementMiss:    counter("increment", "miss"),
		incrementError:   counter("increment", "error"),
		decrementSuccess: counter("decrement", "success"),
		decrementMiss:    counter("decrement", "miss"),
		decrementError:   counter("decrement", "error"),
		addSuccess:       counter("add", "success"),
		addNotStored:     counter("add", "not_stored"),
		addError:         counter("add", "error"),
	}
}

func (m *metrics) incremented(err error) {
	count(err, gomemcache.ErrCacheMiss, m.incrementSuccess, m.incrementMiss, m.incrementError)
}

func (m *metrics) decremented(err error) {
	count(err, gomemcache.ErrCacheMiss, m.decrementSuccess, m.decrementMiss, m.decrementError)
}

func (m *metrics) added(err error) {
	count(err, gomemcache.ErrNotStored, m.addSuccess, m.addNotStored, m.addError)
}

// count tells success, the answer that is none of ours to worry about, and error
// apart.
func count(err, answer error, success, answered, failure *stats.Counter) {
	switch {
	case err == nil:
		success.Add(1)
	case errors.Is(err, answer):
		answered.Add(1)
	default:
		failure.Add(1)
	}
}
