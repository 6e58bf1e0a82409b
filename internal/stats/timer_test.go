package stats_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/stats"
)

func TestWatchersSeeTimersMadeBeforeAndAfter(t *testing.T) {
	r := stats.NewRegistry()
	before := r.Timer("before")
	got := map[string][]time.Duration{}
	r.WatchTimers(func(timer *stats.Timer) func(time.Duration) {
		name := timer.ID().Name
		if name == "ignored" {
			return nil
		}
		return func(d time.Duration) { got[name] = append(got[name], d) }
	})
	after := r.Timer("after")
	before.Observe(1)
	after.Observe(2)
	r.Timer("after").Observe(3)
	r.Timer("ignored").Observe(4)
	want := map[string][]time.Duration{"before": {1}, "after": {2, 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEveryWatcherSeesEveryDuration(t *testing.T) {
	r := stats.NewRegistry()
	timer := r.Timer("t")
	first, second := r.Timings(1), r.Timings(1)
	timer.Observe(time.Second)
	want := stats.Timing{Timer: timer, Duration: time.Second}
	if got := <-first; got != want {
		t.Errorf("first: got %v want %v", got, want)
	}
	if got := <-second; got != want {
		t.Errorf("second: got %v want %v", got, want)
	}
}

func TestFullQueueDropsInsteadOfBlocking(t *testing.T) {
	r := stats.NewRegistry()
	queue := r.Timings(2)
	timer := r.Timer("t")
	for i := range 5 {
		timer.Observe(time.Duration(i))
	}
	if len(queue) != 2 {
		t.Errorf("got %d waiting want 2", len(queue))
	}
	if got := <-queue; got.Duration != 0 {
		t.Errorf("got %v first want 0: the oldest stay", got.Duration)
	}
}
