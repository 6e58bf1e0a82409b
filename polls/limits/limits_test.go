package limits_test

import (
	"errors"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/stats"
	"stoa/polls/limits"
	"stoa/ratelimit"
)

func TestVotersAreRefusedForARestOfTheMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimits(newLimiter(t, limits.Default, "polls"))
		vote := limits.Call{Route: limits.Vote, Address: someone, Voter: "v", Poll: 9}
		for i := range 60 {
			want := limits.Answer{Limited: true, Limit: 60, Remaining: uint32(59 - i), Reset: time.Minute}
			if got := ask(t, l, vote); got != want {
				t.Fatalf("vote %d: got %+v, want %+v", i+1, got, want)
			}
		}
		time.Sleep(20 * time.Second)
		if got, want := ask(t, l, vote), (limits.Answer{Over: true, Limited: true, Limit: 60, Reset: 40 * time.Second}); got != want {
			t.Errorf("vote 61: got %+v, want %+v", got, want)
		}
		vote.Voter = "w"
		if got := ask(t, l, vote); got.Over {
			t.Errorf("another voter: got %+v, want not over", got)
		}
		time.Sleep(40 * time.Second)
		vote.Voter = "v"
		if got := ask(t, l, vote); got.Over {
			t.Errorf("a minute later: got %+v, want not over", got)
		}
	})
}

// Of two limits that refuse, the client is told the one that holds longer.
func TestAnAddressIsRefusedOnOnePollForTheDay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimits(newLimiter(t, limits.Default, "polls"))
		voter := func(i int) limits.Call {
			return limits.Call{Route: limits.Vote, Address: someone, Voter: string(rune('a' + i)), Poll: 9}
		}
		for i := range 200 {
			if got := ask(t, l, voter(i)); got.Over {
				t.Fatalf("vote %d: got %+v, want not over", i+1, got)
			}
		}
		if got, want := ask(t, l, voter(200)), (limits.Answer{Over: true, Limited: true, Limit: 200, Reset: 24 * time.Hour}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		elsewhere := voter(201)
		elsewhere.Poll = 10
		if got := ask(t, l, elsewhere); got.Over {
			t.Errorf("on another poll: got %+v, want not over", got)
		}
		account := limits.Call{Route: limits.Vote, Address: someone, User: 7, Poll: 9}
		if got := ask(t, l, account); got.Over {
			t.Errorf("an account: got %+v, want not over", got)
		}
	})
}

func TestEverythingPassesWithoutADecider(t *testing.T) {
	t.Parallel()
	l := newLimits(nil)
	for range 1000 {
		if got := ask(t, l, limits.Call{Route: limits.Signup, Address: someone}); got != (limits.Answer{}) {
			t.Fatalf("got %+v, want nothing", got)
		}
	}
}

func TestNothingIsLimitedWithoutARule(t *testing.T) {
	t.Parallel()
	l := newLimits(newLimiter(t, limits.Default, "another"))
	if got := ask(t, l, limits.Call{Route: limits.Read, Address: someone}); got != (limits.Answer{}) {
		t.Errorf("got %+v, want nothing", got)
	}
}

func TestErrorOfTheDeciderIsTold(t *testing.T) {
	t.Parallel()
	limiter := ratelimit.New(ratelimit.Options{Stats: stats.NewRegistry()}) // has no rules yet
	if _, err := newLimits(limiter).Ask(t.Context(), limits.Call{Route: limits.Read}); !errors.Is(err, ratelimit.ErrNoRules) {
		t.Errorf("got %v, want %v", err, ratelimit.ErrNoRules)
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		answer limits.Answer
		want   http.Header
	}{
		{"nothing applied", limits.Answer{}, http.Header{}},
		{"passes", limits.Answer{Limited: true, Limit: 60, Remaining: 12, Reset: 8 * time.Second},
			http.Header{"Ratelimit-Limit": {"60"}, "Ratelimit-Remaining": {"12"}, "Ratelimit-Reset": {"8"}}},
		{"over", limits.Answer{Over: true, Limited: true, Limit: 4294967295, Reset: 24 * time.Hour},
			http.Header{"Ratelimit-Limit": {"4294967295"}, "Ratelimit-Remaining": {"0"}, "Ratelimit-Reset": {"86400"}, "Retry-After": {"86400"}}},
		{"over, and nobody knows how long", limits.Answer{Over: true}, http.Header{"Retry-After": {"1"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := http.Header{}
			test.answer.Headers(got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("want -, got +\n%s", diff)
			}
		})
	}
}

// Questions are used again: callers must not see each other's.
func TestManyCallersAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // where no hour ends
		l := newLimits(newLimiter(t, limits.Venue, "polls"))
		const callers, calls = 16, 100
		var over atomic.Int64
		var wg sync.WaitGroup
		for i := range callers {
			wg.Go(func() {
				for range calls {
					ask(t, l, limits.Call{Route: limits.Vote, Address: someone, Voter: "v", Poll: int64(i)})
					if ask(t, l, limits.Call{Route: limits.CreatePoll, User: int64(i + 1)}).Over {
						over.Add(1)
					}
				}
			})
		}
		wg.Wait()
		if got, want := over.Load(), int64(callers*(calls-30)); got != want {
			t.Errorf("got %d polls refused, want %d", got, want)
		}
	})
}

func BenchmarkAskVote(b *testing.B) {
	l := newLimits(newLimiter(b, limits.Venue, "polls"))
	call := limits.Call{
		Route: limits.Vote, Address: netip.MustParseAddr("2001:db8::1"), Poll: 1234567,
		Voter: "010046c3a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f607182930",
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Ask(b.Context(), call); err != nil {
			b.Fatal(err)
		}
	}
}
