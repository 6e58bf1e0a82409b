package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/jobs"
)

var errBroken = errors.New("broken \x00\xff")

func TestFailedJobIsTriedAgainAfterItsBackoff(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Poll: 20 * time.Millisecond})
		pauses, done := make(chan int, 9), make(chan struct{})
		var tries, early atomic.Int32
		var due atomic.Int64
		jobs.Handle(q, func(context.Context, note) error {
			if time.Now().UnixMicro() < due.Load() {
				early.Add(1)
			}
			switch tries.Add(1) {
			case 1:
				return errBroken
			case 2:
				panic("a bug")
			}
			close(done)
			return nil
		}, jobs.How[note]{Attempts: 3, Backoff: func(failures int) time.Duration {
			pauses <- failures
			due.Store(time.Now().Add(100 * time.Millisecond).UnixMicro())
			return 100 * time.Millisecond
		}})
		run(t, q)
		add(t, d, q, note{"a"})
		receive(t, done, "success with the third try")
		if first, second := <-pauses, <-pauses; first != 1 || second != 2 {
			t.Errorf("got backoff after %d and %d failures want 1 and 2", first, second)
		}
		if early.Load() != 0 {
			t.Errorf("got %d tries before the backoff was over want none", early.Load())
		}
	})
}

func TestJobIsGivenUpAfterItsLastAttempt(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{})
		var tries, told atomic.Int32
		why := make(chan error, 9)
		jobs.Handle(q, func(context.Context, note) error { tries.Add(1); return errBroken }, jobs.How[note]{
			Attempts: 3,
			Backoff:  func(int) time.Duration { return 0 },
			GaveUp: func(_ context.Context, n note, err error) error {
				told.Add(1)
				why <- fmt.Errorf("%s: %w", n.Word, err)
				return nil
			},
		})
		run(t, q)
		add(t, d, q, note{"a"}, jobs.Unique("k"))
		err := receive(t, why, "GaveUp")
		if !errors.Is(err, errBroken) || !strings.HasPrefix(err.Error(), "a: ") {
			t.Errorf("got %v want the arguments and the last error", err)
		}
		until(t, "the job given up", func() bool { return count(t, d, jobs.GivenUp) == 1 })
		if tries.Load() != 3 || told.Load() != 1 {
			t.Errorf("got %d tries and %d times told want 3 and 1", tries.Load(), told.Load())
		}
		add(t, d, q, note{"b"}, jobs.Unique("k"))
		if err := receive(t, why, "GaveUp of the next"); !strings.HasPrefix(err.Error(), "b: ") {
			t.Errorf("got %v want the key free for another job", err)
		}
	})
}

func TestAbandonedJobIsGivenUpAtOnce(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{})
		var tries atomic.Int32
		why := make(chan error, 1)
		jobs.Handle(q, func(context.Context, note) error {
			tries.Add(1)
			return fmt.Errorf("no use: %w", jobs.Abandon(errBroken))
		}, jobs.How[note]{GaveUp: func(_ context.Context, _ note, err error) error { why <- err; return nil }})
		jobs.Handle(q, func(context.Context, errand) error { return jobs.Abandon(errBroken) })
		run(t, q)
		add(t, d, q, note{"a"})
		if err := receive(t, why, "GaveUp"); !errors.Is(err, errBroken) || tries.Load() != 1 {
			t.Errorf("got %v after %d tries want the error after one", err, tries.Load())
		}
		add(t, d, q, errand{1}) // nobody to be told
		until(t, "both given up", func() bool { return count(t, d, jobs.GivenUp) == 2 })
	})
}

func TestArgumentsThatCannotBeReadAreGivenUp(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{})
		jobs.Handle(q, func(context.Context, note) error { t.Error("got a call want none"); return nil },
			jobs.How[note]{GaveUp: func(context.Context, note, error) error { t.Error("got told want nothing to tell"); return nil }})
		add(t, d, q, note{"a"})
		change(t, d, `UPDATE jobs SET args = '{"word": 1}'`)
		run(t, q)
		until(t, "the job given up", func() bool { return count(t, d, jobs.GivenUp) == 1 })
	})
}

func TestGaveUpThatFailsIsTriedAgain(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Poll: 20 * time.Millisecond})
		var tries, told atomic.Int32
		second := make(chan string, 1)
		jobs.Handle(q, func(context.Context, note) error { tries.Add(1); return jobs.Abandon(errors.New("broken")) },
			jobs.How[note]{GaveUp: func(_ context.Context, _ note, err error) error {
				if told.Add(1) == 1 {
					return errors.New("cannot tell")
				}
				second <- err.Error()
				return nil
			}})
		run(t, q)
		add(t, d, q, note{"a"})
		got := receive(t, second, "GaveUp again")
		until(t, "the job given up", func() bool { return count(t, d, jobs.GivenUp) == 1 })
		if tries.Load() != 1 {
			t.Errorf("got %d tries want 1: the job itself is over", tries.Load())
		}
		if got != "broken" {
			t.Errorf("got %q want why the job was given up, not why that could not be told", got)
		}
	})
}

func TestSnoozedJobComesAgainWithoutAFailure(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Poll: 20 * time.Millisecond})
		var tries atomic.Int32
		done := make(chan struct{})
		jobs.Handle(q, func(context.Context, note) error {
			if tries.Add(1) < 4 {
				return jobs.Snooze(time.Millisecond)
			}
			close(done)
			return nil
		}, jobs.How[note]{Attempts: 1})
		run(t, q)
		add(t, d, q, note{"a"})
		receive(t, done, "the fourth call")
	})
}

func TestTryThatTakesTooLongFails(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{})
		why := make(chan error, 1)
		jobs.Handle(q, func(ctx context.Context, _ note) error { <-ctx.Done(); return ctx.Err() }, jobs.How[note]{
			Timeout: 20 * time.Millisecond, Attempts: 1,
			GaveUp: func(_ context.Context, _ note, err error) error { why <- err; return nil },
		})
		run(t, q)
		add(t, d, q, note{"a"})
		if err := receive(t, why, "GaveUp"); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "20ms") {
			t.Errorf("got %v want that it took longer than 20ms", err)
		}
	})
}
