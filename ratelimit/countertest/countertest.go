// Package countertest says what every ratelimit.Counter must do.
package countertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"stoa/ratelimit"
)

// Option tells how a counter differs from the strict ones.
type Option func(*suite)

// Async is for a counter that adds after it has answered. settle returns when
// everything added so far is stored; calls at the same moment may not see each
// other, nor the hits of one call on the same key before it is settled.
func Async(settle func()) Option { return func(s *suite) { s.settle, s.async = settle, true } }

// TextKeys is for a counter that takes only short keys without blanks.
func TextKeys() Option { return func(s *suite) { s.textKeys = true } }

// TwoSteps is for a StopCounter whose reading and adding others may come between.
func TwoSteps() Option { return func(s *suite) { s.twoSteps = true } }

type suite struct {
	open     func(*testing.T) ratelimit.Counter
	settle   func()
	async    bool
	textKeys bool
	twoSteps bool
}

// Run runs the suite. open gives a counter that may hold other tests' keys.
func Run(t *testing.T, open func(*testing.T) ratelimit.Counter, options ...Option) {
	s := &suite{open: open, settle: func() {}}
	for _, o := range options {
		o(s)
	}
	for _, test := range []struct {
		name string
		run  func(*suite, *testing.T, ratelimit.Counter)
	}{
		{"AddTellsTheTotal", (*suite).addTellsTheTotal},
		{"KeysCountApart", (*suite).keysCountApart},
		{"SameKeyTwiceCountsTwice", (*suite).sameKeyTwice},
		{"LookChangesNothing", (*suite).lookChangesNothing},
		{"GiveBackNeverGoesBelowZero", (*suite).giveBack},
		{"GiveBackMakesNoKey", (*suite).giveBackMakesNoKey},
		{"LargeAddendsAddUp", (*suite).largeAddends},
		{"EveryUnitCounts", (*suite).everyUnit},
		{"ManyHitsInOneCall", (*suite).manyHits},
		{"AnyBytesInAKey", (*suite).anyBytes},
		{"ConcurrentCallsLoseNothing", (*suite).concurrent},
		{"ConcurrentGiveBackStaysAboveZero", (*suite).concurrentGiveBack},
		{"StopAddsWhenNoneWouldBeOver", (*suite).stopAddsAll},
		{"StopSparesOthersWhenOneWouldBeOver", (*suite).stopSparesOthers},
		{"StopIsOneStep", (*suite).stopIsOneStep},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(s, t, open(t)) })
	}
}

// Key makes a key that no other test uses, in the current window of a unit.
func Key(t testing.TB, unit ratelimit.Unit) ratelimit.Hit {
	t.Helper()
	limit := ratelimit.Limit{Requests: 10, Unit: unit, Multiplier: 1}
	return ratelimit.Hit{
		Key:    fmt.Appendf(nil, "%s_%d_%s", "countertest", rand.Uint64(), unit),
		Window: limit.Window(time.Now().Unix()),
		Limit:  limit.Requests,
	}
}

func (s *suite) add(t *testing.T, c ratelimit.Counter, hits ...ratelimit.Hit) []uint64 {
	t.Helper()
	if err := c.Add(t.Context(), hits); err != nil {
		t.Fatalf("Add: %v", err)
	}
	s.settle()
	return counts(hits)
}

func counts(hits []ratelimit.Hit) []uint64 {
	var n []uint64
	for _, h := range hits {
		n = append(n, h.Count)
	}
	return n
}

func want(t *testing.T, what string, got []uint64, want ...uint64) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func plus(h ratelimit.Hit, n uint32) ratelimit.Hit { h.Add = n; return h }

func back(h ratelimit.Hit, n uint32) ratelimit.Hit { h.Add, h.Back = n, true; return h }

func (s *suite) addTellsTheTotal(t *testing.T, c ratelimit.Counter) {
	h := Key(t, ratelimit.Hour)
	want(t, "first", s.add(t, c, plus(h, 3)), 3)
	want(t, "second", s.add(t, c, plus(h, 4)), 7)
	want(t, "third", s.add(t, c, plus(h, 1)), 8)
}

func (s *suite) keysCountApart(t *testing.T, c ratelimit.Counter) {
	a, b := Key(t, ratelimit.Hour), Key(t, ratelimit.Day)
	want(t, "both", s.add(t, c, plus(a, 1), plus(b, 2)), 1, 2)
	want(t, "in the order asked", s.add(t, c, plus(b, 2), plus(a, 1)), 4, 2)
}

func (s *suite) sameKeyTwice(t *testing.T, c ratelimit.Counter) {
	h := Key(t, ratelimit.Hour)
	want(t, "the second sees both", s.add(t, c, plus(h, 1), plus(h, 2)), 1, 3)
	want(t, "and so does the next call", s.add(t, c, plus(h, 0)), 3)
}

