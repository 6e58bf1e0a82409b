package stats_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/stats"
)

func increases(l *stats.Ledger[string], book bool) map[string]uint64 {
	got := map[string]uint64{}
	due, _ := l.Read()
	for _, d := range due {
		got[d.Label] = d.Increase
		if book {
			d.Sent()
		}
	}
	return got
}

func TestLedgerListsOnlyWhatGrew(t *testing.T) {
	r := stats.NewRegistry()
	l := stats.NewLedger(r, stats.ID.Plain)
	r.Counter("idle")
	c := r.Counter("busy")
	c.Add(3)
	if diff := cmp.Diff(map[string]uint64{"busy": 3}, increases(l, true)); diff != "" {
		t.Errorf("first (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]uint64{}, increases(l, true)); diff != "" {
		t.Errorf("no growth (-want +got):\n%s", diff)
	}
	c.Add(2)
	if diff := cmp.Diff(map[string]uint64{"busy": 2}, increases(l, true)); diff != "" {
		t.Errorf("second (-want +got):\n%s", diff)
	}
}

func TestLedgerKeepsWhatWasNotSent(t *testing.T) {
	r := stats.NewRegistry()
	l := stats.NewLedger(r, stats.ID.Plain)
	c := r.Counter("c")
	c.Add(3)
	increases(l, false)
	c.Add(4)
	if diff := cmp.Diff(map[string]uint64{"c": 7}, increases(l, false)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLedgerTakesSmallerTotalForNewStart(t *testing.T) {
	r := stats.NewRegistry()
	l := stats.NewLedger(r, stats.ID.Plain)
	r.CounterFunc("c", func() uint64 { return 10 })
	increases(l, true)
	r.CounterFunc("c", func() uint64 { return 4 })
	if diff := cmp.Diff(map[string]uint64{"c": 4}, increases(l, true)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLedgerForgetsWithTheRegistry(t *testing.T) {
	r := stats.NewRegistry()
	l := stats.NewLedger(r, stats.ID.Plain)
	old := r.Counter("c")
	old.Add(10)
	increases(l, true)
	r.Forget(old)
	increases(l, true)
	r.Counter("c").Add(1)
	if diff := cmp.Diff(map[string]uint64{"c": 1}, increases(l, true)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLedgerListsGaugesAlwaysAndLabelsOnce(t *testing.T) {
	r := stats.NewRegistry()
	labels := 0
	l := stats.NewLedger(r, func(id stats.ID) string { labels++; return id.Plain() })
	r.Gauge("g").Set(-2)
	r.Counter("c")
	timer := r.Timer("t")
	for range 3 {
		_, levels := l.Read()
		if diff := cmp.Diff([]stats.Level[string]{{Label: "g", Value: -2}}, levels); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if l.Timer(timer) != "t" {
			t.Errorf("timer: got %q want t", l.Timer(timer))
		}
	}
	if labels != 3 {
		t.Errorf("got %d labels made want 3", labels)
	}
}
