package memory_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/countertest"
	"stoa/ratelimit/memory"
)

func open(maxKeys int) (*memory.Counter, *stats.Registry) {
	registry := stats.NewRegistry()
	return memory.New(memory.Config{MaxKeys: maxKeys}, registry, slog.New(slog.NewTextHandler(io.Discard, nil))), registry
}

func TestCounter(t *testing.T) {
	countertest.Run(t, func(*testing.T) ratelimit.Counter { c, _ := open(10000); return c })
}

func hit(t *testing.T, unit ratelimit.Unit, key string) ratelimit.Hit {
	h := countertest.Key(t, unit)
	h.Key, h.Add = []byte(key), 1
	return h
}

func TestFullMemoryRefusesNewKeysOnly(t *testing.T) {
	c, _ := open(2)
	for _, key := range []string{"a", "b"} {
		if err := c.Add(t.Context(), []ratelimit.Hit{hit(t, ratelimit.Hour, key)}); err != nil {
			t.Fatal(err)
		}
	}
	err := c.Add(t.Context(), []ratelimit.Hit{hit(t, ratelimit.Hour, "c")})
	if err == nil || err.Error() != "counter memory is full" {
		t.Errorf("a third key: got %v, want counter memory is full", err)
	}
	known := []ratelimit.Hit{hit(t, ratelimit.Hour, "a")}
	if err := c.Add(t.Context(), known); err != nil || known[0].Count != 2 {
		t.Errorf("a known key: got %d, %v, want 2", known[0].Count, err)
	}
}

func TestEndedWindowsMakeRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, registry := open(100)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Run(ctx) }()
		for i := range 100 {
			if err := c.Add(ctx, []ratelimit.Hit{hit(t, ratelimit.Minute, fmt.Sprint(i))}); err != nil {
				t.Fatal(err)
			}
		}
		wantKeys(t, registry, 100)
		time.Sleep(time.Minute + 5*time.Second)
		wantKeys(t, registry, 0)
		if err := c.Add(ctx, []ratelimit.Hit{hit(t, ratelimit.Minute, "new")}); err != nil {
			t.Errorf("after the window: %v", err)
		}
		wantKeys(t, registry, 1)
		stop()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

func wantKeys(t *testing.T, r *stats.Registry, want int64) {
	t.Helper()
	if got := r.Gauge("ratelimit.memory.keys").Value(); got != want {
		t.Errorf("ratelimit.memory.keys: got %d, want %d", got, want)
	}
}
