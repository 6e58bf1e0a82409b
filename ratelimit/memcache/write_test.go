package memcache

import (
	"context"
	"math"
	"strconv"
	"sync"
	"testing"
	"time"

	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/memcache/memcachetest"
)

func TestExpiry(t *testing.T) {
	now := time.Unix(1794700800, 0)
	tests := []struct {
		name    string
		now     time.Time
		seconds int64
		jitter  int
		want    int32
	}{
		{"second, no jitter", now, 1, 0, 2},
		{"minute, jitter of nothing", now, 60, 1, 61},
		{"just below 30 days", now, 30*86400 - 1, 0, 30 * 86400},
		{"30 days", now, 30 * 86400, 0, 1794700800 + 30*86400 + 1},
		{"year", now, 365 * 86400, 0, 1794700800 + 365*86400 + 1},
		{"past 2038", now, 20 * 365 * 86400, 0, 0},
		{"100 years", now, 100 * 365 * 86400, 0, 0},
		{"last date that fits", time.Unix(math.MaxInt32-365*86400-1, 0), 365 * 86400, 0, math.MaxInt32},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := expiry(tt.now, tt.seconds, tt.jitter); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
	for range 1000 {
		if got := expiry(now, 60, 10); got < 61 || got > 69 {
			t.Fatalf("got %d, want 61 to 69", got)
		}
	}
}

func TestNoHitIsLostBetweenProcesses(t *testing.T) {
	s := memcachetest.Start(t)
	registry := stats.NewRegistry()
	const processes, calls = 8, 50
	var all sync.WaitGroup
	for range processes {
		c := running(t, of(s), Options{Stats: registry}).patient()
		all.Go(func() {
			for i := range calls {
				key := []byte("k" + strconv.Itoa(i))
				if err := c.Add(t.Context(), []ratelimit.Hit{{Key: key, Window: minute, Add: 3}}); err != nil {
					t.Error(err)
				}
			}
			c.settle(t)
		})
	}
	all.Wait()
	for i := range calls {
		if got, want := stored(t, s, "k"+strconv.Itoa(i)), strconv.Itoa(3*processes); got != want {
			t.Errorf("key %d: got %s, want %s", i, got, want)
		}
	}
	t.Logf("%d of the adds were too late", total(registry, "add", "not_stored"))
}

func TestFullQueueDropsAndDoesNotBlock(t *testing.T) {
	s := memcachetest.Start(t)
	var failed failures
	registry := stats.NewRegistry()
	c := idle(t, of(s), Options{Stats: registry, Failed: failed.failed})
	const more = 10
	for i, sent := 0, 0; sent < laneRoom+more; i++ {
		k := newKey(c.hosts.list(), []byte("k"+strconv.Itoa(i)))
		if k.sum%lanes != 0 {
			continue
		}
		sent++
		if err := c.Add(t.Context(), []ratelimit.Hit{{Key: []byte(k.name), Window: minute, Add: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if got := failed.Load(); got != more {
		t.Errorf("got %d failed calls, want %d", got, more)
	}
	if got := total(registry, "increment", "error"); got != more {
		t.Errorf("got %d increment errors, want %d", got, more)
	}
}

func TestRunWritesWhatIsQueuedAtItsEnd(t *testing.T) {
	s := memcachetest.Start(t)
	var failed failures
	c := idle(t, of(s), Options{Failed: failed.failed}).patient()
	for i := range 2000 {
		key := []byte("k" + strconv.Itoa(i))
		if err := c.Add(t.Context(), []ratelimit.Hit{{Key: key, Window: minute, Add: 7}}); err != nil {
			t.Fatal(err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := c.Run(ended); err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		if got := stored(t, s, "k"+strconv.Itoa(i)); got != "7" {
			t.Fatalf("key %d: got %q, want 7", i, got)
		}
	}
	if failed.Load() != 0 {
		t.Fatalf("got %d failed calls, want none", failed.Load())
	}
	if add(t, c, "late", 1); failed.Load() != 1 {
		t.Error("a hit after the end was not told as failed")
	}
}
