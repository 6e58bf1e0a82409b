package rls_test

import (
	"io"
	"log/slog"
	"testing"

	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/memory"
	"stoa/ratelimit/rls"
)

// newService serves rules with counters in memory.
func newService(t testing.TB, config rls.Config, rules string) *rls.Service {
	t.Helper()
	registry := stats.NewRegistry()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	limiter := ratelimit.New(ratelimit.Options{
		Config:  ratelimit.Config{NearLimitRatio: 0.8, MaxDynamicNames: 100},
		Counter: memory.New(memory.Config{MaxKeys: 1000}, registry, log),
		Stats:   registry,
	})
	spec, err := ratelimit.ParseYAML("rules.yaml", []byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	set, err := ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false)
	if err != nil {
		t.Fatal(err)
	}
	limiter.Use(set)
	return rls.New(rls.Options{Config: config, Limiter: limiter, Backend: "memory", Health: rls.NewHealth(), Stats: registry, Log: log})
}
