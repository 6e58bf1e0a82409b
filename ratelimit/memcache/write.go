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
	// lanes is how many writes are under way at a time. All writes of a key take
	// the same lane, so they stay in order.
	lanes    = 16
	laneRoom = 4096

	// batchMost is how many queued writes are looked at together.
	batchMost = 256

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

// A write is a hit, or several of the same key, on its way to memcached.
type write struct {
	key     string
	sum     uint32 // CRC-32 of the key
	seconds int64  // of the window
	add     uint64
	back    bool
	hits    int64 // how many were put together
}

// queue hands a hit to the lane of its key. It never waits.
func (c *Counter) queue(k *key, h *ratelimit.Hit) error {
	if c.ended.Load() {
		return c.lose(errEnded, 1)
	}
	c.pending.Add(1)
	select {
	case c.lanes[k.sum%lanes] <- write{key: k.name, sum: k.sum, seconds: h.Window.Seconds, add: uint64(h.Add), back: h.Back, hits: 1}:
		return nil
	default:
		c.pending.Add(-1)
		return c.lose(errFull, 1)
	}
}

func (c *Counter) lose(err error, writes int) error {
	c.metrics.incrementError.Add(uint64(writes))
	c.writes.warn("hits are lost", err)
	return err
}

func (c *Counter) writeLane(ctx context.Context, lane chan write) {
	var b batch
	for {
		select {
		case w := <-lane:
			b.fill(w, lane)
			c.writeBatch(&b)
		case <-ctx.Done():
			c.drainLane(lane)
			return
		}
	}
}

func (c *Counter) drainLane(lane chan write) {
	end := time.Now().Add(drainTime)
	var b batch
	for {
		select {
		case w := <-lane:
			if time.Now().After(end) {
				c.lose(errSlow, 1+len(lane))
				return
			}
			b.fill(w, lane)
			c.writeBatch(&b)
		default:
			return
		}
	}
}

func (c *Counter) writeBatch(b *batch) {
	for _, w := range b.writes {
		if err := c.write(w); err != nil {
			c.writes.warn("hits are lost", err)
		}
		c.pending.Add(-w.hits)
	}
}

func (c *Counter) write(w write) error {
	s := pick(c.hosts.list(), w.sum)
	if w.back {
		return c.decrement(s, w)
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
		_, err := client.Decrement(w.key, w.add)
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
