package prom_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"stoa/internal/stats"
	"stoa/internal/stats/prom"
)

func BenchmarkTimerObserve(b *testing.B) {
	r := stats.NewRegistry()
	if _, err := prom.New(prom.Options{Registry: r}); err != nil {
		b.Fatal(err)
	}
	timer := r.Timer("ratelimit_server.ShouldRateLimit.response_time")
	b.ReportAllocs()
	for b.Loop() {
		timer.Observe(300 * time.Microsecond)
	}
}

func BenchmarkScrapeOfManyNames(b *testing.B) {
	r := stats.NewRegistry()
	for i := range 10_000 {
		for _, stat := range []string{"total_hits", "over_limit", "near_limit", "within_limit", "shadow_mode"} {
			r.Counter(fmt.Sprintf("ratelimit.service.rate_limit.shop.user_%d.%s", i, stat))
		}
	}
	e, err := prom.New(prom.Options{Registry: r})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Gather(); err != nil {
			b.Fatal(err)
		}
	}
}

func TestObserveDoesNotAllocate(t *testing.T) {
	r := stats.NewRegistry()
	exporter(t, prom.Options{Registry: r})
	timer := r.Timer("ratelimit_server.ShouldRateLimit.response_time")
	if n := testing.AllocsPerRun(100, func() { timer.Observe(time.Millisecond) }); n != 0 {
		t.Errorf("got %v allocations want 0", n)
	}
}

func TestScrapesWhileNamesComeAndGo(t *testing.T) {
	r := stats.NewRegistry()
	e := exporter(t, prom.Options{Registry: r})
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 200 {
				c := r.Counter(fmt.Sprintf("ratelimit.service.rate_limit.shop.a.b.%d_%d.total_hits", worker, i))
				c.Add(1)
				r.Timer(fmt.Sprint("took_", i%20)).Observe(time.Millisecond)
				if i%20 == 0 {
					if _, err := e.Gather(); err != nil {
						t.Error(err)
					}
				}
				r.Forget(c)
			}
		})
	}
	wg.Wait()
}
