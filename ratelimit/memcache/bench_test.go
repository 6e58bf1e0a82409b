package memcache

import (
	"strconv"
	"sync/atomic"
	"testing"

	"stoa/ratelimit"
	"stoa/ratelimit/memcache/memcachetest"
)

func BenchmarkAdd(b *testing.B) {
	for _, keys := range []int{1, 2, 10} {
		b.Run(strconv.Itoa(keys)+" keys", func(b *testing.B) {
			cfg := of(memcachetest.Start(b))
			cfg.MaxIdleConns = 64
			var failed failures
			c := running(b, cfg, Options{Jitter: 300, Failed: failed.failed})
			var caller atomic.Int64
			b.ReportAllocs()
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				hits := make([]ratelimit.Hit, keys)
				mine := caller.Add(1)
				for i := range hits {
					hits[i] = ratelimit.Hit{Key: strconv.AppendInt([]byte("shop_user_"), mine*100+int64(i), 10), Window: minute, Add: 1}
				}
				for pb.Next() {
					if err := c.Add(b.Context(), hits); err != nil {
						b.Error(err)
					}
				}
			})
			b.ReportMetric(float64(failed.Load()), "failed")
			c.settle(b)
		})
	}
}
