package jobs_test

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/jobs"
)

// note is a job about a word.
type note struct {
	Word string `json:"word"`
}

func (note) Kind() string { return "test.note" }

// errand is a job of another kind.
type errand struct{ Number int }

func (errand) Kind() string { return "test.errand" }

func TestMain(m *testing.M) {
	if role := os.Getenv(childRole); role != "" {
		beChild(role)
		return
	}
	os.Exit(m.Run())
}

// each runs fn with an empty queue of both engines, and where its database is.
func each(t *testing.T, fn func(t *testing.T, d *db.DB, where string)) {
	t.Parallel()
	for name, place := range map[string]func(testing.TB) string{"sqlite": dbtest.SQLite, "postgres": dbtest.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			where := place(t)
			fn(t, open(t, where), where)
		})
	}
}

func open(t *testing.T, where string) *db.DB {
	t.Helper()
	d := dbtest.Open(t, where)
	if err := d.Migrate(t.Context(), jobs.Room, jobs.Migrations()); err != nil {
		t.Fatal(err)
	}
	return d
}

// run works a queue until the test ends, or stop is called, which waits for it.
func run(t *testing.T, q *jobs.Queue) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var done sync.WaitGroup
	done.Go(func() {
		if err := q.Run(ctx); err != nil {
			t.Errorf("run: %v", err)
		}
	})
	stop = func() { cancel(); done.Wait() }
	t.Cleanup(stop)
	return stop
}

func add(t *testing.T, d *db.DB, q *jobs.Queue, a jobs.Args, how ...jobs.AddOption) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx *db.Tx) error { return q.Add(t.Context(), tx, a, how...) })
	if err != nil {
		t.Fatal(err)
	}
}

func change(t *testing.T, d *db.DB, text string, args ...any) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(t.Context(), text, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// patience is for machines that are very busy.
const patience = time.Minute

func receive[T any](t *testing.T, from <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(patience):
		t.Fatalf("got nothing want %s", what)
	}
	return v
}

// until waits for something that only asking tells.
func until(t *testing.T, what string, ask func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ask(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("got nothing want %s", what)
		}
	}
}

// count is how many rows of the tests' kinds are in a state.
func count(t *testing.T, d *db.DB, state jobs.State) (n int) {
	t.Helper()
	if err := d.QueryRow(t.Context(), `SELECT count(*) FROM jobs WHERE state = $1 AND kind LIKE 'test.%'`, string(state)).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestJobRunsWithItsArgumentsAndIsForgotten(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{})
		got := make(chan string, 1)
		jobs.Handle(q, func(_ context.Context, n note) error { got <- n.Word; return nil })
		run(t, q)
		add(t, d, q, note{"ünïcode \x00 'quoted'"})
		if got := receive(t, got, "the job"); got != "ünïcode \x00 'quoted'" {
			t.Errorf("got %q want the word as it was added", got)
		}
		until(t, "no rows", func() bool {
			counts, err := q.Counts(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return len(counts) == 0
		})
	})
}

func TestJobOfARolledBackTransactionNeverRuns(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Workers: map[string]int{jobs.DefaultLane: 1}})
		got := make(chan string, 2)
		jobs.Handle(q, func(_ context.Context, n note) error { got <- n.Word; return nil })
		run(t, q)
		undo := errors.New("undo")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			return errors.Join(q.Add(t.Context(), tx, note{"never"}), undo)
		})
		if !errors.Is(err, undo) {
			t.Fatal(err)
		}
		add(t, d, q, note{"next"})
		if got := receive(t, got, "a job"); got != "next" {
			t.Errorf("got %q want the job of the transaction that was committed", got)
		}
	})
}

// When nothing is done regularly, only being woken makes the job run.
func TestAddingInTheSameProcessWakesTheWorker(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Poll: time.Hour, Beat: time.Hour})
		got := make(chan string, 1)
		jobs.Handle(q, func(_ context.Context, n note) error { got <- n.Word; return nil })
		run(t, q)
		for _, word := range []string{"a", "b", "c"} {
			add(t, d, q, note{word})
			if got := receive(t, got, "the job"); got != word {
				t.Errorf("got %q want %q", got, word)
			}
		}
	})
}

func TestJobWithoutHandler(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		older, newer := jobs.New(d, jobs.Options{}), jobs.New(d, jobs.Options{})
		done := make(chan int, 1)
		jobs.Handle(older, func(_ context.Context, e errand) error { done <- e.Number; return nil })
		jobs.Handle(newer, func(context.Context, note) error { return nil })
		err := d.InTx(t.Context(), func(tx *db.Tx) error { return older.Add(t.Context(), tx, note{"a"}) })
		if err == nil {
			t.Error("got no error want one when a kind is added that nothing handles")
		}
		add(t, d, newer, note{"a"})
		run(t, older)
		add(t, d, older, errand{1})
		receive(t, done, "the job that the older process knows")
		if got := count(t, d, jobs.Waiting); got != 1 {
			t.Errorf("got %d waiting want the job that only the newer process knows", got)
		}
	})
}

func TestSweepForgetsWhatWasGivenUpLongAgo(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{})
		jobs.Handle(q, func(context.Context, note) error { return nil })
		for _, days := range []int{6, 8} {
			add(t, d, q, note{"a"}, jobs.At(time.Now().AddDate(0, 0, -days)))
		}
		change(t, d, `UPDATE jobs SET state = 'given_up'`)
		run(t, q)
		until(t, "one of two jobs left", func() bool { return count(t, d, jobs.GivenUp) == 1 })
	})
}
