package memcache

import (
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/ratelimit"
	"stoa/ratelimit/memcache/memcachetest"
)

func TestFewConnectionsStayInQuietTimes(t *testing.T) {
	s := memcachetest.Start(t)
	cfg := of(s)
	cfg.MaxIdleConns = 3
	c := running(t, cfg, Options{})
	var callers sync.WaitGroup
	for i := range 50 {
		callers.Go(func() {
			key := []byte(strings.Repeat("k", i+1))
			for range 20 {
				if err := c.Add(t.Context(), []ratelimit.Hit{{Key: key, Window: minute, Add: 1}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	callers.Wait()
	if opened := s.Stat("total_connections"); opened > 500 {
		t.Errorf("opened %d connections for 1000 calls", opened)
	}
	unused := memcachetest.Start(t).Stat("curr_connections") // its own, and the one that asks
	within(t, 5*time.Second, "few connections left", func() bool {
		add(t, c, "k", 1)
		return s.Stat("curr_connections") <= unused+3
	})
}

func TestTidyFollowsTheLoad(t *testing.T) {
	s := newServer("a:1", 2, nil, nil, nil)
	for _, step := range []struct{ peak, opened int }{
		{10, 10}, // all needed
		{6, 10},  // a little less load: kept
		{4, 4},   // less than half
		{2, 2},   // quiet
		{0, 2},
	} {
		for range step.peak {
			mustEnter(t, &s.gate)
		}
		for range step.peak {
			s.gate.leave(nil)
		}
		s.tidy()
		s.gate.peakSince() // the next step starts from nothing
		if s.opened != step.opened {
			t.Errorf("peak %d: got %d connections at most, want %d", step.peak, s.opened, step.opened)
		}
	}
}
