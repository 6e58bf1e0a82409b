package ratelimit_test

import (
	"context"
	"fmt"

	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/memory"
)

func Example() {
	spec, err := ratelimit.ParseYAML("shop.yaml", []byte(`
domain: shop
descriptors:
  - key: user
    rate_limit: {unit: year, requests_per_unit: 2}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	rules, err := ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	registry := stats.NewRegistry()
	l := ratelimit.New(ratelimit.Options{
		Config:  ratelimit.Config{NearLimitRatio: 0.8},
		Counter: memory.New(memory.Config{MaxKeys: 1000}, registry, quiet),
		Stats:   registry,
	})
	l.Use(rules)

	request := &ratelimit.Request{
		Domain:      "shop",
		Descriptors: []ratelimit.Descriptor{{Entries: []ratelimit.Entry{{Key: "user", Value: "u1"}}}},
	}
	var decision ratelimit.Decision
	for range 3 {
		if err := l.Decide(context.Background(), request, &decision); err != nil {
			fmt.Println(err)
			return
		}
		status := decision.Statuses[0]
		fmt.Printf("%v, %d of %v remaining\n", decision.Code, status.Remaining, status.Limit)
	}
	// Output:
	// OK, 1 of 2 per year remaining
	// OK, 0 of 2 per year remaining
	// OVER_LIMIT, 0 of 2 per year remaining
}
