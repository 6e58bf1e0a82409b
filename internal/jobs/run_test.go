package jobs_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/jobs"
)

func TestLanesDoNotHoldEachOtherUpAndKeepTheirBounds(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Workers: map[string]int{"heavy": 2}})
		began, finish, light := make(chan struct{}, 9), make(chan struct{}), make(chan struct{}, 9)
		var inside, most atomic.Int32
		jobs.Handle(q, func(context.Context, note) error {
			most.Store(max(most.Load(), inside.Add(1)))
			defer inside.Add(-1)
			began <- struct{}{}
			<-finish
			return nil
		}, jobs.How[note]{Lane: "heavy"})
		jobs.Handle(q, func(context.Context, errand) error { light <- struct{}{}; return nil })
		for range 5 {
			add(t, d, q, note{"a"})
		}
		run(t, q)
		receive(t, began, "a heavy job")
		receive(t, began, "another heavy job")
		add(t, d, q, errand{1})
		receive(t, light, "a job of the other lane")
		if got := count(t, d, jobs.Running); got > 3 { // the light one may not be settled yet
			t.Errorf("got %d running want two heavy ones", got)
		}
		close(finish)
		until(t, "all jobs done", func() bool { return count(t, d, jobs.Waiting)+count(t, d, jobs.Running) == 0 })
		if most.Load() > 2 {
			t.Errorf("got %d heavy jobs at once want 2 at most", most.Load())
		}
	})
}

func TestLaneWithoutPlacesIsLeftToOthers(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Workers: map[string]int{"heavy": 0}})
		light := make(chan struct{})
		jobs.Handle(q, func(context.Context, note) error { t.Error("got a call want none"); return nil }, jobs.How[note]{Lane: "heavy"})
		jobs.Handle(q, func(context.Context, errand) error { close(light); return nil })
		add(t, d, q, note{"a"})
		add(t, d, q, errand{1})
		run(t, q)
		receive(t, light, "the job of the other lane")
		if got := count(t, d, jobs.Waiting); got != 1 {
			t.Errorf("got %d waiting want the heavy one", got)
		}
	})
}

func TestStopLetsJobsFinishWithinTheGrace(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Grace: patience})
		began, finish := make(chan struct{}), make(chan struct{})
		jobs.Handle(q, func(ctx context.Context, _ note) error {
			close(began)
			<-finish
			return ctx.Err()
		})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- q.Run(ctx) }()
		add(t, d, q, note{"a"})
		receive(t, began, "the job")
		cancel()
		close(finish)
		if err := receive(t, ended, "the end of Run"); err != nil {
			t.Error(err)
		}
		if waiting, running := count(t, d, jobs.Waiting), count(t, d, jobs.Running); waiting+running != 0 {
			t.Errorf("got %d waiting and %d running want the job done", waiting, running)
		}
	})
}

func TestStopHandsJobsBackWithoutLosingAnAttempt(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, where string) {
		began := make(chan struct{})
		first, second := jobs.New(d, jobs.Options{}), jobs.New(dbtest.Open(t, where), jobs.Options{})
		jobs.Handle(first, func(ctx context.Context, _ note) error {
			close(began)
			<-ctx.Done()
			return context.Cause(ctx)
		}, jobs.How[note]{Attempts: 1})
		done := make(chan string, 1)
		jobs.Handle(second, func(_ context.Context, n note) error { done <- n.Word; return nil }, jobs.How[note]{Attempts: 1})
		stop := run(t, first)
		add(t, d, first, note{"a"})
		receive(t, began, "the job")
		stop()
		if got := count(t, d, jobs.Waiting); got != 1 {
			t.Errorf("got %d waiting want the job handed back when Run has returned", got)
		}
		var workers int
		if err := d.QueryRow(t.Context(), `SELECT count(*) FROM job_workers`).Scan(&workers); err != nil || workers != 0 {
			t.Errorf("got %d, %v want no worker left behind", workers, err)
		}
		run(t, second)
		receive(t, done, "the job elsewhere")
	})
}

func TestStopTakesJobsFromAHandlerThatDoesNotListen(t *testing.T) {
	t.Parallel()
	d := open(t, dbtest.SQLite(t))
	q := jobs.New(d, jobs.Options{})
	began, finish := make(chan struct{}), make(chan struct{})
	defer close(finish)
	jobs.Handle(q, func(context.Context, note) error {
		close(began)
		<-finish
		return errors.New("too late to count")
	})
	stop := run(t, q)
	add(t, d, q, note{"a"})
	receive(t, began, "the job")
	stop()
	if got := count(t, d, jobs.Waiting); got != 1 {
		t.Errorf("got %d waiting want the job handed back", got)
	}
}

// A turn is at least an interval after the last one, whoever takes it; so there
// is a bound on them however slow the machine is.
func TestEveryComesOnceInAnIntervalForAllProcesses(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, where string) {
		const interval = 150 * time.Millisecond
		came := make(chan struct{}, 999)
		begin := time.Now()
		for range 3 {
			q := jobs.New(dbtest.Open(t, where), jobs.Options{Poll: 10 * time.Millisecond})
			jobs.Handle(q, func(context.Context, note) error { came <- struct{}{}; return nil })
			q.Every(interval, note{"a"})
			run(t, q)
		}
		for range 6 {
			receive(t, came, "a turn")
		}
		var turns int64 = 6 + int64(len(came))
		if most := int64(time.Since(begin)/interval) + 1; turns > most {
			t.Errorf("got %d turns want %d at most", turns, most)
		}
	})
}
