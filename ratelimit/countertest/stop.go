package countertest

import (
	"sync"
	"testing"

	"stoa/ratelimit"
)

func stop(t *testing.T, c ratelimit.StopCounter, hits ...ratelimit.Hit) []uint64 {
	t.Helper()
	if err := c.AddUnlessOver(t.Context(), hits); err != nil {
		t.Fatalf("AddUnlessOver: %v", err)
	}
	return counts(hits)
}

func (s *suite) stopAddsAll(t *testing.T, c ratelimit.Counter) {
	sc, ok := c.(ratelimit.StopCounter)
	if !ok {
		return
	}
	a, b := Key(t, ratelimit.Hour), Key(t, ratelimit.Day)
	want(t, "up to the limit", stop(t, sc, plus(a, 10), plus(b, 1)), 10, 1)
	want(t, "looks stay looks", stop(t, sc, plus(a, 0), plus(b, 0)), 10, 1)
}

func (s *suite) stopSparesOthers(t *testing.T, c ratelimit.Counter) {
	sc, ok := c.(ratelimit.StopCounter)
	if !ok {
		return
	}
	a, b, d := Key(t, ratelimit.Hour), Key(t, ratelimit.Day), Key(t, ratelimit.Minute)
	s.add(t, c, plus(a, 9), plus(b, 3), plus(d, 5))
	want(t, "a is over, b is spared, d is given back", stop(t, sc, plus(a, 2), plus(b, 1), back(d, 2)), 11, 3, 3)
	want(t, "a goes on counting", stop(t, sc, plus(b, 1), plus(a, 1)), 3, 12)
	unknown := Key(t, ratelimit.Hour)
	want(t, "a spared key is not made", stop(t, sc, plus(unknown, 1), plus(a, 1)), 0, 13)
	want(t, "its first hit", s.add(t, c, plus(unknown, 1)), 1)
}

// stopIsOneStep has many calls race for a counter with room for ten, beside one
// with room for all: had any two of them read before either added, the second
// counter would count a call that was refused.
func (s *suite) stopIsOneStep(t *testing.T, c ratelimit.Counter) {
	sc, ok := c.(ratelimit.StopCounter)
	if !ok || s.twoSteps {
		return
	}
	a, b := Key(t, ratelimit.Hour), Key(t, ratelimit.Hour)
	b.Limit = 1000
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			hits := []ratelimit.Hit{plus(a, 1), plus(b, 1)}
			if err := sc.AddUnlessOver(t.Context(), hits); err != nil {
				t.Errorf("AddUnlessOver: %v", err)
			}
		})
	}
	wg.Wait()
	want(t, "b counted only the calls that a let pass", s.add(t, c, plus(a, 0), plus(b, 0)), callers, 10)
}
