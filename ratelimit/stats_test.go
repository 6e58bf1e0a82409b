package ratelimit_test

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"stoa/ratelimit"
)

// Where the hits of a call go: L is the limit, N = floor(L × 0.8) the near line.
func TestHitsAreOverNearOrWithin(t *testing.T) {
	for _, test := range []struct {
		name  string
		limit uint32
		hits  []uint32
		want  string
	}{
		{"worked: 11 at once", 10, []uint32{11}, "total_hits 11, over_limit 1, near_limit 2"},
		{"worked: 9 then 5", 10, []uint32{9, 5}, "total_hits 14, over_limit 4, near_limit 2, within_limit 9"},
		{"worked: 8 then 1", 10, []uint32{8, 1}, "total_hits 9, near_limit 1, within_limit 9"},
		{"worked: the one allowed hit is near", 1, []uint32{1}, "total_hits 1, near_limit 1, within_limit 1"},
		{"worked: a limit of 0 is over", 0, []uint32{1, 2}, "total_hits 3, over_limit 3"},
		{"up to the near line", 10, []uint32{4, 4}, "total_hits 8, within_limit 8"},
		{"across the near line", 10, []uint32{7, 3}, "total_hits 10, near_limit 2, within_limit 10"},
		{"above the near line", 10, []uint32{8, 1, 1}, "total_hits 10, near_limit 2, within_limit 10"},
		{"from below near to over", 10, []uint32{3, 9}, "total_hits 12, over_limit 2, near_limit 2, within_limit 3"},
		{"from near to over", 10, []uint32{9, 2}, "total_hits 11, over_limit 1, near_limit 2, within_limit 9"},
		{"from the limit to over", 10, []uint32{10, 1}, "total_hits 11, over_limit 1, near_limit 2, within_limit 10"},
		{"over all the time", 10, []uint32{20, 7}, "total_hits 27, over_limit 17, near_limit 2"},
		{"a look", 10, []uint32{9, 0}, "total_hits 9, near_limit 1, within_limit 9"},
		{"a look when over", 10, []uint32{11, 0}, "total_hits 11, over_limit 1, near_limit 2"},
		{"the largest limit", math.MaxUint32, []uint32{math.MaxUint32, 1}, "total_hits 4294967296, over_limit 1, near_limit 858993407, within_limit 4294967295"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := open(t, domain(
				fmt.Sprintf("{key: a, rate_limit: {unit: year, requests_per_unit: %d}}", test.limit),
				fmt.Sprintf("{key: s, shadow_mode: true, rate_limit: {unit: year, requests_per_unit: %d}}", test.limit)))
			for _, n := range test.hits {
				b.ask(t, fmt.Sprintf("a=1 +%d; s=1 +%d", n, n))
			}
			equal(t, "statistics", b.rule("shop.a"), test.want)
			over := b.stat("ratelimit.service.rate_limit.shop.s.over_limit")
			equal(t, "over a shadow rule", b.stat("ratelimit.service.rate_limit.shop.s.shadow_mode"), over)
		})
	}
}

// 0.8 × 4294967295 is 3435973836; in 32-bit floats it is 3435973888.
func TestNearLineIsComputedIn32BitFloats(t *testing.T) {
	b := open(t, domain("{key: a, rate_limit: {unit: year, requests_per_unit: 4294967295}}"))
	b.ask(t, "a +3435973888")
	equal(t, "at the line", b.rule("shop.a"), "total_hits 3435973888, within_limit 3435973888")
	b.ask(t, "a")
	equal(t, "above it", b.rule("shop.a"), "total_hits 3435973889, near_limit 1, within_limit 3435973889")
}

// 16777219 as a 32-bit float is 16777220: the near line must not pass the limit.
func TestNearLineNeverPassesTheLimit(t *testing.T) {
	b := open(t, domain("{key: a, rate_limit: {unit: year, requests_per_unit: 16777219}}"),
		func(o *ratelimit.Options) { o.NearLimitRatio = 1 })
	b.ask(t, "a +16777221")
	equal(t, "statistics", b.rule("shop.a"), "total_hits 16777221, over_limit 2")
}

func TestHitsGivenBackLeaveStatisticsAlone(t *testing.T) {
	b := open(t, shop)
	b.ask(t, "two +2")
	before := b.rule("shop.two")
	b.ask(t, "two -1")
	b.ask(t, "two -100")
	equal(t, "statistics", b.rule("shop.two"), before)
}

func TestUnlimitedAndReplacedRulesHaveNoStatistics(t *testing.T) {
	b := open(t, shop)
	b.ask(t, "free; named; replacer; color=red")
	equal(t, "unlimited", b.rule("shop.free"), "")
	equal(t, "replaced", b.rule("shop.named"), "")
	equal(t, "the one that replaces", b.rule("shop.replacer"), "total_hits 1, within_limit 1")
}

