package stats

import (
	"runtime"
	"sync/atomic"
)

// RegisterGo shows the memory, the collector and the goroutines of the Go
// runtime as prefix.alloc, prefix.numGoroutine and so on. Reading memory
// figures stops the program for a moment, so it happens once per snapshot.
func RegisterGo(r *Registry, prefix string) {
	var memory atomic.Pointer[runtime.MemStats]
	memory.Store(new(runtime.MemStats))
	r.BeforeReading(func() {
		m := new(runtime.MemStats)
		runtime.ReadMemStats(m)
		memory.Store(m)
	})
	counter := func(name string, field func(*runtime.MemStats) uint64) {
		r.CounterFunc(prefix+"."+name, func() uint64 { return field(memory.Load()) })
	}
	gauge := func(name string, field func(*runtime.MemStats) uint64) {
		r.GaugeFunc(prefix+"."+name, func() int64 { return int64(field(memory.Load())) })
	}

	gauge("alloc", func(m *runtime.MemStats) uint64 { return m.Alloc })
	counter("totalAlloc", func(m *runtime.MemStats) uint64 { return m.TotalAlloc })
	gauge("sys", func(m *runtime.MemStats) uint64 { return m.Sys })
	counter("lookups", func(m *runtime.MemStats) uint64 { return m.Lookups })
	counter("mallocs", func(m *runtime.MemStats) uint64 { return m.Mallocs })
	counter("frees", func(m *runtime.MemStats) uint64 { return m.Frees })

	gauge("heapAlloc", func(m *runtime.MemStats) uint64 { return m.HeapAlloc })
	gauge("heapSys", func(m *runtime.MemStats) uint64 { return m.HeapSys })
	gauge("heapIdle", func(m *runtime.MemStats) uint64 { return m.HeapIdle })
	gauge("heapInuse", func(m *runtime.MemStats) uint64 { return m.HeapInuse })
	gauge("heapReleased", func(m *runtime.MemStats) uint64 { return m.HeapReleased })
	gauge("heapObjects", func(m *runtime.MemStats) uint64 { return m.HeapObjects })

	gauge("nextGC", func(m *runtime.MemStats) uint64 { return m.NextGC })
	gauge("lastGC", func(m *runtime.MemStats) uint64 { return m.LastGC })
	counter("pauseTotalNs", func(m *runtime.MemStats) uint64 { return m.PauseTotalNs })
	counter("numGC", func(m *runtime.MemStats) uint64 { return uint64(m.NumGC) })
	gauge("gcCPUPercent", func(m *runtime.MemStats) uint64 { return uint64(m.GCCPUFraction * 100) })

	r.GaugeFunc(prefix+".numGoroutine", func() int64 { return int64(runtime.NumGoroutine()) })
}
