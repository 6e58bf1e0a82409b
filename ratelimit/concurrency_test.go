package ratelimit_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"stoa/ratelimit"
)

// storm has callers ask at the same time, each with a Decision of its own.
func storm(t *testing.T, b *bench, callers, each int, ask func(caller, i int) *ratelimit.Request, judge func(*ratelimit.Decision)) {
	t.Helper()
	var wg sync.WaitGroup
	for caller := range callers {
		wg.Go(func() {
			var d ratelimit.Decision
			for i := range each {
				if err := b.Decide(t.Context(), ask(caller, i), &d); err != nil {
					t.Error(err)
					return
				}
				judge(&d)
			}
		})
	}
	wg.Wait()
}

func TestExactlyTheLimitPasses(t *testing.T) {
	b := open(t, domain("{key: a, rate_limit: {unit: year, requests_per_unit: 100}}"), many)
	var passed atomic.Int64
	storm(t, b, 8, 50, func(int, int) *ratelimit.Request { return request("a=1") }, func(d *ratelimit.Decision) {
		if d.Code == ratelimit.OK {
			passed.Add(1)
		}
	})
	equal(t, "passed", passed.Load(), 100)
	equal(t, "statistics", b.rule("shop.a"), "total_hits 400, over_limit 300, near_limit 20, within_limit 100")
}

func TestRulesChangeUnderTraffic(t *testing.T) {
	b := open(t, shop, many, known, stop)
	stopped := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stopped:
				return
			default:
				b.Use(parse(t, shop))
				b.explain(t, request("one; two"))
			}
		}
	})
	storm(t, b, 4, 200, func(caller, i int) *ratelimit.Request {
		return request(fmt.Sprintf("most=%d; named; replacer; free; color=%d", caller, i))
	}, func(d *ratelimit.Decision) { equal(t, "named", d.Statuses[1].Limited, false) })
	close(stopped)
	wg.Wait()
	equal(t, "statistics", b.rule("shop.most"), "total_hits 800, within_limit 800")
}

func TestDynamicNamesUnderConcurrency(t *testing.T) {
	b := open(t, domain("{key: user, detailed_metric: true, rate_limit: {unit: year, requests_per_unit: 1000000}}"), many)
	storm(t, b, 8, 100, func(_, i int) *ratelimit.Request { return request(fmt.Sprintf("user=%d", i*2)) }, func(*ratelimit.Decision) {})
	storm(t, b, 8, 100, func(_, i int) *ratelimit.Request { return request(fmt.Sprintf("user=x%d", i)) }, func(*ratelimit.Decision) {})
	equal(t, "a name of its own", b.rule("shop.user_8"), "total_hits 8, within_limit 8")
	equal(t, "no room", b.rule("shop.user"), "total_hits 800, within_limit 800")
}
