package ratelimit_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/fault"
	"stoa/ratelimit"
)

// shop has a rule for every way to decide.
var shop = domain(
	"{key: two, rate_limit: {unit: hour, requests_per_unit: 2}}",
	"{key: one, rate_limit: {unit: hour, requests_per_unit: 1}}",
	"{key: zero, rate_limit: {unit: hour, requests_per_unit: 0}}",
	"{key: none, rate_limit: {unit: hour}}",
	"{key: free, rate_limit: {unlimited: true, requests_per_unit: 1}}",
	"{key: shadow, shadow_mode: true, rate_limit: {unit: hour, requests_per_unit: 1}}",
	"{key: quota, quota_mode: true, rate_limit: {unit: hour, requests_per_unit: 1}}",
	"{key: shadowquota, shadow_mode: true, quota_mode: true, rate_limit: {unit: hour, requests_per_unit: 1}}",
	"{key: named, rate_limit: {name: n, unit: hour, requests_per_unit: 1}}",
	"{key: replacer, rate_limit: {unit: hour, requests_per_unit: 5, replaces: [{name: n}, {name: other}]}}",
	"{key: freereplacer, rate_limit: {unlimited: true, replaces: [{name: n}]}}",
	"{key: left, rate_limit: {name: l, unit: hour, requests_per_unit: 1, replaces: [{name: r}]}}",
	"{key: right, rate_limit: {name: r, unit: hour, requests_per_unit: 1, replaces: [{name: l}]}}",
	"{key: whitelisted}",
	"{key: most, rate_limit: {unit: hour, requests_per_unit: 4294967295}}",
)

