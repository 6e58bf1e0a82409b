package video

import (
	"maps"
	"sync"
	"time"
)

// HookPlaces is how many deliveries a process makes at once.
const HookPlaces = 32

const (
	placesOfHook = 4 // that one webhook may have
	shortestRest = time.Second
	restSpacing  = 20 * time.Millisecond // between two that rest for the same reason
)

// hookShares says who may call a webhook now, as many at once as is fair: receivers that
// never answer take no places from others. A project has at most as many as are free, so
// that the next one finds some.
type hookShares struct {
	mu    sync.Mutex
	all   int                  // calls on their way
	of    map[string]int       // the same, by project and by webhook
	rests map[string]time.Time // until when the last one rests, by what it rests for
}

func newHookShares() *hookShares {
	return &hookShares{of: map[string]int{}, rests: map[string]time.Time{}}
}

// party is whom a call counts for.
type party struct{ project, hook string }

// enter takes a place, or says how long to rest before the next try.
func (h *hookShares) enter(p party) (rest time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.of[p.hook] >= placesOfHook:
		return h.rest(p.hook)
	case h.of[p.project] >= HookPlaces-h.all:
		return h.rest(p.project)
	}
	h.all++
	h.of[p.hook]++
	h.of[p.project]++
	return 0
}

func (h *hookShares) leave(p party) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all--
	for _, name := range []string{p.hook, p.project} {
		if h.of[name]--; h.of[name] == 0 {
			delete(h.of, name)
		}
	}
}

// rest has those that come in vain come again one after the other, in their order: however
// many they are, looking at them takes little time.
func (h *hookShares) rest(reason string) time.Duration {
	now := time.Now()
	maps.DeleteFunc(h.rests, func(_ string, until time.Time) bool { return until.Before(now) })
	until := now.Add(shortestRest)
	if last := h.rests[reason].Add(restSpacing); last.After(until) {
		until = last
	}
	h.rests[reason] = until
	return until.Sub(now)
}
