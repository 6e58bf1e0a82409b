package ratelimit_test

import (
	"fmt"
	"slices"
	"testing"

	"stoa/ratelimit"
)

func TestRulesThatChange(t *testing.T) {
	t.Parallel()
	was := compile(t, `domain: shop
descriptors:
  - {key: same, rate_limit: {unit: day, requests_per_unit: 1}}
  - {key: wider, rate_limit: {unit: day, requests_per_unit: 1}}
  - {key: gone, rate_limit: {unlimited: true}}
  - {key: tried, rate_limit: {unit: day, requests_per_unit: 1}}
`)
	now := compile(t, `domain: shop
descriptors:
  - {key: tried, shadow_mode: true, rate_limit: {unit: day, requests_per_unit: 1}}
  - {key: new, descriptors: [{key: below, rate_limit: {unit: minute, unit_multiplier: 5, requests_per_unit: 3}}]}
  - {key: same, rate_limit: {unit: day, requests_per_unit: 1}}
  - {key: wider, rate_limit: {unit: day, requests_per_unit: 2}}
`)
	terms := func(r *ratelimit.Rule) string {
		if r == nil {
			return "none"
		}
		return r.Terms()
	}
	var got []string
	for _, c := range was.Changes(now) {
		got = append(got, fmt.Sprintf("%s: %s → %s", c.Path, terms(c.Was), terms(c.Now)))
	}
	want := []string{
		"shop.gone: unlimited → none",
		"shop.new.below: none → 3 per 5 minutes",
		"shop.tried: 1 per day → 1 per day, shadow mode",
		"shop.wider: 1 per day → 2 per day",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTreeOfADomain(t *testing.T) {
	t.Parallel()
	rules := compile(t, "domain: shop\ndescriptors:\n  - key: path\n    value: /a\n    descriptors:\n      - {key: user, rate_limit: {unit: day, requests_per_unit: 1}}\n")
	top := rules.Tree("shop")
	if len(top) != 1 || top[0].Name != "path_/a" || top[0].Key != "path" || top[0].Value != "/a" || top[0].Rule != nil {
		t.Fatalf("got %+v, want the node of the path", top)
	}
	if below := top[0].Children; len(below) != 1 || below[0].Path != "shop.path_/a.user" || below[0].At.Line != 6 || below[0].Rule == nil {
		t.Errorf("got %+v, want the rule of users", below)
	}
	if rules.Tree("garage") != nil {
		t.Error("got a tree of a domain that is not there")
	}
}
