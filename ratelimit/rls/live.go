package rls

import (
	"context"
	"sync"
	"time"

	"stoa/ratelimit"
)

// live tells those who watch, once a second, what is being limited. The limiter
// keeps no record of it while nobody does.
type live struct {
	service *Service
	mu      sync.Mutex
	viewers map[chan moment]bool
	stop    context.CancelFunc
}

// moment is one second of traffic.
type moment struct {
	At      time.Time        `json:"at"`
	Healthy bool             `json:"healthy"`
	Hits    uint64           `json:"hits"`
	Refused uint64           `json:"refused"`
	Rules   []ratelimit.Flow `json:"rules"`
	Keys    []ratelimit.Flow `json:"keys"`
}

const (
	liveInterval = time.Second
	liveKeys     = 20
	liveViewers  = 100
)

func newLive(s *Service) *live { return &live{service: s, viewers: make(map[chan moment]bool)} }

// join begins to send moments; false when there are too many viewers.
func (l *live) join() (chan moment, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.viewers) >= liveViewers {
		return nil, false
	}
	viewer := make(chan moment, 1)
	l.viewers[viewer] = true
	if len(l.viewers) == 1 {
		ctx, stop := context.WithCancel(context.Background())
		l.stop = stop
		go l.tell(ctx, l.service.Limiter.Watch())
	}
	return viewer, true
}

func (l *live) leave(viewer chan moment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.viewers, viewer)
	if len(l.viewers) == 0 {
		l.stop()
		l.service.Limiter.Unwatch()
	}
}

// tell runs while somebody watches. A viewer that is slow misses moments.
func (l *live) tell(ctx context.Context, traffic *ratelimit.Traffic) {
	tick := time.NewTicker(liveInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case at := <-tick.C:
			m := l.moment(at, traffic)
			l.mu.Lock()
			for viewer := range l.viewers {
				select {
				case viewer <- m:
				default:
				}
			}
			l.mu.Unlock()
		}
	}
}

func (l *live) moment(at time.Time, traffic *ratelimit.Traffic) moment {
	m := moment{At: at.UTC(), Healthy: l.service.Health.OK()}
	m.Rules, m.Keys = traffic.Take(liveKeys)
	for _, r := range m.Rules {
		m.Hits += r.Hits
		m.Refused += r.Refused
	}
	return m
}
