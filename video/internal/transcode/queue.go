package transcode

import (
	"context"
	"sync"
	"time"

	"stoa/video/internal/encode"
	"stoa/video/internal/live"
)

// source is what is encoded from some time on.
type source struct {
	format     live.Format
	head       live.Head
	renditions []encode.Rendition
	steps      []*step // in the same order
}

// item is a frame, or a source that begins.
type item struct {
	start *source
	frame live.Frame
}

// queue is between the publisher and the encoder. When it is full, all is dropped up to
// the next key frame: viewers want what is now.
type queue struct {
	wake chan struct{} // something has changed

	mu      sync.Mutex
	items   []item
	bytes   int
	closed  bool
	waiting bool // for a key frame
	told    bool // that frames were dropped
}

// What waits at most: as long as an encoder needs to start on a busy machine.
const (
	maxQueued = 5 * time.Second
	maxBytes  = 32 << 20
	maxItems  = 1024
)

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

func (q *queue) start(s source) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) < maxItems {
		q.items, q.waiting = append(q.items, item{start: &s}), true
	}
	q.signal()
}

// put takes a frame, and answers whether that is the first time that some are dropped.
func (q *queue) put(f live.Frame) (dropped bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	if q.full(f) {
		q.drop()
		dropped, q.told = !q.told, true
	}
	if q.waiting && !f.Key {
		return dropped
	}
	q.waiting = false
	q.items, q.bytes = append(q.items, item{frame: f}), q.bytes+len(f.Payload)
	q.signal()
	return dropped
}

func (q *queue) full(f live.Frame) bool {
	for _, i := range q.items {
		if i.start == nil {
			return f.DTS-i.frame.DTS > maxQueued || q.bytes+len(f.Payload) > maxBytes || len(q.items) >= maxItems
		}
	}
	return false
}

// clear drops all frames; the next is a key frame.
func (q *queue) clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.drop()
}

// drop leaves the source that is to begin last.
func (q *queue) drop() {
	var last []item
	for _, i := range q.items {
		if i.start != nil {
			last = []item{i}
		}
	}
	q.items, q.bytes, q.waiting = last, 0, true
}

// next waits for the first item and takes it. Not ok: there will be none.
func (q *queue) next(ctx context.Context) (_ item, ok bool) { return q.take(ctx, nil) }

// take is next for what is wanted; what is not stays, and is not ok.
func (q *queue) take(ctx context.Context, wanted func(item) bool) (_ item, ok bool) {
	for ctx.Err() == nil {
		q.mu.Lock()
		if len(q.items) > 0 {
			first := q.items[0]
			if wanted != nil && !wanted(first) {
				q.mu.Unlock()
				return item{}, false
			}
			q.items[0] = item{}
			q.items, q.bytes = q.items[1:], q.bytes-len(first.frame.Payload)
			q.mu.Unlock()
			return first, true
		}
		closed := q.closed
		q.mu.Unlock()
		if closed {
			break
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
		}
	}
	return item{}, false
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.signal()
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}
