package memory_test

import (
	"sync"
	"testing"

	"stoa/ratelimit"
	"stoa/ratelimit/countertest"
	"stoa/ratelimit/memory"
)

// One call adds to both counters or, when the first would be over, to the first
// only. Others who add to the first alone must not come between its two steps.
func TestStopIsOneStepForPlainAddsToo(t *testing.T) {
	const rounds = 3000
	c, _ := open(rounds * 4)
	for range rounds {
		a, b := countertest.Key(t, ratelimit.Year), countertest.Key(t, ratelimit.Year)
		a.Add, a.Limit = 1, 1
		b.Add, b.Limit = 1, 1
		both, alone := []ratelimit.Hit{a, b}, []ratelimit.Hit{a}
		if err := c.AddUnlessOver(t.Context(), []ratelimit.Hit{{Key: []byte("warm"), Window: a.Window}}); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() { c.AddUnlessOver(t.Context(), both) })
		wg.Go(func() { c.Add(t.Context(), alone) })
		wg.Wait()
		if both[0].Count == 2 && both[1].Count != 0 {
			t.Fatalf("refused by its first counter, the call added to its second: got %d, want 0", both[1].Count)
		}
	}
}

func TestFullMemoryRefusesAnAddInTheMiddleOfACall(t *testing.T) {
	c, registry := open(1)
	hits := []ratelimit.Hit{hit(t, ratelimit.Hour, "a"), hit(t, ratelimit.Hour, "b")}
	if err := c.AddUnlessOver(t.Context(), hits); err == nil {
		t.Error("got no error, want counter memory is full")
	}
	wantKeys(t, registry, 1)
	looks := []ratelimit.Hit{hit(t, ratelimit.Hour, "x"), hit(t, ratelimit.Hour, "y")}
	looks[0].Add, looks[1].Back = 0, true
	if err := c.Add(t.Context(), looks); err != nil {
		t.Errorf("a look and hits given back need no room: %v", err)
	}
}

func TestConfigWantsRoomForAKey(t *testing.T) {
	for _, test := range []struct {
		keys int
		want string
	}{
		{1, ""}, {0, "MEMORY_MAX_KEYS=0: want at least 1"}, {-5, "MEMORY_MAX_KEYS=-5: want at least 1"},
	} {
		got := ""
		if err := (memory.Config{MaxKeys: test.keys}).Validate(); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%d: got %q, want %q", test.keys, got, test.want)
		}
	}
}
