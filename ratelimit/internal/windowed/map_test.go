package windowed_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stoa/ratelimit/internal/windowed"
)

func one() int { return 1 }

func TestKeysOfDifferentWindowsAreApart(t *testing.T) {
	m := windowed.New[int](10)
	m.LoadOrStore(60, []byte("a"), func() int { return 1 })
	m.LoadOrStore(120, []byte("a"), func() int { return 2 })
	for end, want := range map[int64]int{60: 1, 120: 2} {
		if got, ok := m.Load(end, []byte("a")); !ok || got != want {
			t.Errorf("window %d: got %d %t, want %d", end, got, ok, want)
		}
	}
	if _, ok := m.Load(180, []byte("a")); ok {
		t.Error("window 180: got a value, want none")
	}
}

func TestStoredValueStays(t *testing.T) {
	m := windowed.New[int](10)
	if v, loaded, ok := m.LoadOrStore(60, []byte("a"), func() int { return 1 }); v != 1 || loaded || !ok {
		t.Errorf("first: got %d %t %t, want 1 false true", v, loaded, ok)
	}
	if v, loaded, ok := m.LoadOrStore(60, []byte("a"), func() int { return 2 }); v != 1 || !loaded || !ok {
		t.Errorf("second: got %d %t %t, want 1 true true", v, loaded, ok)
	}
}

func TestKeyIsNotKeptByReference(t *testing.T) {
	m := windowed.New[int](10)
	key := []byte("abc")
	m.LoadOrStore(60, key, one)
	copy(key, "xyz")
	if _, ok := m.Load(60, []byte("abc")); !ok {
		t.Error("the caller's bytes changed the key")
	}
}

func TestFullMapTakesKnownKeysOnly(t *testing.T) {
	m := windowed.New[int](2)
	m.LoadOrStore(60, []byte("a"), one)
	m.LoadOrStore(120, []byte("b"), one)
	if _, _, ok := m.LoadOrStore(60, []byte("c"), one); ok {
		t.Error("a third key: got a place")
	}
	if _, loaded, ok := m.LoadOrStore(120, []byte("b"), one); !loaded || !ok {
		t.Error("a known key: got none")
	}
	m.Delete(60, []byte("nobody"))
	m.Delete(60, []byte("a"))
	m.Delete(60, []byte("a"))
	if _, _, ok := m.LoadOrStore(60, []byte("c"), one); !ok {
		t.Error("after a Delete: got no place")
	}
	if m.Len() != 2 {
		t.Errorf("got %d keys, want 2", m.Len())
	}
}

func TestSweepForgetsWindowsThatEndedBefore(t *testing.T) {
	m := windowed.New[int](10)
	for _, end := range []int64{60, 60, 120, 180} {
		m.LoadOrStore(end, fmt.Append(nil, m.Len()), one)
	}
	for _, step := range []struct {
		now             int64
		forgotten, left int
	}{{60, 0, 4}, {61, 2, 2}, {61, 0, 2}, {500, 2, 0}} {
		if n := m.Sweep(step.now); n != step.forgotten || m.Len() != step.left {
			t.Errorf("at %d: forgot %d, left %d, want %d and %d", step.now, n, m.Len(), step.forgotten, step.left)
		}
	}
}

// Many callers want the same new key while there is one place: all get it.
func TestLastPlaceIsForEveryCallerOfItsKey(t *testing.T) {
	for range 2000 {
		m := windowed.New[int](1)
		var start, done sync.WaitGroup
		start.Add(1)
		for range 4 {
			done.Go(func() {
				start.Wait()
				if _, _, ok := m.LoadOrStore(60, []byte("a"), one); !ok {
					t.Error("got no place for the only key")
				}
			})
		}
		start.Done()
		done.Wait()
		if t.Failed() {
			return
		}
	}
}

// churn stores, deletes and sweeps at once in windows that come and go.
func churn(t *testing.T, m *windowed.Map[int], most, rounds int) {
	var now atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range rounds {
				end := now.Load() + rand.Int64N(4)
				key := fmt.Append(nil, rand.IntN(2*most))
				switch rand.IntN(4) {
				case 0:
					m.Delete(end, key)
				default:
					m.LoadOrStore(end, key, one)
				}
				if n := m.Len(); n > most || n < 0 {
					t.Errorf("round %d: got %d keys, want 0 to %d", i, n, most)
					return
				}
			}
		})
	}
	wg.Go(func() {
		for range rounds / 10 {
			m.Sweep(now.Add(1))
			time.Sleep(time.Microsecond)
		}
	})
	wg.Wait()
}

func TestSizeIsExactUnderChurn(t *testing.T) {
	const most = 50
	for range 5 {
		m := windowed.New[int](most)
		churn(t, m, most, 4000)
		held := 0
		for end := range int64(1000) {
			for key := range 2 * most {
				if _, ok := m.Load(end, fmt.Append(nil, key)); ok {
					held++
				}
			}
		}
		if m.Len() != held {
			t.Errorf("got Len %d, want %d", m.Len(), held)
		}
		m.Sweep(1 << 40)
		if m.Len() != 0 {
			t.Errorf("after the last sweep: got Len %d, want 0", m.Len())
		}
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// fill puts n keys of usual length in; it returns the bytes they take.
func fill(m *windowed.Map[*uint64], n int) uint64 {
	before := heap()
	key := make([]byte, 0, 64)
	for i := range n {
		key = fmt.Appendf(key[:0], "shop_path_/api_user_u%07d_1794700800", i)
		m.LoadOrStore(60, key, func() *uint64 { return new(uint64) })
	}
	return heap() - before
}

func TestMemoryReturnsAfterSweep(t *testing.T) {
	before := heap()
	m := windowed.New[*uint64](1 << 20)
	used := fill(m, 100_000)
	if n := m.Sweep(61); n != 100_000 {
		t.Errorf("forgot %d keys, want 100000", n)
	}
	if left := int64(heap()) - int64(before); left > int64(used)/20 {
		t.Errorf("%d of %d bytes are still in use", left, used)
	}
	runtime.KeepAlive(m)
}

func BenchmarkMillionKeys(b *testing.B) {
	const n = 1_000_000
	var used uint64
	for b.Loop() {
		m := windowed.New[*uint64](n)
		used = fill(m, n)
		if m.Len() != n {
			b.Fatalf("got %d keys, want %d", m.Len(), n)
		}
		m.Sweep(61)
	}
	b.ReportMetric(float64(used)/n, "bytes/key")
}

func BenchmarkLoad(b *testing.B) {
	m := windowed.New[int](1000)
	for i := range 1000 {
		m.LoadOrStore(60+int64(i%4), fmt.Append(nil, i), one)
	}
	key := []byte("500")
	b.ReportAllocs()
	for b.Loop() {
		m.Load(60, key)
	}
}
