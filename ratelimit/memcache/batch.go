package memcache

// A batch is queued writes, those of the same key put together: a key that is
// hit often costs one increment, however many hits are waiting.
type batch struct {
	writes []write
	last   map[string]int // the last write of each key
}

// fill makes a batch of the first write and what else is in the lane.
func (b *batch) fill(first write, lane <-chan write) {
	b.writes = append(b.writes[:0], first)
	if len(lane) == 0 {
		return
	}
	if b.last == nil {
		b.last = map[string]int{}
	}
	clear(b.last)
	b.last[first.key] = 0
	for range batchMost {
		select {
		case w := <-lane:
			b.put(w)
		default:
			return
		}
	}
}

// put keeps the order of adding and giving back: because a count stops at 0, the
// two do not cancel out.
func (b *batch) put(w write) {
	if at, ok := b.last[w.key]; ok && b.writes[at].back == w.back {
		b.writes[at].add += w.add
		b.writes[at].hits += w.hits
		return
	}
	b.last[w.key] = len(b.writes)
	b.writes = append(b.writes, w)
}
