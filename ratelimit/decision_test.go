package ratelimit_test

import (
	"encoding/json"
	"testing"

	"stoa/ratelimit"
)

func TestTightestStatus(t *testing.T) {
	const over, ok = ratelimit.OverLimit, ratelimit.OK
	limited := func(code ratelimit.Code, remaining uint32) ratelimit.Status {
		return ratelimit.Status{Code: code, Limited: true, Remaining: remaining}
	}
	quota := ratelimit.Status{Code: over, Limited: true, Quota: true}
	none, unlimited := ratelimit.Status{Code: ok}, ratelimit.Status{Code: ok, Remaining: 1<<32 - 1}
	for _, test := range []struct {
		name     string
		statuses []ratelimit.Status
		want     int // -1: no headers
	}{
		{"nothing limited", []ratelimit.Status{none, unlimited}, -1},
		{"no statuses", nil, -1},
		{"the fewest remaining", []ratelimit.Status{limited(ok, 5), limited(ok, 3), limited(ok, 4)}, 1},
		{"the first of equals", []ratelimit.Status{none, limited(ok, 3), limited(ok, 3)}, 1},
		{"without a limit is left out", []ratelimit.Status{none, limited(ok, 3), unlimited}, 1},
		{"a refused one takes its place", []ratelimit.Status{limited(ok, 0), limited(over, 0), limited(ok, 0)}, 1},
		{"the last refused one", []ratelimit.Status{limited(over, 0), limited(over, 0), limited(ok, 0)}, 1},
		{"a quota that is over is not refused", []ratelimit.Status{limited(ok, 0), quota}, 0},
		{"a quota that is over has nothing remaining", []ratelimit.Status{limited(ok, 1), quota}, 1},
		{"refused after a quota", []ratelimit.Status{quota, limited(over, 0), quota}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := ratelimit.Decision{Statuses: test.statuses}
			got := -1
			for i := range d.Statuses {
				if d.Tightest() == &d.Statuses[i] {
					got = i
				}
			}
			equal(t, "tightest", got, test.want)
		})
	}
}

func TestGlobalShadowModeLeavesTheTightestAlone(t *testing.T) {
	b := open(t, shop, shadow)
	d := b.decide(t, request("two; zero"))
	equal(t, "tightest", d.Tightest() == &d.Statuses[1], true)
}

func TestMetadataOfWhatPassed(t *testing.T) {
	b := open(t, domain(
		"{key: a, metadata: {first: a, deep: {a: 1, both: a, list: [1]}}, "+perHour+"}",
		"{key: b, detailed_metric: true, metadata: {first: b, second: b, deep: {b: 2, both: b, list: [2]}}, "+perHour+"}",
		"{key: c, value_to_metric: true, metadata: {first: {c: 1}, deep: text}, "+perHour+"}",
		"{key: over, metadata: {over: 1}, rate_limit: {unit: hour}}",
		"{key: shadow, shadow_mode: true, metadata: {shadow: 1}, rate_limit: {unit: hour}}",
		"{key: free, metadata: {free: 1}, rate_limit: {unlimited: true, replaces: [{name: n}]}}",
		"{key: named, metadata: {named: 1}, rate_limit: {name: n, unit: hour, requests_per_unit: 1}}",
		"{key: nolimit, metadata: {nolimit: 1}}",
		"{key: plain, "+perHour+"}",
	))
	for _, test := range []struct{ name, ask, want string }{
		{"one rule", "a", `{"deep":{"a":1,"both":"a","list":[1]},"first":"a"}`},
		{"the first wins, maps are joined", "a; b", `{"deep":{"a":1,"b":2,"both":"a","list":[1]},"first":"a","second":"b"}`},
		{"in the order of the request", "b; a", `{"deep":{"a":1,"b":2,"both":"b","list":[2]},"first":"b","second":"b"}`},
		{"a map does not take the place of text", "a; c", `{"deep":{"a":1,"both":"a","list":[1]},"first":"a"}`},
		{"text does not take the place of a map", "c; a", `{"deep":"text","first":{"c":1}}`},
		{"not of what is over", "over; a", `{"deep":{"a":1,"both":"a","list":[1]},"first":"a"}`},
		{"of what passes in shadow mode", "shadow", `{"shadow":1}`},
		{"of unlimited, not of what it replaces", "named; free", `{"free":1}`},
		{"not without a limit", "nolimit", `null`},
		{"none", "plain; color=red", `null`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := json.Marshal(b.decide(t, request(test.ask)).Metadata())
			if err != nil {
				t.Fatal(err)
			}
			equal(t, test.ask, string(got), test.want)
		})
	}
	t.Run("merging leaves the rules alone", func(t *testing.T) {
		got, _ := json.Marshal(b.decide(t, request("a")).Metadata())
		equal(t, "a", string(got), `{"deep":{"a":1,"both":"a","list":[1]},"first":"a"}`)
	})
}