func TestDecisions(t *testing.T) {
	type steps [][2]string // ask, want
	for _, test := range []struct {
		name   string
		option func(*ratelimit.Options)
		steps  steps
	}{
		{"within, equal, over", nil, steps{
			{"two", "OK: OK 1 of 2 per hour"}, {"two", "OK: OK 0 of 2 per hour"},
			{"two", "OVER_LIMIT: OVER_LIMIT 0 of 2 per hour"}}},
		{"values count apart", nil, steps{{"one=a", "OK: OK 0 of 1 per hour"}, {"one=b", "OK: OK 0 of 1 per hour"}, {"one=a", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour"}}},
		{"zero refuses everything", nil, steps{{"zero", "OVER_LIMIT: OVER_LIMIT 0 of 0 per hour"}}},
		{"no number is zero", nil, steps{{"none", "OVER_LIMIT: OVER_LIMIT 0 of 0 per hour"}}},
		{"unlimited", nil, steps{{"free", "OK: OK unlimited"}, {"free +5", "OK: OK unlimited"}}},
		{"no rule", nil, steps{{"color=red", "OK: OK"}, {"whitelisted", "OK: OK"}}},
		{"one over refuses all", nil, steps{{"one; two; color=red", "OK: OK 0 of 1 per hour, OK 1 of 2 per hour, OK"}, {"one; two; color=red", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour, OK 0 of 2 per hour, OK"}}},
		{"the same descriptor twice counts twice", nil, steps{{"one; one", "OVER_LIMIT: OK 0 of 1 per hour, OVER_LIMIT 0 of 1 per hour"}}},
		{"shadow rule", nil, steps{{"shadow", "OK: OK 0 of 1 per hour"}, {"shadow", "OK: OK 0 of 1 per hour"}, {"shadow; one", "OK: OK 0 of 1 per hour, OK 0 of 1 per hour"}, {"shadow; one", "OVER_LIMIT: OK 0 of 1 per hour, OVER_LIMIT 0 of 1 per hour"}}},
		{"global shadow", shadow, steps{{"one", "OK: OK 0 of 1 per hour"}, {"one", "OK: OVER_LIMIT 0 of 1 per hour"}}},
		{"quota rule alone", nil, steps{{"quota", "OK: OK 0 of 1 per hour"}, {"quota", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour"}}},
		{"quota rules refuse together", nil, steps{
			{"quota=a", "OK: OK 0 of 1 per hour"}, {"quota=a; quota=b", "OK: OVER_LIMIT 0 of 1 per hour, OK 0 of 1 per hour"},
			{"quota=a; quota=b", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour, OVER_LIMIT 0 of 1 per hour"}}},
		{"plain over refuses whatever the quotas", nil, steps{{"one", "OK: OK 0 of 1 per hour"}, {"one; quota", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour, OK 0 of 1 per hour"}}},
		{"all quotas over refuse whatever passes", nil, steps{{"quota", "OK: OK 0 of 1 per hour"}, {"two; quota; free", "OVER_LIMIT: OK 1 of 2 per hour, OVER_LIMIT 0 of 1 per hour, OK unlimited"}}},
		{"a quota in shadow mode is never over", nil, steps{{"shadowquota", "OK: OK 0 of 1 per hour"}, {"shadowquota", "OK: OK 0 of 1 per hour"}}},
		{"global quota", quota, steps{{"one", "OK: OK 0 of 1 per hour"}, {"one; two", "OK: OVER_LIMIT 0 of 1 per hour, OK 1 of 2 per hour"}, {"one", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour"}}},
		{"global quota, a descriptor without a rule passes", quota, steps{{"one", "OK: OK 0 of 1 per hour"}, {"one; color=red", "OK: OVER_LIMIT 0 of 1 per hour, OK"}}},
		{"global quota leaves unlimited out", quota, steps{{"one", "OK: OK 0 of 1 per hour"}, {"one; free", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour, OK unlimited"}}},
		{"replaced", nil, steps{
			{"named", "OK: OK 0 of 1 per hour"}, {"named; replacer", "OK: OK, OK 4 of 5 per hour"},
			{"replacer; named", "OK: OK 3 of 5 per hour, OK"}, {"named", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour"}}},
		{"replaced by an unlimited rule", nil, steps{{"named; freereplacer", "OK: OK, OK unlimited"}}},
		{"two that replace each other vanish", nil, steps{{"left; right", "OK: OK, OK"}, {"right; left", "OK: OK, OK"}, {"left", "OK: OK 0 of 1 per hour"}}},
		{"a replacer that is not matched replaces nothing", nil, steps{{"named", "OK: OK 0 of 1 per hour"}, {"named; two", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour, OK 1 of 2 per hour"}}},
		{"own hits", nil, steps{{"two +2", "OK: OK 0 of 2 per hour"}, {"two=b +3", "OVER_LIMIT: OVER_LIMIT 0 of 2 per hour"}}},
		{"own hits of 0 look", nil, steps{{"one +0", "OK: OK 1 of 1 per hour"}, {"one", "OK: OK 0 of 1 per hour"}, {"one +0", "OK: OK 0 of 1 per hour"}, {"one", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour"}, {"one +0", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour"}}},
		{"hits above uint32 are cut", nil, steps{
			{fmt.Sprint("most +", uint64(math.MaxUint64)), "OK: OK 0 of 4294967295 per hour"},
			{fmt.Sprint("most=b +", uint64(1<<63)), "OK: OK 0 of 4294967295 per hour"},
			{"most=b", "OVER_LIMIT: OVER_LIMIT 0 of 4294967295 per hour"}}},
		{"refused hits are counted", nil, steps{{"two +5", "OVER_LIMIT: OVER_LIMIT 0 of 2 per hour"}, {"two -3", "OK: OK 0 of 2 per hour"}, {"two -1", "OK: OK 1 of 2 per hour"}}},
		{"hits given back", nil, steps{{"two +2", "OK: OK 0 of 2 per hour"}, {"two -1", "OK: OK 1 of 2 per hour"}, {"two", "OK: OK 0 of 2 per hour"}}},
		{"more given back than there is", nil, steps{{"two", "OK: OK 1 of 2 per hour"}, {"two -9", "OK: OK 2 of 2 per hour"}, {"two +3", "OVER_LIMIT: OVER_LIMIT 0 of 2 per hour"}}},
		{"given back while over is OK all the same", nil, steps{{"one +9", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour"}, {"one -1", "OK: OK 0 of 1 per hour"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				option := test.option
				if option == nil {
					option = func(*ratelimit.Options) {}
				}
				b := open(t, shop, option)
				for i, step := range test.steps {
					equal(t, fmt.Sprintf("step %d, %s", i+1, step[0]), b.ask(t, step[0]), step[1])
				}
			})
		})
	}
}

func TestHitsOfTheRequestCountForDescriptorsWithoutTheirOwn(t *testing.T) {
	b := open(t, shop)
	r := request("two=a; two=b +1; two=c +0")
	r.Hits = 2
	equal(t, "hits 2", told(b.decide(t, r)), "OK: OK 0 of 2 per hour, OK 1 of 2 per hour, OK 2 of 2 per hour")
	r = request("two=d")
	r.Hits = 0
	equal(t, "hits 0 count as 1", told(b.decide(t, r)), "OK: OK 1 of 2 per hour")
	r.Hits = math.MaxUint32
	equal(t, "most hits", told(b.decide(t, r)), "OVER_LIMIT: OVER_LIMIT 0 of 2 per hour")
}

func TestErrorsInOrder(t *testing.T) {
	b := open(t, "")
	var d ratelimit.Decision
	for _, test := range []struct {
		name string
		r    ratelimit.Request
		want error
		kind fault.Kind
	}{
		{"no domain before no descriptors", ratelimit.Request{}, ratelimit.ErrEmptyDomain, fault.Invalid},
		{"no descriptors before no rules", ratelimit.Request{Domain: "shop"}, ratelimit.ErrNoDescriptors, fault.Invalid},
		{"no rules", *request("one"), ratelimit.ErrNoRules, fault.Unavailable},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := b.Decide(t.Context(), &test.r, &d)
			if !errors.Is(err, test.want) || !errors.Is(err, test.kind) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
	equal(t, "service_error", b.stat("ratelimit.service.call.should_rate_limit.service_error"), "3")
	for err, text := range map[error]string{
		ratelimit.ErrEmptyDomain:   "rate limit domain must not be empty",
		ratelimit.ErrNoDescriptors: "rate limit descriptor list must not be empty",
		ratelimit.ErrNoRules:       "no rate limit configuration loaded",
	} {
		equal(t, "text", err.Error(), text)
	}
}

func TestFailedCounterFailsTheCall(t *testing.T) {
	b := open(t, shop)
	b.counter.err = errors.New("connection refused")
	err := b.Decide(t.Context(), request("one"), new(ratelimit.Decision))
	if !errors.Is(err, fault.Unavailable) || !errors.Is(err, b.counter.err) || err.Error() != "connection refused" {
		t.Errorf("got %v, want the counter's error", err)
	}
	equal(t, "redis_error", b.stat("ratelimit.service.call.should_rate_limit.redis_error"), "1")
	equal(t, "total_hits counted before the call", b.rule("shop.one"), "total_hits 1")
	for _, ask := range []string{"color=red", "free", "named; freereplacer", "free; color=red"} {
		b.ask(t, ask) // needs no counter, so it works while there is none
	}
}

func TestGlobalShadowModeCountsWhatItOverrides(t *testing.T) {
	b := open(t, shop, shadow)
	b.ask(t, "one; two")
	equal(t, "nothing overridden", b.stat("ratelimit.service.global_shadow_mode"), "0")
	b.ask(t, "one; two")
	b.ask(t, "one; two; zero")
	equal(t, "once per request", b.stat("ratelimit.service.global_shadow_mode"), "2")
}

func TestResetAtTheEdgesOfAWindow(t *testing.T) {
	for _, test := range []struct {
		unit       string
		multiplier int
		at         time.Duration // after 2000-01-01T00:00:00Z, second 946684800
		want       int64
	}{
		{"second", 1, 0, 1},
		{"second", 1, 999 * time.Millisecond, 1},
		{"minute", 1, 0, 60},
		{"minute", 1, 59 * time.Second, 1},
		{"minute", 1, 59*time.Second + 999*time.Millisecond, 1},
		{"minute", 1, 60 * time.Second, 60},
		{"hour", 1, time.Minute, 3540},
		{"day", 1, time.Hour, 82800},
		{"week", 1, 0, 604800 - 946684800%604800},
		{"month", 1, 0, 2592000 - 946684800%2592000},
		{"year", 1, 0, 31536000 - 946684800%31536000},
		{"minute", 5, 299 * time.Second, 1},
		{"minute", 5, 300 * time.Second, 300},
		{"second", 7, 0, 7 - 946684800%7},
		{"year", 100, 0, 3153600000 - 946684800},
	} {
		t.Run(fmt.Sprint(test.multiplier, " ", test.unit, " ", test.at), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, limit(fmt.Sprintf("unit: %s, unit_multiplier: %d, requests_per_unit: 3", test.unit, test.multiplier)))
				time.Sleep(test.at)
				equal(t, "reset", b.decide(t, request("a=1")).Statuses[0].Reset, test.want)
			})
		})
	}
}

func TestEveryUnitStartsAgainWhenItsWindowEnds(t *testing.T) {
	for _, unit := range []string{"second", "minute", "hour", "day", "week", "month", "year"} {
		for _, multiplier := range []int{1, 3} {
			t.Run(fmt.Sprint(multiplier, " ", unit), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					b := open(t, limit(fmt.Sprintf("unit: %s, unit_multiplier: %d, requests_per_unit: 1", unit, multiplier)))
					b.ask(t, "a=1")
					d := b.decide(t, request("a=1"))
					equal(t, "second call", d.Code, ratelimit.OverLimit)
					time.Sleep(time.Duration(d.Statuses[0].Reset)*time.Second - time.Millisecond)
					equal(t, "just before the end", b.decide(t, request("a=1")).Code, ratelimit.OverLimit)
					time.Sleep(time.Millisecond)
					equal(t, "at the end", b.decide(t, request("a=1")).Code, ratelimit.OK)
				})
			})
		}
	}
}
