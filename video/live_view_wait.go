package video

import (
	"context"
	"sync"
)

// waits are the requests that wait for something to come. A server that ends does not
// wait for them.
type waits struct {
	mu    sync.Mutex
	all   map[*context.CancelFunc]struct{}
	ended bool
}

func newWaits() *waits { return &waits{all: map[*context.CancelFunc]struct{}{}} }

// join adds one, by what ends it. It is false when all have been ended.
func (w *waits) join(cancel *context.CancelFunc) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.all[cancel] = struct{}{}
	}
	return !w.ended
}

func (w *waits) leave(cancel *context.CancelFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.all, cancel)
}

// end ends all, and lets no new one begin.
func (w *waits) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	for cancel := range w.all {
		(*cancel)()
	}
}
