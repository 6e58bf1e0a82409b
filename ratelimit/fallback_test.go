package ratelimit_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"stoa/ratelimit"
)

// distant is a limiter at the end of a line that takes time or breaks.
type distant struct {
	*ratelimit.Limiter
	takes atomic.Int64 // nanoseconds
	fails atomic.Pointer[error]
	calls atomic.Int64
}

func (f *distant) Decide(ctx context.Context, r *ratelimit.Request, d *ratelimit.Decision) error {
	f.calls.Add(1)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(f.takes.Load())):
	}
	if err := f.fails.Load(); err != nil {
		return *err
	}
	return f.Limiter.Decide(ctx, r, d)
}

func (f *distant) hang()           { f.takes.Store(int64(time.Hour)) }
func (f *distant) recover()        { f.takes.Store(0); f.fails.Store(nil) }
func (f *distant) refuse(by error) { f.fails.Store(&by) }

// line is a Fallback, told from its two ends by their limits: far 100, near 7.
type line struct {
	*ratelimit.Fallback
	far  *distant
	near *bench
	log  bytes.Buffer
}

func newLine(t *testing.T, farRules string) *line {
	t.Helper()
	l := &line{
		far:  &distant{Limiter: open(t, farRules, many).Limiter},
		near: open(t, domain("{key: user, rate_limit: {unit: year, requests_per_unit: 7}}"), many),
	}
	l.Fallback = ratelimit.NewFallback(ratelimit.FallbackOptions{
		Far: l.far, Near: l.near, Stats: l.near.stats, Log: slog.New(slog.NewTextHandler(&l.log, nil)),
	})
	return l
}

var farRules = domain("{key: user, rate_limit: {unit: year, requests_per_unit: 100}}")

// ask tells who decided, and how long it took.
func (l *line) ask(t *testing.T) (who string, took time.Duration) {
	t.Helper()
	start := time.Now()
	var d ratelimit.Decision
	if err := l.Decide(t.Context(), request("user=u"), &d); err != nil {
		t.Errorf("Decide: %v", err)
		return "nobody", 0
	}
	if d.Statuses[0].Limit.Requests == 100 {
		return "far", time.Since(start)
	}
	return "near", time.Since(start)
}

func (l *line) wants(t *testing.T, wantWho string, wantTook time.Duration) {
	t.Helper()
	if who, took := l.ask(t); who != wantWho || took != wantTook {
		t.Errorf("got %s after %v, want %s after %v", who, took, wantWho, wantTook)
	}
}

func TestFarDecidesWhileItIsQuick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, farRules)
		l.far.takes.Store(int64(49 * time.Millisecond))
		for range 10 {
			l.wants(t, "far", 49*time.Millisecond)
		}
		equal(t, "decided near", l.near.stat("ratelimit.fallback.near_decisions"), "0")
		equal(t, "log", l.log.String(), "")
	})
}

func TestNearDecidesWhenFarFails(t *testing.T) {
	for _, test := range []struct {
		name     string
		rules    string
		fail     func(*distant)
		wantTook time.Duration
	}{
		{"hangs", farRules, (*distant).hang, 50 * time.Millisecond},
		{"breaks", farRules, func(d *distant) { d.refuse(errors.New("connection refused")) }, 0},
		{"has no rules", "", func(*distant) {}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLine(t, test.rules)
				test.fail(l.far)
				l.wants(t, "near", test.wantTook)
				equal(t, "decided near", l.near.stat("ratelimit.fallback.near_decisions"), "1")
			})
		})
	}
}

func TestPatienceIsASetting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, farRules)
		l.Patience = 3 * time.Second
		l.far.hang()
		l.wants(t, "near", 3*time.Second)
	})
}

func TestHangingFarIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, farRules)
		l.far.hang()
		for range 3 {
			l.wants(t, "near", 50*time.Millisecond)
		}
		for range 100 {
			l.wants(t, "near", 0)
		}
		equal(t, "far calls", l.far.calls.Load(), 3)
	})
}

// A pause begins anew with the call that tries: of all the others none waits.
func TestOneCallTriesAfterThePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, farRules)
		l.far.hang()
		for range 3 {
			l.ask(t)
		}
		time.Sleep(time.Second)
		var waited atomic.Int64
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				if _, took := l.ask(t); took > 0 {
					waited.Add(1)
				}
			})
		}
		wg.Wait()
		equal(t, "callers who waited", waited.Load(), 1)
		equal(t, "far calls", l.far.calls.Load(), 4)
		l.wants(t, "near", 0)
	})
}

func TestFarDecidesAgainWhenItIsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, farRules)
		l.far.refuse(errors.New("connection refused"))
		for range 4 {
			l.wants(t, "near", 0)
		}
		l.far.recover()
		l.wants(t, "near", 0)
		time.Sleep(time.Second)
		for range 10 {
			l.wants(t, "far", 0)
		}
		l.far.refuse(errors.New("connection refused"))
		l.wants(t, "near", 0)
		l.far.recover()
		l.wants(t, "far", 0) // one failure is not yet a reason to pause
	})
}

func TestLogTellsOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, farRules)
		l.far.refuse(errors.New("connection refused"))
		for range 10 * 60 * 3 { // three minutes
			l.ask(t)
			time.Sleep(100 * time.Millisecond)
		}
		if got := strings.Count(l.log.String(), "\n"); got != 3 {
			t.Errorf("got %d lines in three minutes, want 3:\n%s", got, l.log.String())
		}
		if !strings.Contains(l.log.String(), "connection refused") {
			t.Errorf("got %s, want the reason in it", l.log.String())
		}
	})
}

func TestCallersWhoGiveUpAreNoFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, farRules)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		for range 20 {
			l.far.hang()
			var d ratelimit.Decision
			if err := l.Decide(gone, request("user=u"), &d); err != nil {
				t.Fatalf("got %v, want the answer of the near one", err)
			}
		}
		l.far.recover()
		l.wants(t, "far", 0)
		equal(t, "log", l.log.String(), "")
	})
}

func TestFaultyRequestIsNoFailureOfTheFarOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, farRules)
		for range 20 {
			err := l.Decide(t.Context(), &ratelimit.Request{Domain: "shop"}, new(ratelimit.Decision))
			if !errors.Is(err, ratelimit.ErrNoDescriptors) {
				t.Fatalf("got %v, want %v", err, ratelimit.ErrNoDescriptors)
			}
		}
		l.wants(t, "far", 0)
		equal(t, "decided near", l.near.stat("ratelimit.fallback.near_decisions"), "0")
	})
}
