package ratelimit

import "context"

// A Counter keeps totals by key. Implementations: memory, redis, memcache; all
// pass countertest.Run.
type Counter interface {
	// Add applies the hits in order, in one round trip, and sets each Count to
	// the total after its hit; the same key twice counts twice. A key is
	// forgotten some time after its window. On an error every Count is
	// meaningless, though some hits may have been counted.
	Add(ctx context.Context, hits []Hit) error
}

// A StopCounter can also spare the other counters of a call that will be refused.
type StopCounter interface {
	Counter

	// AddUnlessOver is Add, except that when some hits would bring their count
	// above their Limit, only those are added and every other one just looks
	// (hits given back are given back all the same).
	// Reading and adding are one step for everyone else.
	AddUnlessOver(ctx context.Context, hits []Hit) error
}

// A Hit is what one call wants of one counter, and the total it found there.
type Hit struct {
	Key    []byte // borrowed: valid during the call only
	Window Window // the window the key belongs to; a counter keeps the key until it ends
	Add    uint32 // hits to add; 0 looks: nothing is added, no key comes into being
	Back   bool   // take Add away instead: never below zero, and no key comes into being
	Limit  uint32 // read by AddUnlessOver only
	Count  uint64 // set by the counter
}

// SpareOthers applies the rule of AddUnlessOver to hits whose Count was just
// read: when some would be over, every other one looks instead of adding.
func SpareOthers(hits []Hit) {
	if !anyWouldBeOver(hits) {
		return
	}
	for i := range hits {
		if h := &hits[i]; !h.Back && !h.wouldBeOver() {
			h.Add = 0
		}
	}
}

func anyWouldBeOver(hits []Hit) bool {
	for i := range hits {
		if !hits[i].Back && hits[i].wouldBeOver() {
			return true
		}
	}
	return false
}

func (h *Hit) wouldBeOver() bool { return h.Count+uint64(h.Add) > uint64(h.Limit) }
