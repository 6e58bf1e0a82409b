package memcache

import "sync"

// A write is what is to become of a key: take away, but not below 0, and then
// add. Any number of hits, given back or not, comes down to these two steps, so
// a key waits only once however often it is hit.
type write struct {
	key     string
	sum     uint32 // CRC-32 of the key
	seconds int64  // of the window
	take    uint64
	add     uint64
}

func (w *write) hit(n uint64, back bool) {
	if !back {
		w.add += n
		return
	}
	unadded := min(w.add, n)
	w.add -= unadded
	w.take += n - unadded
}

// A lane is the writes that wait for one writer. All writes of a key take the
// same lane, so they stay in order.
type lane struct {
	more chan struct{} // holds one signal while there may be something to write

	mu      sync.Mutex
	waiting []write
	place   map[string]int // in waiting
}

func newLane() *lane {
	return &lane{more: make(chan struct{}, 1), place: map[string]int{}}
}

// put applies a hit to the write of its key. It reports whether that write is
// new, and whether there was room for it.
func (l *lane) put(k *key, seconds int64, n uint64, back bool) (fresh, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, known := l.place[k.name]
	if !known {
		if len(l.waiting) == laneRoom {
			return false, false
		}
		at = len(l.waiting)
		l.waiting = append(l.waiting, write{key: k.name, sum: k.sum, seconds: seconds})
		l.place[k.name] = at
		select {
		case l.more <- struct{}{}:
		default:
		}
	}
	l.waiting[at].hit(n, back)
	return !known, true
}

// swap returns what is waiting. The writes returned before make room for what
// comes next.
func (l *lane) swap(before []write) []write {
	l.mu.Lock()
	defer l.mu.Unlock()
	writes := l.waiting
	l.waiting = before[:0]
	clear(l.place)
	return writes
}
