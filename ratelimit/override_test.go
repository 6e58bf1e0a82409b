package ratelimit_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"stoa/ratelimit"
)

func withOverride(text string, l ratelimit.Limit) *ratelimit.Request {
	r := request(text)
	for i := range r.Descriptors {
		r.Descriptors[i].Override = l
	}
	return r
}

func TestOverrideDecidesInsteadOfTheRules(t *testing.T) {
	three := ratelimit.Limit{Requests: 3, Unit: ratelimit.Hour}
	for _, test := range []struct {
		name, ask string
		override  ratelimit.Limit
		want      string
	}{
		{"needs no rule", "color=red", three, "OK: OK 2 of 3 per hour"},
		{"and no depth", "color=red,user=u,day=1", three, "OK: OK 2 of 3 per hour"},
		{"and no entries", "", three, "OK: OK 2 of 3 per hour"},
		{"stands in for the rule", "one", three, "OK: OK 2 of 3 per hour"},
		{"stands in for unlimited", "free", three, "OK: OK 2 of 3 per hour"},
		{"zero refuses", "one", ratelimit.Limit{Unit: ratelimit.Hour}, "OVER_LIMIT: OVER_LIMIT 0 of 0 per hour"},
		{"several units", "one", ratelimit.Limit{Requests: 3, Unit: ratelimit.Minute, Multiplier: 5}, "OK: OK 2 of 3 per 5 minutes"},
		{"exactly 100 years", "one", ratelimit.Limit{Requests: 3, Unit: ratelimit.Year, Multiplier: 100}, "OK: OK 2 of 3 per 100 years"},
		{"no shadow mode", "shadow +4", three, "OVER_LIMIT: OVER_LIMIT 0 of 3 per hour"},
		{"no unit: the rules decide", "one", ratelimit.Limit{Requests: 3}, "OK: OK 0 of 1 per hour"},
		{"undefined unit: the rules decide", "one", ratelimit.Limit{Requests: 3, Unit: 200}, "OK: OK 0 of 1 per hour"},
		{"over 100 years: the rules decide", "one", ratelimit.Limit{Requests: 3, Unit: ratelimit.Year, Multiplier: 101}, "OK: OK 0 of 1 per hour"},
		{"the longest of all: the rules decide", "one", ratelimit.Limit{Requests: 3, Unit: ratelimit.Year, Multiplier: 1<<32 - 1}, "OK: OK 0 of 1 per hour"},
		{"no unit and no rule", "color=red", ratelimit.Limit{Requests: 3}, "OK: OK"},
	} {
		t.Run(test.name, func(t *testing.T) {
			equal(t, test.ask, told(open(t, shop).decide(t, withOverride(test.ask, test.override))), test.want)
		})
	}
}

func TestOverrideInAnUnknownDomainIsIgnored(t *testing.T) {
	b := open(t, shop)
	r := withOverride("one", ratelimit.Limit{Unit: ratelimit.Hour})
	r.Domain = "elsewhere"
	equal(t, "answer", told(b.decide(t, r)), "OK: OK")
	equal(t, "counter calls", b.counter.calls, 0)
}

func TestOverrideSharesTheCounterOfARuleWithItsUnit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, shop)
		b.ask(t, "two=x +2")
		equal(t, "same unit", told(b.decide(t, withOverride("two=x", ratelimit.Limit{Requests: 9, Unit: ratelimit.Hour}))), "OK: OK 6 of 9 per hour")
		equal(t, "the rule sees it", b.ask(t, "two=x +0"), "OVER_LIMIT: OVER_LIMIT 0 of 2 per hour")
		b.decide(t, withOverride("two=x", ratelimit.Limit{Requests: 9, Unit: ratelimit.Minute, Multiplier: 60}))
		equal(t, "key of 60 minutes", strings.Join(b.counter.asked, ""), "shop_two_x_946684800/3600 +1")
		equal(t, "60 minutes are another counter", b.ask(t, "two=x -1"), "OK: OK 0 of 2 per hour")
	})
}

func TestOverrideHasNoNameMetadataQuotaReplacesOrSharing(t *testing.T) {
	b := open(t, domain(
		"{key: a, quota_mode: true, metadata: {m: 1}, rate_limit: {name: n, unit: hour, requests_per_unit: 9, replaces: [{name: b}]}}",
		"{key: b, rate_limit: {name: b, unit: hour, requests_per_unit: 9}}",
		"{key: c, value: 'x*', share_threshold: true, "+perHour+"}",
	))
	r := request("a=1; b=1; c=x1")
	r.Descriptors[0].Override = ratelimit.Limit{Requests: 1, Unit: ratelimit.Hour}
	r.Descriptors[2].Override = ratelimit.Limit{Requests: 1, Unit: ratelimit.Day}
	d := b.decide(t, r)
	equal(t, "b is not replaced", told(d), "OK: OK 0 of 1 per hour, OK 8 of 9 per hour, OK 0 of 1 per day")
	equal(t, "name", d.Statuses[0].Name, "")
	equal(t, "rule", d.Statuses[0].Rule == nil, true)
	equal(t, "metadata", len(d.Metadata()), 0)
	equal(t, "key of the value", strings.HasPrefix(b.counter.asked[2], "shop_c_x1_"), true)
	equal(t, "no quota mode", told(b.decide(t, r)), "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour, OK 7 of 9 per hour, OVER_LIMIT 0 of 1 per day")
}
