package redis

import (
	"hash/maphash"
	"math/rand/v2"
	"sync/atomic"
)

const (
	expirySets = 1 << 17 // of four places: 4 MB
	expiryWays = 4
)

// expiries remembers which keys this process has given an expiry: the last half
// million or so, by their hashes, in memory that never grows. To forget a key
// costs one EXPIRE too many. To hold a new key for a known one, be it that two
// hashes are the same or that redis lost the key, is found out by its first
// total, which is then that of a new key.
type expiries struct {
	seed   maphash.Seed
	places []atomic.Uint64
}

func newExpiries() *expiries {
	return &expiries{seed: maphash.MakeSeed(), places: make([]atomic.Uint64, expirySets*expiryWays)}
}

// hash is never 0, which is an empty place. Windows of different length that start
// together have the same key, and each gives it the expiry that it needs.
func (e *expiries) hash(key []byte, seconds int64) uint64 {
	return maphash.Bytes(e.seed, key) ^ uint64(seconds)<<1 | 1
}

func (e *expiries) set(hash uint64) []atomic.Uint64 {
	first := hash >> 1 % expirySets * expiryWays
	return e.places[first : first+expiryWays]
}

func (e *expiries) known(hash uint64) bool {
	set := e.set(hash)
	for i := range set {
		if set[i].Load() == hash {
			return true
		}
	}
	return false
}

// remember takes the place of a key that is likely of an older window.
func (e *expiries) remember(hash uint64) {
	set := e.set(hash)
	for i := range set {
		switch set[i].Load() {
		case hash:
			return
		case 0:
			if set[i].CompareAndSwap(0, hash) {
				return
			}
		}
	}
	set[rand.Uint32()%expiryWays].Store(hash)
}

func (e *expiries) forget(hash uint64) {
	set := e.set(hash)
	for i := range set {
		set[i].CompareAndSwap(hash, 0)
	}
}
