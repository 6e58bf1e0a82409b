package memcache

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	gomemcache "github.com/bradfitz/gomemcache/memcache"

	"stoa/ratelimit"
)

const (
	// lanes is how many writes can be under way at a time: enough to keep up with
	// as many callers, since no two writes share a round trip.
	lanes = 128

	// laneRoom is how many keys can wait in a lane: 65,536 in all.
	laneRoom = 512

	// drainTime bounds what Run writes after its context has ended.
	drainTime = 5 * time.Second

	// longestTTL is the longest time, in seconds, that memcached takes as such;
	// a higher number is a date.
	longestTTL = 30 * 86400
)

var (
	errFull  = errors.New("queue of memcached writes is full")
	errEnded = errors.New("memcached is no longer written to")
	errSlow  = errors.New("memcached was too slow to write everything at the end")
)

// queue hands a hit to the lane of its key. It never waits.
func (c *Counter) queue(k *key, h *ratelimit.Hit) error {
	if c.ended.Load() {
		return c.lose(errEnded)
	}
	c.pending.Add(1)
	fresh, ok := c.lanes[k.sum%lanes].put(k, h.Window.Seconds, uint64(h.Add), h.Back)
	if !fresh {
		c.pending.Add(-1)
	}
	if !ok {
		return c.lose(errFull)
	}
	return nil
}

// lose counts and logs a write that was not tried, and returns err.
func (c *Counter) lose(err error) error {
	c.metrics.incrementError.Add(1)
	c.writes.warn("hits are lost", err)
	return err
}

// writeLane writes what comes down the lane until ctx ends, and then what is
// left in it, which is lost when late ends.
func (c *Counter) writeLane(ctx, late context.Context, l *lane) {
	var writes []write
	for last := false; !last; {
		select {
		case <-l.more:
		case <-ctx.Done():
			last = true
		}
		for writes = l.swap(writes); len(writes) > 0; writes = l.swap(writes) {
			c.writeAll(late, writes)
		}
	}
}

func (c *Counter) writeAll(late context.Context, writes []write) {
	for _, w := range writes {
		if late.Err() != nil {
			c.lose(errSlow)
		} else if err := c.write(w); err != nil {
			c.writes.warn("hits are lost", err)
		}
		c.pending.Add(-1)
	}
}

func (c *Counter) write(w write) error {
	s := pick(c.hosts.list(), w.sum)
	if w.take > 0 {
		if err := c.decrement(s, w); err != nil {
			return err
		}
	}
	if w.add == 0 {
		return nil
	}
	err := c.increment(s, w)
	if !errors.Is(err, gomemcache.ErrCacheMiss) {
		return err
	}
	err = c.add(s, w)
	if !errors.Is(err, gomemcache.ErrNotStored) {
		return err
	}
	// Someone else added the key meanwhile.
	return c.increment(s, w)
}

func (c *Counter) increment(s *server, w write) error {
	err := s.do(func(client *gomemcache.Client) error {
		_, err := client.Increment(w.key, w.add)
		return err
	})
	c.metrics.incremented(err)
	return err
}

func (c *Counter) add(s *server, w write) error {
	err := s.do(func(client *gomemcache.Client) error {
		return client.Add(&gomemcache.Item{
			Key:        w.key,
			Value:      strconv.AppendUint(nil, w.add, 10),
			Expiration: expiry(time.Now(), w.seconds, c.jitter),
		})
	})
	c.metrics.added(err)
	return err
}

// decrement takes hits away; there is nothing to take from a missing key, and
// memcached itself stops at 0.
func (c *Counter) decrement(s *server, w write) error {
	err := s.do(func(client *gomemcache.Client) error {
		_, err := client.Decrement(w.key, w.take)
		return err
	})
	c.metrics.decremented(err)
	if errors.Is(err, gomemcache.ErrCacheMiss) {
		return nil
	}
	return err
}

// expiry is when memcached may forget a key: after its window and some jitter,
// of at least a second, because memcached counts in ticks of a second and would
// drop the key within the window. A date that does not fit, in 2038 and later,
// becomes never.
func expiry(now time.Time, seconds int64, jitter int) int32 {
	if jitter > 0 {
		jitter = rand.IntN(jitter)
	}
	ttl := seconds + max(1, int64(jitter))
	if ttl > longestTTL {
		ttl += now.Unix()
	}
	if ttl > math.MaxInt32 {
		return 0
	}
	return int32(ttl)
}
