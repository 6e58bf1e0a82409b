package ratelimit

import (
	"testing"
	"time"

	"stoa/internal/stats"
)

// benchTree is a level with exact, wildcard and plain nodes.
func benchTree(b *testing.B) *node {
	limit := &LimitSpec{Unit: "hour", Requests: 9}
	rules, err := NewRules([]DomainSpec{{Domain: "shop", Descriptors: []DescriptorSpec{
		{Key: "path", Value: "/exact", Limit: limit},
		{Key: "path", Value: "/a/*/b*", Limit: limit},
		{Key: "path", Value: "*.png", Limit: limit},
		{Key: "path", Limit: limit, Descriptors: []DescriptorSpec{{Key: "user", Limit: limit}}},
	}}}, false)
	if err != nil {
		b.Fatal(err)
	}
	return rules.domains["shop"]
}

func BenchmarkMatch(b *testing.B) {
	tree := benchTree(b)
	for _, bench := range []struct {
		name    string
		entries []Entry
	}{
		{"exact", []Entry{{"path", "/exact"}}},
		{"wildcard", []Entry{{"path", "/a/some/where/b/else"}}},
		{"key", []Entry{{"path", "/other"}, {"user", "u1"}}},
		{"none", []Entry{{"color", "red"}}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tree.match(bench.entries)
			}
		})
	}
}

func BenchmarkKey(b *testing.B) {
	entries := []Entry{{"path", "/other"}, {"user", "u1"}}
	rule := benchTree(b).match(entries)
	window := rule.Limit.Window(time.Now().Unix())
	k := keyMaker{prefix: "pre:"}
	var key []byte
	b.ReportAllocs()
	for b.Loop() {
		key = k.append(key[:0], "shop", entries, rule, rule.Limit, window)
	}
}

func BenchmarkJudge(b *testing.B) {
	l := New(Options{Config: Config{NearLimitRatio: 0.8}, Stats: stats.NewRegistry()})
	entries := []Entry{{"path", "/other"}, {"user", "u1"}}
	rule := benchTree(b).match(entries)
	c := &call{
		checks: []check{{rule: rule, limit: rule.Limit, hits: 1, stats: l.names.path("shop.path.user")}},
		hits:   []Hit{{Count: 5}},
	}
	d := &Decision{Statuses: make([]Status, 1)}
	b.ReportAllocs()
	for b.Loop() {
		c.judge(l, d)
		d.conclude()
	}
}
