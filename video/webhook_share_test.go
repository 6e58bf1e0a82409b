package video

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// Each project that never gets an answer leaves as many places as it has.
func TestSharesOfManyProjects(t *testing.T) {
	h := newHookShares()
	for i, want := range []int{16, 8, 4, 2, 1, 1, 0} {
		got := 0
		for hook := 0; h.enter(party{fmt.Sprint("project", i), fmt.Sprint("hook", i, hook/placesOfHook)}) == 0; hook++ {
			got++
		}
		if got != want {
			t.Errorf("project %d: got %d places want %d", i, got, want)
		}
	}
}

func TestPlacesAreLeft(t *testing.T) {
	h, p := newHookShares(), party{"project", "hook"}
	for range 3 {
		for range placesOfHook {
			if rest := h.enter(p); rest != 0 {
				t.Errorf("got %v to rest want a place", rest)
			}
		}
		if h.enter(p) == 0 {
			t.Error("got a place too many")
		}
		for range placesOfHook {
			h.leave(p)
		}
	}
	if h.all != 0 || len(h.of) != 0 {
		t.Errorf("got %d and %v want nothing left", h.all, h.of)
	}
}

func TestManyThatRestComeOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHookShares()
		for i := range 1000 {
			if got, want := h.rest("hook"), shortestRest+time.Duration(i)*restSpacing; got != want {
				t.Fatalf("%d: got %v want %v", i, got, want)
			}
		}
		if got := h.rest("another"); got != shortestRest {
			t.Errorf("got %v for another reason want %v", got, shortestRest)
		}
		time.Sleep(time.Minute)
		if got := h.rest("hook"); got != shortestRest || len(h.rests) != 1 {
			t.Errorf("got %v and %d reasons later, want %v and one", got, len(h.rests), shortestRest)
		}
	})
}
