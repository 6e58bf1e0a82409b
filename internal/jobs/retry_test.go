package jobs_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/fault"
	"stoa/internal/jobs"
)

// givenUp adds a job that is given up at once, and returns it.
func givenUp(t *testing.T, d *db.DB, q *jobs.Queue, a jobs.Args) jobs.Job {
	t.Helper()
	add(t, d, q, a)
	var found []jobs.Job
	until(t, "a job given up", func() bool {
		var err error
		if found, err = q.List(t.Context(), jobs.Which{State: jobs.GivenUp, Kind: a.Kind()}, 1); err != nil {
			t.Fatal(err)
		}
		return len(found) == 1
	})
	return found[0]
}

func TestRetriedJobHasAllItsAttemptsAgain(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Poll: 20 * time.Millisecond})
		var tries, again atomic.Int32
		done := make(chan struct{})
		jobs.Handle(q, func(context.Context, note) error {
			if tries.Add(1) < 4 {
				return errBroken
			}
			close(done)
			return nil
		}, jobs.How[note]{
			Attempts: 2, Backoff: func(int) time.Duration { return 0 },
			Again: func(_ context.Context, _ *db.Tx, n note) (bool, error) { again.Add(1); return n.Word == "a", nil },
		})
		run(t, q)
		j := givenUp(t, d, q, note{"a"})
		if j.Attempts != 2 || j.Error == "" || j.Args != `{"word":"a"}` || j.Worker != "" {
			t.Errorf("got %+v want it as it was given up", j)
		}
		if err := q.Retry(t.Context(), j.ID); err != nil {
			t.Fatal(err)
		}
		receive(t, done, "success with the second try of the second round")
		until(t, "the job forgotten", func() bool {
			_, err := q.Get(t.Context(), j.ID)
			return errors.Is(err, fault.NotFound)
		})
		if again.Load() != 1 {
			t.Errorf("got the owner asked %d times want once", again.Load())
		}
		if err := q.Retry(t.Context(), j.ID); !errors.Is(err, fault.NotFound) {
			t.Errorf("got %v want not found", err)
		}
	})
}

func TestOwnerDecidesWhetherAJobIsDoneAgain(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Poll: 20 * time.Millisecond})
		refuse := errors.New("not on a Sunday")
		var answer atomic.Pointer[error]
		answer.Store(&refuse)
		jobs.Handle(q, func(context.Context, note) error { return jobs.Abandon(errBroken) }, jobs.How[note]{
			Again: func(context.Context, *db.Tx, note) (bool, error) { return false, *answer.Load() },
		})
		run(t, q)
		j := givenUp(t, d, q, note{"a"})
		if err := q.Retry(t.Context(), j.ID); !errors.Is(err, refuse) {
			t.Errorf("got %v want what the owner says", err)
		}
		if count(t, d, jobs.GivenUp) != 1 {
			t.Error("got another state want the job as it was")
		}
		answer.Store(new(error))
		if err := q.Retry(t.Context(), j.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := q.Get(t.Context(), j.ID); !errors.Is(err, fault.NotFound) {
			t.Errorf("got %v want a job that is not needed forgotten", err)
		}
	})
}

func TestJobThatRunsIsNeitherRetriedNorDiscarded(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Name: "here"})
		began, end := make(chan struct{}), make(chan struct{})
		jobs.Handle(q, func(context.Context, note) error { close(began); <-end; return nil })
		run(t, q)
		defer close(end)
		add(t, d, q, note{"a"})
		receive(t, began, "the job")
		running, err := q.List(t.Context(), jobs.Which{State: jobs.Running, Kind: "test.note"}, 10)
		if err != nil || len(running) != 1 || running[0].Worker == "" {
			t.Fatalf("got %+v, %v want the one that runs, and where", running, err)
		}
		if err := q.Retry(t.Context(), running[0].ID); !errors.Is(err, fault.Invalid) {
			t.Errorf("retry: got %v want a refusal", err)
		}
		if err := q.Discard(t.Context(), running[0].ID); !errors.Is(err, fault.Invalid) {
			t.Errorf("discard: got %v want a refusal", err)
		}
	})
}

