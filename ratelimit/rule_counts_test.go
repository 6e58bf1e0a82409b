package ratelimit_test

import (
	"testing"

	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/memory"
)

func compile(t *testing.T, text string) *ratelimit.Rules {
	t.Helper()
	spec, err := ratelimit.ParseDomain("shop.yaml", []byte(text), "shop", "shop")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// Hits with names of callers' values count for their rule, those with a limit of their
// own for the domain.
func TestCountsByRule(t *testing.T) {
	t.Parallel()
	registry := stats.NewRegistry()
	l := ratelimit.New(ratelimit.Options{
		Config:  ratelimit.Config{NearLimitRatio: 0.8, MaxDynamicNames: 10},
		Counter: memory.New(memory.Config{MaxKeys: 100}, registry, nil), Stats: registry,
	})
	l.Use(compile(t, `domain: shop
descriptors:
  - {key: plain, rate_limit: {unit: year, requests_per_unit: 0}, shadow_mode: true}
  - {key: user, value_to_metric: true, rate_limit: {unit: year, requests_per_unit: 1}}
`))
	ask := func(key, value string, own ratelimit.Limit) {
		r := ratelimit.Request{Domain: "shop", Descriptors: []ratelimit.Descriptor{{Entries: []ratelimit.Entry{{Key: key, Value: value}}, Override: own}}}
		if err := l.Decide(t.Context(), &r, new(ratelimit.Decision)); err != nil {
			t.Fatal(err)
		}
	}
	ask("plain", "", ratelimit.Limit{})
	for _, user := range []string{"ann", "bob", "bob"} {
		ask("user", user, ratelimit.Limit{})
	}
	ask("user", "carl", ratelimit.Limit{Requests: 5, Unit: ratelimit.Year})
	counts := l.Counts()
	for path, want := range map[string]ratelimit.RuleCounts{
		"shop.plain": {Hits: 1, Over: 1, Shadow: 1},
		"shop.user":  {Hits: 3, Near: 2, Over: 1},

		ratelimit.OverridePath("shop"): {Hits: 1},
	} {
		if got := counts[path]; got != want {
			t.Errorf("%s: got %+v, want %+v", path, got, want)
		}
	}
}
