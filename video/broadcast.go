package video

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"stoa/video/internal/live"
)

// Enter lets a publisher in who has the key of a live stream: it begins a broadcast, or
// goes on with the one whose publisher has been away for less than a minute.
func (s *Service) Enter(ctx context.Context, key string, from live.Publisher) (live.Feed, error) {
	stream, err := s.liveStreamByKey(ctx, key)
	if errors.Is(err, errNoLiveStream) {
		return nil, live.ErrUnknownKey
	}
	if err != nil {
		return nil, err
	}
	row, err := s.openBroadcast(ctx, stream)
	if err != nil {
		return nil, err
	}
	p, err := s.newPublisher(ctx, stream, row, from)
	if err != nil {
		s.leaveBroadcast(context.WithoutCancel(ctx), row.id, row.run)
		return nil, err
	}
	p.log.Info("publisher came", "protocol", from.Protocol, "broadcast_id", row.id, "run", row.run)
	return p, nil
}

// broadcasts are those that publishers send to this process.
type broadcasts struct {
	mu  sync.Mutex
	all map[string]*broadcast
}

func newBroadcasts() *broadcasts { return &broadcasts{all: map[string]*broadcast{}} }

// broadcast is one of them, as this process serves it: also while its publisher is
// away, and for some time after its end.
type broadcast struct {
	id      string
	videoID string // of the recording, and so of the files

	mu      sync.Mutex
	run     int     // of its last publisher here
	sending *airing // nil: its publisher has left
	windows map[string]*live.Window
}

// find is a broadcast that this process has the newest of. Others are read from rows.
func (b *broadcasts) find(id string) (*broadcast, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	found, ok := b.all[id]
	return found, ok
}

// add keeps a broadcast, or the one that is kept already.
func (b *broadcasts) add(added *broadcast) *broadcast {
	b.mu.Lock()
	defer b.mu.Unlock()
	if kept, ok := b.all[added.id]; ok {
		return kept
	}
	b.all[added.id] = added
	return added
}

// forget is for broadcasts that another process goes on with, or that are over.
func (b *broadcasts) forget(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.all, id)
}

// list is all of them.
func (b *broadcasts) list() []*broadcast {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Values(b.all))
}

// finish is told that a broadcast has ended. Its publisher, if he is here, stores what
// is cut of it and makes the recording.
func (b *broadcasts) finish(id string) {
	if found, ok := b.find(id); ok {
		if a := found.sent(); a != nil {
			go a.finish()
		}
	}
}

// sent is what its publisher sends, nil if he has left.
func (b *broadcast) sent() *airing {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sending
}

// take is for a new publisher.
func (b *broadcast) take(a *airing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.run, b.sending = a.run, a
}

// letGo is for one who leaves.
func (b *broadcast) letGo(a *airing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sending == a {
		b.sending = nil
	}
}

func (b *broadcast) lastRun() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.run
}

// window is what viewers can have of a track.
func (b *broadcast) window(track string) (*live.Window, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w, ok := b.windows[track]
	return w, ok
}

// tracks are the names of the tracks, sorted.
func (b *broadcast) tracks() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.windows))
}

// openWindow is the window of a track, a new one if there is none yet.
func (b *broadcast) openWindow(track string) *live.Window {
	b.mu.Lock()
	defer b.mu.Unlock()
	w, ok := b.windows[track]
	if !ok {
		w = live.NewWindow(dvrTime)
		b.windows[track] = w
	}
	return w
}

// end tells viewers that nothing more comes.
func (b *broadcast) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.windows {
		w.End()
	}
}

// dvrTime is how far viewers can go back in a broadcast, and how long they can watch
// one that has ended, at most.
const dvrTime = time.Hour
