package polls

import (
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"stoa/internal/stats"
	"stoa/polls/limits"
)

// tellEvery is how often at most the watchers of a poll are told of changes.
const tellEvery = 500 * time.Millisecond

// watchers is everybody who watches polls live through this process. They are
// told states, not differences: who misses one, misses nothing.
type watchers struct {
	most, mostFrom int  // streams at all, and of one address
	shared         bool // other processes serve the same polls
	refused        *stats.Counter

	mu      sync.Mutex
	polls   map[int64]*watched
	changed map[int64]bool // by this process, since the others were last told
	open    int
	from    map[netip.Addr]int
	stopped bool
}

// watched is a poll that somebody watches.
type watched struct {
	state   raised
	streams map[*stream]bool
	told    time.Time // when the streams were last woken
	due     bool      // they will be woken
}

// stream is one watcher.
type stream struct {
	poll    int64
	network netip.Addr
	wake    chan struct{} // has room for one
	stop    chan struct{}
}

func newWatchers(most, mostFrom int, shared bool, registry *stats.Registry, environment string) *watchers {
	w := &watchers{
		most: most, mostFrom: mostFrom, shared: shared, refused: registry.Counter("stoa.polls.streams_refused"),
		polls: map[int64]*watched{}, changed: map[int64]bool{}, from: map[netip.Addr]int{},
	}
	registry.GaugeFunc("stoa.polls.streams", func() int64 {
		w.mu.Lock()
		defer w.mu.Unlock()
		return int64(w.open)
	}, stats.Tag{Key: "environment", Value: environment})
	return w
}

// join adds a watcher, nil when there are too many of them. Who has joined reads how
// the poll stands and says so by found: a change from before would be told to
// nobody else.
func (w *watchers) join(poll int64, address netip.Addr) *stream {
	s := &stream{poll: poll, network: limits.Network(address), wake: make(chan struct{}, 1), stop: make(chan struct{})}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped || w.open >= w.most || w.from[s.network] >= w.mostFrom {
		w.refused.Add(1)
		return nil
	}
	p := w.polls[poll]
	if p == nil {
		p = &watched{streams: map[*stream]bool{}}
		w.polls[poll] = p
	}
	p.streams[s] = true
	w.open++
	w.from[s.network]++
	return s
}

// leave takes a watcher out.
func (w *watchers) leave(s *stream) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p := w.polls[s.poll]; p != nil {
		delete(p.streams, s)
		if len(p.streams) == 0 {
			delete(w.polls, s.poll)
		}
	}
	w.open--
	if w.from[s.network]--; w.from[s.network] == 0 {
		delete(w.from, s.network)
	}
}

// state is how a stream's poll stands.
func (w *watchers) state(s *stream) raised {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.polls[s.poll].state
}

// tell is told of every change that this process commits. It does not wait.
func (w *watchers) tell(polls []raised) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range polls {
		if w.shared {
			w.changed[r.poll] = true
		}
		w.update(r)
	}
}

// found is told of states that were read from the database.
func (w *watchers) found(polls []raised) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range polls {
		w.update(r)
	}
}

// update keeps what is newer than what is known, and sees to it that the streams
// are woken soon, but not too often.
func (w *watchers) update(r raised) {
	p := w.polls[r.poll]
	if p == nil || r.version <= p.state.version {
		return
	}
	p.state = r
	if p.due {
		return
	}
	p.due = true
	time.AfterFunc(max(0, tellEvery-time.Since(p.told)), func() { w.wake(r.poll) })
}

func (w *watchers) wake(poll int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.polls[poll]
	if p == nil {
		return
	}
	p.due, p.told = false, time.Now()
	for s := range p.streams {
		select {
		case s.wake <- struct{}{}:
		default: // has not looked since the last time
		}
	}
}

// watchedPolls is which polls somebody watches.
func (w *watchers) watchedPolls() []int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Keys(w.polls))
}

// takeChanged is the polls that this process changed since the last call.
func (w *watchers) takeChanged() []int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	polls := slices.Collect(maps.Keys(w.changed))
	clear(w.changed)
	return polls
}

// end ends all streams, and lets nobody join any more.
func (w *watchers) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return
	}
	w.stopped = true
	for _, p := range w.polls {
		for s := range p.streams {
			close(s.stop)
		}
	}
}
