package limits_test

import (
	"context"
	"fmt"
	"net/netip"

	"stoa/internal/stats"
	"stoa/polls/limits"
	"stoa/ratelimit"
	"stoa/ratelimit/memory"
)

func Example() {
	spec, err := limits.Rules(limits.Default, "polls_staging")
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
	limiter := ratelimit.New(ratelimit.Options{Counter: memory.New(memory.Config{MaxKeys: 1000}, registry, nil), Stats: registry})
	limiter.Use(rules)

	l := limits.New(limits.Options{Decider: limiter, Domain: "polls_staging", Key: []byte("a secret")})
	answer, err := l.Ask(context.Background(), limits.Call{
		Route: limits.Read, Address: netip.MustParseAddr("198.51.100.1"),
	})
	fmt.Println(answer.Over, answer.Remaining, "of", answer.Limit, err)
	// Output: false 1199 of 1200 <nil>
}
