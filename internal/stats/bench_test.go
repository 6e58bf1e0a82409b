package stats_test

import (
	"fmt"
	"testing"
	"time"

	"stoa/internal/stats"
)

func BenchmarkCounterAdd(b *testing.B) {
	c := stats.NewRegistry().Counter("hits")
	b.ReportAllocs()
	for b.Loop() {
		c.Add(1)
	}
}

func BenchmarkTimerObserveQueued(b *testing.B) {
	r := stats.NewRegistry()
	timer := r.Timer("took")
	r.Timings(16)
	b.ReportAllocs()
	for b.Loop() {
		timer.Observe(time.Millisecond)
	}
}

func BenchmarkDynamicName(b *testing.B) {
	r := stats.NewRegistry()
	live := make([]*stats.Counter, 10_000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		place := i % len(live)
		if live[place] != nil {
			r.Forget(live[place])
		}
		live[place] = r.Counter(fmt.Sprint("ratelimit.service.rate_limit.shop.user_", i, ".total_hits"))
	}
}

func TestHotPathDoesNotAllocate(t *testing.T) {
	r := stats.NewRegistry()
	r.Timings(1)
	c, timer := r.Counter("c"), r.Timer("t")
	if n := testing.AllocsPerRun(100, func() { c.Add(1); timer.Observe(1) }); n != 0 {
		t.Errorf("got %v allocations want 0", n)
	}
}
