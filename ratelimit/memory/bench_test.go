package memory_test

import (
	"fmt"
	"testing"

	"stoa/ratelimit"
	"stoa/ratelimit/countertest"
)

func benchHits(b *testing.B, n int) []ratelimit.Hit {
	hits := make([]ratelimit.Hit, n)
	for i := range hits {
		hits[i] = countertest.Key(b, ratelimit.Year)
		hits[i].Add, hits[i].Limit = 1, 1<<32-1
	}
	return hits
}

func BenchmarkAdd(b *testing.B) {
	for _, n := range []int{1, 2, 10} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c, _ := open(1000)
			hits := benchHits(b, n)
			b.ReportAllocs()
			for b.Loop() {
				c.Add(b.Context(), hits)
			}
		})
	}
}

func BenchmarkAddByManyCallers(b *testing.B) {
	c, _ := open(1000)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		hits := benchHits(b, 2)
		for pb.Next() {
			c.Add(b.Context(), hits)
		}
	})
}

func BenchmarkAddUnlessOver(b *testing.B) {
	c, _ := open(1000)
	hits := benchHits(b, 2)
	b.ReportAllocs()
	for b.Loop() {
		c.AddUnlessOver(b.Context(), hits)
	}
}
