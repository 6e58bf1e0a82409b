package ratelimit_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/memory"
)

// busy is a limiter on memory with rules as a shop would have.
func busy(t tester) *ratelimit.Limiter {
	var rules []string
	for i := range 100 {
		rules = append(rules, fmt.Sprintf("{key: tenant, value: t%d, rate_limit: {unit: hour, requests_per_unit: 4000000000}}", i))
	}
	rules = append(rules,
		"{key: path, value: '/a*', descriptors: [{key: user, rate_limit: {unit: minute, unit_multiplier: 5, requests_per_unit: 4000000000}}]}",
		"{key: path, value: '/b/*/c*', rate_limit: {unit: day, requests_per_unit: 4000000000}}",
		"{key: detailed, detailed_metric: true, rate_limit: {unit: hour, requests_per_unit: 4000000000}}",
		"{key: over, rate_limit: {unit: year, requests_per_unit: 0}}",
		"{key: free, rate_limit: {unlimited: true, replaces: [{name: n}]}}",
	)
	return open(t, domain(rules...), many).Limiter
}

var asks = []struct{ name, text string }{
	{"1", "path=/api,user=u1"},
	{"2", "path=/api,user=u1; tenant=t7"},
	{"10", "path=/api,user=u1; tenant=t7; path=/b/x/cd; detailed=d1; over; free; none=1; tenant=t8; tenant=t9; path=/api,user=u2"},
}

func BenchmarkDecide(b *testing.B) {
	for _, ask := range asks {
		b.Run(ask.name, func(b *testing.B) {
			l, r := busy(b), request(ask.text)
			var d ratelimit.Decision
			b.ReportAllocs()
			for b.Loop() {
				if err := l.Decide(b.Context(), r, &d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecideByManyCallers(b *testing.B) {
	l := busy(b)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		r := request("path=/api,user=u1; tenant=t7")
		var d ratelimit.Decision
		for pb.Next() {
			if err := l.Decide(b.Context(), r, &d); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkExplain(b *testing.B) {
	l, r := busy(b), request("path=/api,user=u1; tenant=t7")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Explain(b.Context(), r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadRules(b *testing.B) {
	var text strings.Builder
	text.WriteString("domain: shop\ndescriptors:\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "- {key: user, value: u%d, %s}\n", i, perHour)
	}
	l := ratelimit.New(ratelimit.Options{
		Counter: memory.New(memory.Config{MaxKeys: 1}, stats.NewRegistry(), quiet), Stats: stats.NewRegistry(),
	})
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		l.Use(parse(b, text.String()))
	}
}

func TestDecideAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	more := append(asks[:len(asks):len(asks)],
		struct{ name, text string }{"hits given back", "path=/api,user=u1 -1; tenant=t7 +3"},
		struct{ name, text string }{"a name of the caller", "detailed=d2"},
	)
	for _, ask := range more {
		t.Run(ask.name, func(t *testing.T) {
			l, r := busy(t), request(ask.text)
			var d ratelimit.Decision
			if n := testing.AllocsPerRun(200, func() {
				if err := l.Decide(t.Context(), r, &d); err != nil {
					t.Fatal(err)
				}
			}); n != 0 {
				t.Errorf("got %v allocations, want 0", n)
			}
		})
	}
}
