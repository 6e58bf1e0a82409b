package redis_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stoa/ratelimit/redis"
	"stoa/ratelimit/redis/redistest"
)

// pause stops the server until resume is called, at the latest when the test
// ends.
func pause(t *testing.T, s *redistest.Server) (resume func()) {
	t.Helper()
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	resume = sync.OnceFunc(func() { s.Resume() })
	t.Cleanup(resume)
	return resume
}

// eventually waits until the counter counts again.
func eventually(t *testing.T, c *redis.Counter, within time.Duration) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(within); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if _, err = tryHit(t.Context(), c, "again", 1); err == nil {
			return
		}
	}
	t.Fatalf("no count within %s: %v", within, err)
}

func TestShortStallFailsNoCall(t *testing.T) {
	s := redistest.Start(t)
	cfg := tcp(s.Addr())
	cfg.Main.Timeout = 3 * time.Second
	c := open(t, cfg, redis.Options{})
	resume := pause(t, s)
	const calls = 4000 // more than are let into the client at a time
	var wg sync.WaitGroup
	var failed atomic.Int64
	for range calls {
		wg.Go(func() {
			if _, err := tryHit(t.Context(), c, "k", 1); err != nil {
				failed.Add(1)
				t.Log(err)
			}
		})
	}
	time.Sleep(time.Second)
	resume()
	wg.Wait()
	if n := hit(t, c, "k", 1); failed.Load() != 0 || n != calls+1 {
		t.Errorf("got %d failed, count %d want 0, %d", failed.Load(), n, calls+1)
	}
}

func TestLongStallEndsEveryCallInTime(t *testing.T) {
	s := redistest.Start(t)
	cfg := tcp(s.Addr())
	cfg.Main.Timeout = 500 * time.Millisecond
	var log logBuffer
	c := open(t, cfg, redis.Options{Log: log.logger()})
	hit(t, c, "k", 1)
	before := runtime.NumGoroutine()
	resume := pause(t, s)
	const calls = 20000
	var wg sync.WaitGroup
	var answered, slowest atomic.Int64
	for i := range calls {
		wg.Go(func() {
			ctx := t.Context()
			if i%2 == 0 { // half of the callers do not wait that long
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 100*time.Millisecond)
				defer cancel()
			}
			began := time.Now()
			if _, err := tryHit(ctx, c, fmt.Sprint("k", i%100), 1); err == nil {
				answered.Add(1)
			}
			slowest.Store(max(slowest.Load(), int64(time.Since(began))))
		})
	}
	wg.Wait()
	if answered.Load() != 0 || time.Duration(slowest.Load()) > 3*time.Second {
		t.Errorf("got %d answers, slowest %s want none, about 500ms", answered.Load(), time.Duration(slowest.Load()))
	}

	began := time.Now()
	_, err := tryHit(t.Context(), c, "k", 1)
	if err == nil || !strings.Contains(err.Error(), "redis is away: no answer within 500ms") || time.Since(began) > 400*time.Millisecond {
		t.Errorf("got %v after %s want the cause at once", err, time.Since(began))
	}
	for deadline := time.Now().Add(3 * time.Second); runtime.NumGoroutine() > before+50; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("got %d goroutines, had %d", runtime.NumGoroutine(), before)
		}
	}
	resume()
	eventually(t, c, 15*time.Second)
	if out := log.String(); strings.Count(out, "redis is away") != 1 || strings.Count(out, "redis answers again") != 1 {
		t.Errorf("got log %s want one line about the loss and one about the end of it", out)
	}
}

func TestOwnDeadlineDoesNotOpenTheBreaker(t *testing.T) {
	s := redistest.Start(t)
	var log logBuffer
	c := open(t, tcp(s.Addr()), redis.Options{Log: log.logger()})
	resume := pause(t, s)
	var wg sync.WaitGroup
	for range 3000 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if _, err := tryHit(ctx, c, "k", 1); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v want the caller's deadline", err)
			}
		})
	}
	wg.Wait()
	resume()
	eventually(t, c, time.Second)
	if out := log.String(); strings.Contains(out, "away") {
		t.Errorf("got log %s want nothing about a loss", out)
	}
	// Places left behind come back: all of them can be taken once more.
	for range 3 {
		for range 1500 {
			ctx, cancel := context.WithCancel(t.Context())
			wg.Go(func() { tryHit(ctx, c, "k", 1) })
			cancel()
		}
		wg.Wait()
		time.Sleep(150 * time.Millisecond)
	}
	eventually(t, c, time.Second)
}

func TestCancelledCallerIsNotCounted(t *testing.T) {
	c := open(t, tcp(redistest.Start(t).Addr()), redis.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tryHit(ctx, c, "k", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v want canceled", err)
	}
	if n := hit(t, c, "k", 1); n != 1 {
		t.Errorf("got %d want 1", n)
	}
}
