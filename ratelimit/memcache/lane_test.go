package memcache

import (
	"math/rand/v2"
	"slices"
	"testing"

	"stoa/ratelimit"
)

// Hits put together must end where they end one by one, whatever is stored.
func TestWriteDoesWhatItsHitsDo(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		stored := random.Uint64N(20)
		want := stored
		var w write
		for range random.IntN(10) {
			h := ratelimit.Hit{Add: random.Uint32N(10), Back: random.IntN(2) == 0}
			want = after(want, &h)
			w.hit(uint64(h.Add), h.Back)
		}
		if got := stored - min(stored, w.take) + w.add; got != want {
			t.Fatalf("from %d: got %d by %+v, want %d", stored, got, w, want)
		}
	}
}

func TestLaneHoldsAKeyOnce(t *testing.T) {
	l := newLane()
	a, b := &key{name: "a", sum: 1}, &key{name: "b", sum: 2}
	for range 2 * laneRoom {
		l.put(a, 60, 1, false)
		l.put(b, 60, 2, true)
	}
	want := []write{
		{key: "a", sum: 1, seconds: 60, add: 2 * laneRoom},
		{key: "b", sum: 2, seconds: 60, take: 4 * laneRoom},
	}
	first := l.swap(nil)
	if !slices.Equal(first, want) {
		t.Errorf("got %+v, want %+v", first, want)
	}
	if fresh, ok := l.put(a, 60, 5, false); !fresh || !ok {
		t.Errorf("got fresh %t, ok %t after the swap, want a new write", fresh, ok)
	}
	if got, want := l.swap(first), []write{{key: "a", sum: 1, seconds: 60, add: 5}}; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