func (s *suite) lookChangesNothing(t *testing.T, c ratelimit.Counter) {
	h := Key(t, ratelimit.Hour)
	want(t, "unknown key", s.add(t, c, plus(h, 0)), 0)
	want(t, "still unknown", s.add(t, c, plus(h, 0)), 0)
	s.add(t, c, plus(h, 5))
	want(t, "known key", s.add(t, c, plus(h, 0)), 5)
	want(t, "known key again", s.add(t, c, plus(h, 0)), 5)
}

func (s *suite) giveBack(t *testing.T, c ratelimit.Counter) {
	h := Key(t, ratelimit.Hour)
	s.add(t, c, plus(h, 12))
	want(t, "some", s.add(t, c, back(h, 3)), 9)
	want(t, "more than there are", s.add(t, c, back(h, 100)), 0)
	want(t, "counting goes on from zero", s.add(t, c, plus(h, 2)), 2)
	want(t, "all of it", s.add(t, c, back(h, 2)), 0)
}

func (s *suite) giveBackMakesNoKey(t *testing.T, c ratelimit.Counter) {
	h := Key(t, ratelimit.Hour)
	want(t, "unknown key", s.add(t, c, back(h, 3)), 0)
	want(t, "starts at the first hit", s.add(t, c, plus(h, 1)), 1)
}

func (s *suite) largeAddends(t *testing.T, c ratelimit.Counter) {
	h := Key(t, ratelimit.Hour)
	want(t, "one", s.add(t, c, plus(h, math.MaxUint32)), math.MaxUint32)
	want(t, "two", s.add(t, c, plus(h, math.MaxUint32)), 2*math.MaxUint32)
}

func (s *suite) everyUnit(t *testing.T, c ratelimit.Counter) {
	for u := ratelimit.Minute; u <= ratelimit.Year; u++ { // a second may end in between
		h := Key(t, u)
		s.add(t, c, plus(h, 1))
		want(t, u.String(), s.add(t, c, plus(h, 1)), 2)
	}
	h := Key(t, ratelimit.Second)
	want(t, "SECOND", s.add(t, c, plus(h, 1)), 1)
}

func (s *suite) manyHits(t *testing.T, c ratelimit.Counter) {
	const n = 1000
	first := make([]ratelimit.Hit, n)
	ones := make([]uint64, n)
	for i := range first {
		first[i] = plus(Key(t, ratelimit.Hour), 1)
		ones[i] = 1
	}
	want(t, "all of them", s.add(t, c, first...), ones...)
}

func (s *suite) anyBytes(t *testing.T, c ratelimit.Counter) {
	if s.textKeys {
		return
	}
	for _, key := range []string{"with blank", "umlaut ü", "line\r\nbreak", "zero\x00byte", "\xff\xfe", string(make([]byte, 5000))} {
		h := Key(t, ratelimit.Hour)
		h.Key = append(h.Key, key...)
		s.add(t, c, plus(h, 1))
		want(t, fmt.Sprintf("%.20q", key), s.add(t, c, plus(h, 1)), 2)
	}
}

const (
	callers = 20
	each    = 50
)

func (s *suite) concurrent(t *testing.T, c ratelimit.Counter) {
	h := Key(t, ratelimit.Hour)
	seen := s.storm(t, func(add func(ratelimit.Hit) uint64) []uint64 {
		var mine []uint64
		for range each {
			mine = append(mine, add(plus(h, 1)))
		}
		return mine
	}, c)
	s.settle()
	want(t, "total", s.add(t, c, plus(h, 0)), callers*each)
	if s.async {
		return
	}
	told := make(map[uint64]bool)
	for _, n := range seen {
		if told[n] {
			t.Fatalf("two calls were told the same total %d", n)
		}
		told[n] = true
	}
}

func (s *suite) concurrentGiveBack(t *testing.T, c ratelimit.Counter) {
	h := Key(t, ratelimit.Hour)
	seen := s.storm(t, func(add func(ratelimit.Hit) uint64) []uint64 {
		var mine []uint64
		for range each {
			mine = append(mine, add(plus(h, 1)), add(back(h, 2)))
		}
		return mine
	}, c)
	s.settle()
	for _, n := range seen {
		if n > callers*each {
			t.Fatalf("count %d: went below zero", n)
		}
	}
}

func (s *suite) storm(t *testing.T, caller func(add func(ratelimit.Hit) uint64) []uint64, c ratelimit.Counter) []uint64 {
	var mu sync.Mutex
	var all []uint64
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			mine := caller(func(h ratelimit.Hit) uint64 {
				hits := []ratelimit.Hit{h}
				if err := c.Add(t.Context(), hits); err != nil {
					t.Errorf("Add: %v", err)
				}
				return hits[0].Count
			})
			mu.Lock()
			defer mu.Unlock()
			all = append(all, mine...)
		})
	}
	wg.Wait()
	return all
}
