package ratelimit_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/stats"
	"stoa/ratelimit"
)

var hour = ratelimit.Window{Start: 946684800, Seconds: 3600}

func TestKnownOverKeyIsRefusedWithoutTheCounter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, shop, known)
		b.ask(t, "one=a")
		b.ask(t, "one=a")
		calls := b.counter.calls
		equal(t, "refused from memory", b.ask(t, "one=a +3"), "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour")
		equal(t, "counter calls", b.counter.calls-calls, 0)
		equal(t, "count", b.counter.count(t, "shop_one_a_946684800", hour), 2)
		equal(t, "statistics", b.rule("shop.one"),
			"total_hits 5, over_limit 4, near_limit 1, within_limit 1, over_limit_with_local_cache 3")
		equal(t, "others go on", b.ask(t, "one=a; two=b"), "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour, OK 1 of 2 per hour")
		equal(t, "asked", fmt.Sprint(b.counter.asked), "[shop_two_b_946684800 +1]")
		time.Sleep(time.Hour)
		equal(t, "next window", b.ask(t, "one=a"), "OK: OK 0 of 1 per hour")
	})
}

func TestKeyAtItsLimitIsNotKnownToBeOver(t *testing.T) {
	b := open(t, shop, known)
	b.ask(t, "one=a")
	equal(t, "entryCount", b.gauge("entryCount"), 0)
}

func TestShadowAndQuotaRulesUseTheMemoryToo(t *testing.T) {
	b := open(t, shop, known)
	b.ask(t, "shadow +2; quota +2")
	calls := b.counter.calls
	equal(t, "answer", b.ask(t, "shadow +5; quota +5"), "OVER_LIMIT: OK 0 of 1 per hour, OVER_LIMIT 0 of 1 per hour")
	equal(t, "counter calls", b.counter.calls-calls, 0)
	equal(t, "shadow", b.rule("shop.shadow"),
		"total_hits 7, over_limit 6, near_limit 1, shadow_mode 6, over_limit_with_local_cache 5")
	equal(t, "quota", b.rule("shop.quota"), "total_hits 7, over_limit 6, near_limit 1, over_limit_with_local_cache 5")
}

func TestHitsGivenBackReopenAKnownKey(t *testing.T) {
	b := open(t, shop, known)
	b.ask(t, "one=a +2")
	equal(t, "given back", b.ask(t, "one=a -2"), "OK: OK 1 of 1 per hour")
	equal(t, "entryCount", b.gauge("entryCount"), 0)
	equal(t, "passes again", b.ask(t, "one=a"), "OK: OK 0 of 1 per hour")
}

func TestKnownOverGaugesAreExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, shop, known)
		for range 4 {
			b.ask(t, "one=a") // within, over, known, known
		}
		b.ask(t, "zero; zero") // both looked up before either is over
		b.ask(t, "free; color=red")
		for name, want := range map[string]int64{
			"entryCount": 2, "lookupCount": 6, "hitCount": 2, "missCount": 4,
			"overwriteCount": 1, "expiredCount": 0, "evacuateCount": 0, "averageAccessTime": 946684800,
		} {
			equal(t, name, b.gauge(name), want)
		}
		time.Sleep(time.Hour + time.Second)
		b.ask(t, "zero")
		equal(t, "entryCount an hour later", b.gauge("entryCount"), 1)
		equal(t, "expiredCount an hour later", b.gauge("expiredCount"), 2)
	})
}

func TestFullMemoryTurnsKeysAway(t *testing.T) {
	registry := stats.NewRegistry()
	o := ratelimit.NewKnownOver(0, registry) // the least: 512 KiB
	const room = 512 << 10 / 256
	for i := range room + 10 {
		o.Remember(fmt.Append(nil, i), hour, hour.Start)
	}
	gauge := func(name string) int64 { return registry.Gauge("ratelimit.localcache." + name).Value() }
	equal(t, "entryCount", gauge("entryCount"), room)
	equal(t, "evacuateCount", gauge("evacuateCount"), 10)
	equal(t, "the first is known", o.Has([]byte("0"), hour, hour.Start), true)
	equal(t, "the last is not", o.Has(fmt.Append(nil, room+9), hour, hour.Start), false)
}
