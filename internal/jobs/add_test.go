package jobs_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/jobs"
)

func TestJobWaitsForItsMoment(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Poll: 20 * time.Millisecond})
		began := make(chan time.Time, 2)
		jobs.Handle(q, func(context.Context, note) error { began <- time.Now(); return nil })
		run(t, q)
		moment := time.Now().Add(300 * time.Millisecond)
		add(t, d, q, note{"tomorrow"}, jobs.After(24*time.Hour))
		add(t, d, q, note{"soon"}, jobs.At(moment))
		if got := receive(t, began, "the job"); got.Before(moment.Truncate(time.Microsecond)) {
			t.Errorf("got a beginning at %v want none before %v", got, moment)
		}
		until(t, "one job left", func() bool { return count(t, d, jobs.Running) == 0 })
		if got := count(t, d, jobs.Waiting); got != 1 {
			t.Errorf("got %d waiting want tomorrow's", got)
		}
	})
}

func TestSmallerPriorityGoesFirstThenTheOlderJob(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Workers: map[string]int{"one": 1}})
		order := make(chan string, 4)
		jobs.Handle(q, func(_ context.Context, n note) error { order <- n.Word; return nil }, jobs.How[note]{Lane: "one"})
		add(t, d, q, note{"later"}, jobs.Priority(1))
		add(t, d, q, note{"second"})
		add(t, d, q, note{"third"})
		add(t, d, q, note{"first"}, jobs.Priority(-1))
		run(t, q)
		var got []string
		for range 4 {
			got = append(got, receive(t, order, "four jobs"))
		}
		if want := []string{"first", "second", "third", "later"}; !slices.Equal(got, want) {
			t.Errorf("got %q want %q", got, want)
		}
	})
}

func TestUniqueJobIsNotAddedWhileOneWaitsOrRuns(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{})
		began, finish := make(chan string, 9), make(chan struct{})
		jobs.Handle(q, func(_ context.Context, n note) error {
			began <- n.Word
			<-finish
			return nil
		})
		jobs.Handle(q, func(context.Context, errand) error { return nil })
		add(t, d, q, note{"a"}, jobs.Unique("k"))
		add(t, d, q, note{"waits"}, jobs.Unique("k"))
		add(t, d, q, note{"b"}, jobs.Unique("other key"))
		add(t, d, q, errand{1}, jobs.Unique("k"))
		if got := count(t, d, jobs.Waiting); got != 3 {
			t.Errorf("got %d waiting want 3: two keys, and the same key of another kind", got)
		}
		run(t, q)
		receive(t, began, "a")
		receive(t, began, "b")
		add(t, d, q, note{"runs"}, jobs.Unique("k"))
		close(finish)
		until(t, "no jobs", func() bool { return count(t, d, jobs.Waiting)+count(t, d, jobs.Running) == 0 })
		add(t, d, q, note{"again"}, jobs.Unique("k"))
		if got := receive(t, began, "the next job"); got != "again" {
			t.Errorf("got %q want the one that was added when the first was done", got)
		}
	})
}
