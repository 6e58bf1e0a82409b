package restream

import (
	"context"
	"sync"

	"stoa/video/internal/live"
)

// What waits for a target, at most: some seconds of a good picture.
const (
	maxBytes  = 8 << 20
	maxFrames = 2000
)

// queue is what waits for a target. It is closed while there is no connection: nothing
// waits then.
type queue struct {
	mu      sync.Mutex
	opened  bool
	formats *[]live.Format // of what is put now
	picture int            // the track that has pictures, or -1
	items   []item
	bytes   int
	skip    bool // until the next key frame
	lost    int
	ready   chan struct{} // holds one token when there may be items
}

// item is a frame with the formats in force when it came.
type item struct {
	formats *[]live.Format
	frame   live.Frame
}

func newQueue() queue { return queue{picture: -1, ready: make(chan struct{}, 1)} }

func (q *queue) start(formats []live.Format) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.formats, q.picture = &formats, -1
	for i, f := range formats {
		if f.IsVideo() {
			q.picture = i
		}
	}
}

// open begins at the next key frame.
func (q *queue) open() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.opened, q.skip = true, true
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.opened = false
	q.clear()
}

// put adds a frame. When there is no room, the older groups of pictures go, or the
// newest too if it is the only one.
func (q *queue) put(f live.Frame) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.opened || q.formats == nil || f.Track < 0 || f.Track >= len(*q.formats) {
		return
	}
	if q.skip && !q.begins(f) {
		q.lost++
		return
	}
	q.skip = false
	q.items = append(q.items, item{q.formats, f})
	q.bytes += len(f.Payload)
	if q.bytes > maxBytes || len(q.items) > maxFrames {
		q.makeRoom()
	}
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// begins tells whether what is sent can begin with a frame.
func (q *queue) begins(f live.Frame) bool { return f.Key && (q.picture < 0 || f.Track == q.picture) }

func (q *queue) makeRoom() {
	last := len(q.items) - 1
	for last > 0 && !(q.items[last].formats == q.formats && q.begins(q.items[last].frame)) {
		last--
	}
	if last == 0 {
		q.lost += len(q.items)
		q.clear()
		q.skip = true
		return
	}
	q.lost += last
	for _, old := range q.items[:last] {
		q.bytes -= len(old.frame.Payload)
	}
	q.items = append([]item(nil), q.items[last:]...)
}

func (q *queue) clear() { q.items, q.bytes = nil, 0 }

// take waits for the oldest item.
func (q *queue) take(ctx context.Context) (item, error) {
	for {
		if next, ok := q.shift(); ok {
			return next, nil
		}
		select {
		case <-ctx.Done():
			return item{}, ctx.Err()
		case <-q.ready:
		}
	}
}

func (q *queue) shift() (item, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return item{}, false
	}
	next := q.items[0]
	q.items[0] = item{}
	q.items = q.items[1:]
	q.bytes -= len(next.frame.Payload)
	return next, true
}

func (q *queue) lostSoFar() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lost
}