func TestUnknownDomainIsCountedPerDescriptor(t *testing.T) {
	b := open(t, shop)
	r := request("one; two; three")
	r.Domain = "ghost"
	equal(t, "answer", told(b.decide(t, r)), "OK: OK, OK, OK")
	equal(t, "ghost", b.stat("ratelimit.service.rate_limit.ghost.domain_not_found"), "3")
	equal(t, "known domain", b.stat("ratelimit.service.rate_limit.shop.domain_not_found"), "-")
}

func TestReloadKeepsCountsAndStatistics(t *testing.T) {
	b := open(t, shop)
	b.ask(t, "two")
	b.Use(parse(t, domain("{key: other, "+perHour+"}")))
	equal(t, "gone", b.ask(t, "two"), "OK: OK")
	b.Use(parse(t, domain("{key: two, rate_limit: {unit: hour, requests_per_unit: 3}}")))
	equal(t, "back with another limit", b.ask(t, "two"), "OK: OK 1 of 3 per hour")
	equal(t, "statistics", b.rule("shop.two"), "total_hits 2, within_limit 2")
}

func TestDynamicNamesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, domain("{key: user, detailed_metric: true, "+perHour+"}"), func(o *ratelimit.Options) { o.MaxDynamicNames = 2 })
		override := func(text string) {
			b.decide(t, withOverride(text, ratelimit.Limit{Requests: 9, Unit: ratelimit.Hour}))
		}
		ghost := func(name string) { b.decide(t, &ratelimit.Request{Domain: name, Descriptors: descriptors("a=b")}) }
		miss := func(name string) string {
			return b.stat("ratelimit.service.rate_limit." + name + ".domain_not_found")
		}

		b.ask(t, "user=1")
		b.ask(t, "user=2")
		b.ask(t, "user=3")
		override("color=red")
		ghost("ghost")
		equal(t, "a name of its own", b.rule("shop.user_2"), "total_hits 1, within_limit 1")
		equal(t, "no room: the rule's plain name", b.rule("shop.user"), "total_hits 1, within_limit 1")
		equal(t, "no room: not its own", b.rule("shop.user_3"), "")
		equal(t, "no room: overrides together", b.rule("shop.override"), "total_hits 1, within_limit 1")
		equal(t, "no room: domains together", miss("other"), "1")
		equal(t, "no room: not its own domain", miss("ghost"), "-")

		time.Sleep(30 * time.Minute)
		b.ask(t, "user=1")
		time.Sleep(30 * time.Minute) // user=2 is idle for an hour, user=1 for half of it
		ghost("ghost")
		equal(t, "an idle name makes room", miss("ghost"), "1")
		equal(t, "the idle name is gone", b.stat("ratelimit.service.rate_limit.shop.user_2.total_hits"), "-")
		equal(t, "the busy name stays", b.rule("shop.user_1"), "total_hits 2, within_limit 2")
		ghost("ghoul")
		equal(t, "but for one only", miss("ghoul"), "-")
		equal(t, "the second goes with the others", miss("other"), "2")
	})
}

func TestNoDynamicNamesAtAll(t *testing.T) {
	b := open(t, domain("{key: user, value_to_metric: true, "+perHour+"}"), func(o *ratelimit.Options) { o.MaxDynamicNames = 0 })
	b.ask(t, "user=1; user=2")
	equal(t, "plain name", b.rule("shop.user"), "total_hits 2, within_limit 2")
}

// Names that differ in a colon or a dot are one statistic. When one of them goes
// idle, the other must not lose its counters.
func TestIdleNameTakesNoOtherWithIt(t *testing.T) {
	for _, test := range []struct{ name, rule, busy, idle, stat string }{
		{"another caller's name", "{key: ip, detailed_metric: true, " + perHour + "}", "ip=1.2.3.4", "ip=1_2_3_4", "shop.ip_1_2_3_4"},
		{"the name of a rule", "{key: ip, value: '1.2.3.4', " + perHour + "}", "ip=1.2.3.4", "ip=1_2_3_4", "shop.ip_1_2_3_4"},
		{"the very name of a rule", "{key: ip, value: '5', " + perHour + "}", "ip=5", "ip=5", "shop.ip_5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, domain(test.rule), func(o *ratelimit.Options) { o.MaxDynamicNames = 3 })
				override := func(text string) {
					b.decide(t, withOverride(text, ratelimit.Limit{Requests: 9, Unit: ratelimit.Minute}))
				}
				override(test.idle)
				b.ask(t, test.busy)
				override("fill=0")
				override("fill=1")
				time.Sleep(30 * time.Minute)
				b.ask(t, test.busy)
				time.Sleep(30 * time.Minute)
				override("fill=2") // makes room
				equal(t, "the idle filler is gone", b.stat("ratelimit.service.rate_limit.shop.fill_0.total_hits"), "-")
				b.ask(t, test.busy)
				equal(t, "statistics", b.rule(test.stat), "total_hits 4, within_limit 4")
			})
		})
	}
}
