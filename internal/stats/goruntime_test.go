package stats_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"stoa/internal/stats"
)

func TestGoRuntimeHasItsNamesAndValues(t *testing.T) {
	runtime.GC()
	r := stats.NewRegistry()
	stats.RegisterGo(r, "ratelimit.go")
	values := map[string]float64{}
	s := r.Snapshot()
	var counters, gauges []string
	for _, c := range s.Counters {
		counters = append(counters, strings.TrimPrefix(c.ID().Name, "ratelimit.go."))
		values[c.ID().Name] = float64(c.Total())
	}
	for _, g := range s.Gauges {
		gauges = append(gauges, strings.TrimPrefix(g.ID().Name, "ratelimit.go."))
		values[g.ID().Name] = float64(g.Value())
	}
	anyOrder := cmpopts.SortSlices(strings.Compare)
	if diff := cmp.Diff(strings.Fields("totalAlloc lookups mallocs frees pauseTotalNs numGC"), counters, anyOrder); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
	want := strings.Fields("alloc sys heapAlloc heapSys heapIdle heapInuse heapReleased heapObjects nextGC lastGC gcCPUPercent numGoroutine")
	if diff := cmp.Diff(want, gauges, anyOrder); diff != "" {
		t.Errorf("gauges (-want +got):\n%s", diff)
	}
	for name := range strings.FieldsSeq("alloc totalAlloc sys mallocs heapAlloc heapSys nextGC lastGC numGC numGoroutine") {
		if values["ratelimit.go."+name] <= 0 {
			t.Errorf("%s: got %v want above 0", name, values["ratelimit.go."+name])
		}
	}
}

func TestOneReadingServesAllFunctionsOfASnapshot(t *testing.T) {
	r := stats.NewRegistry()
	readings := int64(0)
	r.BeforeReading(func() { readings++ })
	for _, name := range []string{"a", "b", "c"} {
		r.GaugeFunc(name, func() int64 { return readings })
	}
	r.Snapshot()
	for _, g := range r.Snapshot().Gauges {
		if g.Value() != 2 {
			t.Errorf("%s: got %d readings want 2", g.ID().Name, g.Value())
		}
	}
}
