package ratelimit

import (
	"cmp"
	"slices"
	"sync"
)

// Traffic is which counter keys are busy right now, for somebody who watches.
// Nothing is kept while nobody does.
//
// Between two Takes only the first keys that come by get a place, which bounds
// memory and work when every call brings a new key. A key that is busy enough to
// be worth showing is among the first.
type Traffic struct {
	mu   sync.Mutex
	keys map[string]*KeyTraffic
}

// KeyTraffic is the hits of one counter key since the last Take.
type KeyTraffic struct {
	Key     string
	Rule    string // path of the rule, or "override"
	Limit   Limit
	Hits    uint64
	Refused uint64
}

const trafficPlaces = 4096

// Watch begins to keep Traffic; Unwatch ends it. One watches at a time.
func (l *Limiter) Watch() *Traffic {
	t := &Traffic{keys: make(map[string]*KeyTraffic)}
	l.traffic.Store(t)
	return t
}

// Unwatch stops keeping Traffic.
func (l *Limiter) Unwatch() { l.traffic.Store(nil) }

// Take returns the keys with the most hits since the last Take, busiest first.
func (t *Traffic) Take(most int) []KeyTraffic {
	t.mu.Lock()
	taken := t.keys
	t.keys = make(map[string]*KeyTraffic, len(taken))
	t.mu.Unlock()
	all := make([]KeyTraffic, 0, len(taken))
	for _, k := range taken {
		all = append(all, *k)
	}
	slices.SortFunc(all, func(a, b KeyTraffic) int {
		return cmp.Or(cmp.Compare(b.Hits, a.Hits), cmp.Compare(a.Key, b.Key))
	})
	return all[:min(most, len(all))]
}

// note counts a check. A nil Traffic keeps nothing.
func (t *Traffic) note(ch *check, refused bool) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.keys[string(ch.hit.Key)]
	if k == nil {
		if len(t.keys) >= trafficPlaces {
			return
		}
		k = newKeyTraffic(ch)
		t.keys[k.Key] = k
	}
	k.Hits += uint64(ch.hits)
	if refused {
		k.Refused += uint64(ch.hits)
	}
}

func newKeyTraffic(ch *check) *KeyTraffic {
	k := &KeyTraffic{Key: string(ch.hit.Key), Rule: "override", Limit: ch.limit}
	if ch.rule != nil {
		k.Rule = ch.rule.Path
	}
	return k
}
