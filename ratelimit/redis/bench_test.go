package redis_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"stoa/ratelimit"
	"stoa/ratelimit/redis"
	"stoa/ratelimit/redis/redistest"
)

// BenchmarkAdd tells, beside the usual, the CPU time this process spends on a
// call: that is what a decision costs, the rest is waiting.
func BenchmarkAdd(b *testing.B) {
	s := redistest.Start(b)
	c := open(b, tcp(s.Addr()), redis.Options{Jitter: 300})
	for _, hits := range []int{1, 2} {
		for _, callers := range []int{64, 512} {
			for _, keys := range []string{"known", "new"} {
				b.Run(fmt.Sprintf("hits=%d/callers=%d/keys=%s", hits, callers, keys), func(b *testing.B) {
					benchAdd(b, c, hits, callers, keys == "new")
				})
			}
		}
	}
}

func benchAdd(b *testing.B, c ratelimit.Counter, hits, callers int, fresh bool) {
	window := ratelimit.Window{Start: time.Now().Unix() / 60 * 60, Seconds: 60}
	var caller, serial atomic.Int64
	prefix := fmt.Sprintf("shop_path_/api_user_%x_", rand.Uint64())
	b.ReportAllocs()
	b.SetParallelism(callers / max(1, runtime.GOMAXPROCS(0)))
	before := cpuTime()
	b.RunParallel(func(pb *testing.PB) {
		id := caller.Add(1)
		batch := make([]ratelimit.Hit, hits)
		for i := range batch {
			batch[i] = ratelimit.Hit{Key: fmt.Appendf(nil, "shop_path_/api_user_u%d-%d_%d", id, i, window.Start), Window: window, Add: 1}
		}
		for pb.Next() {
			if fresh {
				for i := range batch {
					batch[i].Key = strconv.AppendInt(append(batch[i].Key[:0], prefix...), serial.Add(1), 10)
				}
			}
			if err := c.Add(b.Context(), batch); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(cpuTime()-before)/float64(b.N), "cpu-ns/op")
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
