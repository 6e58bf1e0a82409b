package ratelimit

import (
	"sync/atomic"

	"stoa/internal/stats"
	"stoa/ratelimit/internal/windowed"
)

// KnownOver remembers keys that came out over their limit, so that the backend
// is not asked again in the same window. Its nil value remembers nothing.
type KnownOver struct {
	keys  *windowed.Map[struct{}]
	swept atomic.Int64 // second of the last sweep

	lookups, hits, turnedAway, expired, again atomic.Int64
	hitTimes                                  atomic.Int64 // sum of the unix seconds of hits
}

const (
	bytesPerKnownKey = 256 // a key of usual length with its place in the map
	minKnownBytes    = 512 << 10
)

// NewKnownOver makes a memory of about the given size, at least 512 KiB. When it
// is full, further keys are counted by the backend as if it were not there.
func NewKnownOver(bytes int, registry *stats.Registry) *KnownOver {
	o := &KnownOver{keys: windowed.New[struct{}](max(bytes, minKnownBytes) / bytesPerKnownKey)}
	gauge := func(name string, f func() int64) { registry.GaugeFunc("ratelimit.localcache."+name, f) }
	gauge("entryCount", func() int64 { return int64(o.keys.Len()) })
	gauge("lookupCount", o.lookups.Load)
	gauge("hitCount", o.hits.Load)
	gauge("missCount", func() int64 { return o.lookups.Load() - o.hits.Load() })
	gauge("evacuateCount", o.turnedAway.Load)
	gauge("expiredCount", o.expired.Load)
	gauge("overwriteCount", o.again.Load)
	gauge("averageAccessTime", func() int64 { return o.hitTimes.Load() / max(o.hits.Load(), 1) })
	return o
}

// Has tells whether the key is known to be over.
func (o *KnownOver) Has(key []byte, w Window, now int64) bool {
	if o == nil {
		return false
	}
	o.lookups.Add(1)
	if _, ok := o.keys.Load(w.Kept(), key); !ok {
		return false
	}
	o.hits.Add(1)
	o.hitTimes.Add(now)
	return true
}

// Remember notes that the key is over until its window ends.
func (o *KnownOver) Remember(key []byte, w Window, now int64) {
	if o == nil {
		return
	}
	if last := o.swept.Load(); last < now && o.swept.CompareAndSwap(last, now) {
		o.expired.Add(int64(o.keys.Sweep(now)))
	}
	switch _, loaded, ok := o.keys.LoadOrStore(w.Kept(), key, nothing); {
	case loaded:
		o.again.Add(1)
	case !ok:
		o.turnedAway.Add(1)
	}
}

// Forget is for hits given back: the key may be within its limit again.
func (o *KnownOver) Forget(key []byte, w Window) {
	if o != nil {
		o.keys.Delete(w.Kept(), key)
	}
}

// peek is Has for one who only looks: no statistics.
func (o *KnownOver) peek(key []byte, w Window) bool {
	if o == nil {
		return false
	}
	_, ok := o.keys.Load(w.Kept(), key)
	return ok
}

func nothing() struct{} { return struct{}{} }
