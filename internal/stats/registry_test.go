package stats_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/stats"
)

func names(r *stats.Registry) []string {
	var names []string
	for _, c := range r.Snapshot().Counters {
		names = append(names, c.ID().Plain())
	}
	return names
}

func TestSameNameAndTagsAreTheSameStatistic(t *testing.T) {
	r := stats.NewRegistry()
	a, b := stats.Tag{Key: "a", Value: "1"}, stats.Tag{Key: "b", Value: "2"}
	if r.Counter("hits", a, b) != r.Counter("hits", b, a) {
		t.Error("the order of tags made two counters")
	}
	if r.Counter("ip_10.0.0.1") != r.Counter("ip_10_0_0_1") {
		t.Error("names that clean to the same made two counters")
	}
	if r.Counter("hits") == r.Counter("hits", a) {
		t.Error("a tag made no difference")
	}
	if r.Counter("v", stats.Tag{Key: "k", Value: "1.0"}) == r.Counter("v", stats.Tag{Key: "k", Value: "1_0"}) {
		t.Error("a dot in a value made no difference")
	}
	if level, again := r.Gauge("level", a), r.Gauge("level", a); level != again {
		t.Error("the same name made two gauges")
	}
	if took, again := r.Timer("took", a), r.Timer("took", a); took != again {
		t.Error("the same name made two timers")
	}
}

func TestTagsBecomeSuffixesInKeyOrder(t *testing.T) {
	r := stats.NewRegistry()
	c := r.Counter("hits", stats.Tag{Key: "zone", Value: "eu.1"}, stats.Tag{Key: "code", Value: "a:b"}, stats.Tag{Key: "none"})
	if got, want := c.ID().Plain(), "hits.__code=a_b.__zone=eu_1"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
	extra := c.ID().With(stats.Tag{Key: "code", Value: "extra"}, stats.Tag{Key: "app", Value: "x"})
	if got, want := extra.Plain(), "hits.__app=x.__code=a_b.__zone=eu_1"; got != want {
		t.Errorf("with extra tags: got %q want %q", got, want)
	}
}

func TestNameCannotForgeLines(t *testing.T) {
	c := stats.NewRegistry().Counter("a\nb:1|c\r", stats.Tag{Key: "k\n", Value: "v\n"})
	if got, want := c.ID().Plain(), "a_b_1_c_.__k_=v_"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
}

func TestForgottenCounterIsGoneAndStartsAnew(t *testing.T) {
	r := stats.NewRegistry()
	a, b := r.Counter("a"), r.Counter("b")
	r.Counter("c")
	b.Add(7)
	r.Forget(b)
	r.Forget(b, a, a)
	r.Forget(stats.NewRegistry().Counter("c"))
	if diff := cmp.Diff([]string{"c"}, names(r)); diff != "" {
		t.Errorf("after Forget (-want +got):\n%s", diff)
	}
	if got := r.Counter("b").Total(); got != 0 {
		t.Errorf("made again: got total %d want 0", got)
	}
	r.Forget(b) // the old one: the new one stays
	if diff := cmp.Diff([]string{"c", "b"}, names(r)); diff != "" {
		t.Errorf("made again (-want +got):\n%s", diff)
	}
}

func TestManyDynamicNamesComeAndGoInOrder(t *testing.T) {
	r := stats.NewRegistry()
	var live []*stats.Counter
	for i := range 50_000 {
		live = append(live, r.Counter(fmt.Sprint("name_", i)))
		if len(live) > 100 {
			r.Forget(live[0])
			live = live[1:]
		}
	}
	if diff := cmp.Diff(len(live), len(names(r))); diff != "" {
		t.Fatalf("live names (-want +got):\n%s", diff)
	}
	for i, c := range r.Snapshot().Counters {
		if c != live[i] {
			t.Fatalf("place %d: got %s want %s", i, c.ID().Name, live[i].ID().Name)
		}
	}
}

func TestFunctionsAreReadLiveAndReplaced(t *testing.T) {
	r := stats.NewRegistry()
	total, level := uint64(1), int64(-1)
	r.CounterFunc("total", func() uint64 { return total })
	r.GaugeFunc("level", func() int64 { return level })
	total, level = 5, -5
	s := r.Snapshot()
	if s.Counters[0].Total() != 5 || s.Gauges[0].Value() != -5 {
		t.Errorf("got %d and %d want 5 and -5", s.Counters[0].Total(), s.Gauges[0].Value())
	}
	r.CounterFunc("total", func() uint64 { return 100 })
	r.GaugeFunc("level", func() int64 { return 100 })
	s = r.Snapshot()
	if len(s.Counters) != 1 || len(s.Gauges) != 1 {
		t.Fatalf("got %d counters and %d gauges want 1 each", len(s.Counters), len(s.Gauges))
	}
	if s.Counters[0].Total() != 100 || s.Gauges[0].Value() != 100 {
		t.Errorf("replaced: got %d and %d want 100 each", s.Counters[0].Total(), s.Gauges[0].Value())
	}
}

func TestConcurrentUseCountsEverything(t *testing.T) {
	r := stats.NewRegistry()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 1000 {
				r.Counter("shared").Add(1)
				r.Gauge("level").Add(1)
				r.Forget(r.Counter(fmt.Sprint("dynamic_", i%10)))
				if i%100 == 0 {
					r.Snapshot()
				}
			}
		})
	}
	wg.Wait()
	if got := r.Counter("shared").Total(); got != 8000 {
		t.Errorf("counter: got %d want 8000", got)
	}
	if got := r.Gauge("level").Value(); got != 8000 {
		t.Errorf("gauge: got %d want 8000", got)
	}
}
