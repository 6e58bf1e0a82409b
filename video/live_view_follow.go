package video

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"stoa/video/internal/live"
)

// followed is a broadcast as viewers of this process have it: as it is cut here, or as
// another process stores it.
func (s *Service) followed(ctx context.Context, row broadcastRow) (*broadcast, error) {
	if b, here := s.broadcasts.find(row.id); here {
		return b, nil
	}
	f := s.followers.find(row)
	f.asked.Store(time.Now().UnixNano())
	if !f.known.Load() {
		if err := f.update(ctx); err != nil {
			return nil, err
		}
	}
	return f.broadcast, nil
}

// followers are the broadcasts that viewers of this process watch and that are not cut
// here: another process stores them, or they are over.
type followers struct {
	s   *Service
	mu  sync.Mutex
	all map[string]*follower
}

func newFollowers(s *Service) *followers { return &followers{s: s, all: map[string]*follower{}} }

const (
	followTime = time.Second      // between two looks, should a notice be lost
	idleTime   = 30 * time.Second // after which a broadcast that nobody asks for is forgotten
)

// find is the follower of a broadcast, a new one if there is none.
func (m *followers) find(row broadcastRow) *follower {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, known := m.all[row.id]
	if !known {
		b := &broadcast{id: row.id, videoID: row.videoID, windows: map[string]*live.Window{}}
		f = newFollower(m.s, b)
		m.all[row.id] = f
	}
	return f
}

// run keeps them as new as the database until the context ends.
func (m *followers) run(ctx context.Context) error {
	var updates sync.WaitGroup
	defer updates.Wait()
	wake := func(f *follower) {
		if f.woken.Swap(true) {
			return
		}
		updates.Go(func() {
			f.woken.Store(false) // what comes from now on needs another look
			if err := f.update(ctx); err != nil && ctx.Err() == nil {
				m.s.log.Warn("follow a broadcast", "broadcast_id", f.id, "error", err)
			}
		})
	}
	wakeAll := func() {
		for _, f := range m.used(time.Now()) {
			wake(f)
		}
	}
	updates.Go(func() {
		tick := time.NewTicker(followTime)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				wakeAll()
			}
		}
	})
	return m.s.db.Listen(ctx, liveChannel, func(id string) {
		m.mu.Lock()
		f, known := m.all[id]
		m.mu.Unlock()
		if known {
			wake(f)
		}
	}, wakeAll)
}

// used forgets the broadcasts that nobody asks for, and returns the others.
func (m *followers) used(now time.Time) []*follower {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.all, func(_ string, f *follower) bool { return now.Sub(time.Unix(0, f.asked.Load())) > idleTime })
	return slices.Collect(maps.Values(m.all))
}