func TestManyRetriesAtOnceMakeOneRun(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Poll: 20 * time.Millisecond})
		var tries atomic.Int32
		jobs.Handle(q, func(context.Context, note) error {
			if tries.Add(1) == 1 {
				return jobs.Abandon(errBroken)
			}
			return nil
		})
		run(t, q)
		j := givenUp(t, d, q, note{"a"})
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := q.Retry(t.Context(), j.ID); err != nil && !errors.Is(err, fault.NotFound) && !errors.Is(err, fault.Invalid) {
					t.Errorf("retry: %v", err)
				}
			})
		}
		all.Wait()
		until(t, "the job done", func() bool { _, err := q.Get(t.Context(), j.ID); return errors.Is(err, fault.NotFound) })
		if tries.Load() != 2 {
			t.Errorf("got %d tries want the first and one more", tries.Load())
		}
	})
}

// No worker runs: what is in line stays there.
func TestRetryWithoutWorker(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{})
		jobs.Handle(q, func(context.Context, note) error { return nil })
		jobs.Handle(q, func(context.Context, errand) error { return nil })
		add(t, d, q, note{"a"})
		add(t, d, q, note{"b"})
		add(t, d, q, errand{1})
		add(t, d, q, errand{2})
		change(t, d, `UPDATE jobs SET state = 'given_up', failures = 9, ending = TRUE`)
		change(t, d, `UPDATE jobs SET kind = 'test.newer', id = 1000 WHERE args LIKE '%2%'`) // of a newer program
		add(t, d, q, note{"a"})                                                              // the same once more
		add(t, d, q, note{"later"}, jobs.At(time.Now().AddDate(1, 0, 0)))                    // it is put first
		later, err := q.List(t.Context(), jobs.Which{State: jobs.Waiting}, 1)
		if err != nil || len(later) != 1 {
			t.Fatalf("got %v, %v", later, err)
		}
		if err := q.Retry(t.Context(), later[0].ID); err != nil {
			t.Fatal(err)
		}
		if j, err := q.Get(t.Context(), later[0].ID); err != nil || j.Due.After(time.Now()) {
			t.Errorf("got %+v, %v want it due now", j, err)
		}
		if n, refused, err := q.RetryAll(t.Context(), "test.errand"); n != 1 || refused != 0 || err != nil {
			t.Errorf("got %d, %d, %v want the one errand", n, refused, err)
		}
		if n, refused, err := q.RetryAll(t.Context(), ""); n != 2 || refused != 1 || err != nil {
			t.Errorf("got %d, %d, %v want both notes, and the kind that nobody knows refused", n, refused, err)
		}
		counts, err := q.Counts(t.Context())
		if err != nil || counts["test.note"][jobs.Waiting] != 3 || counts["test.errand"][jobs.Waiting] != 1 || counts["test.newer"][jobs.GivenUp] != 1 {
			t.Errorf("got %v, %v want a, later and b once each", counts, err)
		}
		fresh, err := q.List(t.Context(), jobs.Which{Kind: "test.errand"}, 9)
		if err != nil || len(fresh) != 1 || fresh[0].Failures != 0 || fresh[0].Ending {
			t.Errorf("got %+v, %v want it as if it were new", fresh, err)
		}
		if older, err := q.List(t.Context(), jobs.Which{Kind: "test.errand", Before: fresh[0].ID}, 9); err != nil || len(older) != 0 {
			t.Errorf("got %v, %v want none before it", older, err)
		}
		if err := q.Discard(t.Context(), 1000); err != nil {
			t.Error(err)
		}
		if err := q.Discard(t.Context(), 1000); !errors.Is(err, fault.NotFound) {
			t.Errorf("got %v want it gone", err)
		}
	})
}
