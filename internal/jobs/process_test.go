package jobs_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/jobs"
)

// These make the test binary a process that works a queue, as in beChild.
const (
	childRole  = "STOA_TEST_JOBS_ROLE"
	childWhere = "STOA_TEST_JOBS_DATABASE"
)

// quickBeat finds the dead within half a second or so. It is for tests with one
// survivor, whom nobody can take for dead.
const quickBeat = 50 * time.Millisecond

// beChild prints a line for each job that it begins. It ends when its standard
// input does, which no way of dying of the test can prevent.
func beChild(role string) {
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadByte()
		os.Exit(0)
	}()
	d, err := db.Open(context.Background(), os.Getenv(childWhere), db.Options{})
	if err != nil {
		panic(err)
	}
	o := jobs.Options{Name: role, Beat: quickBeat, Workers: map[string]int{"child": 1}}
	if role == "share" {
		o.Beat = 0
	}
	q := jobs.New(d, o)
	how := jobs.How[note]{Lane: "child", GaveUp: func(ctx context.Context, _ note, why error) error {
		fmt.Println("gave up:", why)
		if role == "abandon" {
			<-ctx.Done()
		}
		return ctx.Err()
	}}
	jobs.Handle(q, func(ctx context.Context, n note) error {
		fmt.Println(n.Word)
		switch role {
		case "hang":
			<-ctx.Done()
		case "abandon":
			return jobs.Abandon(errors.New("no use"))
		case "die":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return ctx.Err()
	}, how)
	if err := q.Run(context.Background()); err != nil {
		panic(err)
	}
}

// child starts a process; its lines come through the channel, which is closed
// when it has ended.
func child(t *testing.T, role, where string) (lines <-chan string, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childRole+"="+role, childWhere+"="+where)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said, ended := make(chan string, 999), make(chan struct{})
	go func() {
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			said <- scanner.Text()
		}
		_ = cmd.Wait() // killed, mostly
		close(said)
		close(ended)
	}()
	kill = func() {
		_ = cmd.Process.Kill()
		<-ended
	}
	t.Cleanup(func() { kill(); _ = in.Close() })
	return said, kill
}

func TestJobOfAKilledProcessIsDoneByAnother(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, where string) {
		q := jobs.New(d, jobs.Options{Beat: quickBeat})
		done := make(chan string, 1)
		jobs.Handle(q, func(_ context.Context, n note) error { done <- n.Word; return nil }, jobs.How[note]{Lane: "child", Attempts: 1})
		said, kill := child(t, "hang", where)
		add(t, d, q, note{"a"})
		if got := receive(t, said, "the job in the child"); got != "a" {
			t.Fatalf("got %q want a", got)
		}
		kill()
		if got := count(t, d, jobs.Running); got != 1 {
			t.Errorf("got %d running want the job of the dead", got)
		}
		run(t, q)
		if got := receive(t, done, "the job here"); got != "a" {
			t.Errorf("got %q want a", got)
		}
	})
}

func TestJobThatKillsItsProcessesIsGivenUp(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, where string) {
		q := jobs.New(d, jobs.Options{Beat: quickBeat, Workers: map[string]int{"child": 0}})
		jobs.Handle(q, func(context.Context, note) error { return nil }, jobs.How[note]{Lane: "child"})
		run(t, q) // buries the dead
		add(t, d, q, note{"a"})
		for i := range 5 {
			said, _ := child(t, "die", where)
			if got := receive(t, said, "the job in child "+strconv.Itoa(i)); got != "a" {
				t.Fatalf("got %q want the job tried, at death %d", got, i+1)
			}
			if got, more := <-said; more {
				t.Fatalf("got %q want the child dead", got)
			}
			until(t, "the job back in line", func() bool { return count(t, d, jobs.Waiting) == 1 })
		}
		said, _ := child(t, "die", where)
		if got, want := receive(t, said, "GaveUp"), "gave up: 5 processes died while they did it"; got != want {
			t.Errorf("got %q want %q", got, want)
		}
		until(t, "the job given up", func() bool { return count(t, d, jobs.GivenUp) == 1 })
	})
}

func TestGivingUpIsToldByAnotherWhenTheProcessIsKilledMeanwhile(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, where string) {
		q := jobs.New(d, jobs.Options{Beat: quickBeat})
		why := make(chan string, 1)
		jobs.Handle(q, func(context.Context, note) error { t.Error("got another try want none"); return nil },
			jobs.How[note]{Lane: "child", GaveUp: func(_ context.Context, n note, err error) error {
				why <- n.Word + ": " + err.Error()
				return nil
			}})
		said, kill := child(t, "abandon", where)
		add(t, d, q, note{"a"})
		receive(t, said, "the job in the child")
		receive(t, said, "GaveUp in the child")
		kill()
		run(t, q)
		if got := receive(t, why, "GaveUp here"); got != "a: no use" {
			t.Errorf("got %q want the arguments and the reason", got)
		}
		until(t, "the job given up", func() bool { return count(t, d, jobs.GivenUp) == 1 })
	})
}

func TestProcessesShareAQueueAndDoEachJobOnce(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, where string) {
		const total = 60
		q := jobs.New(d, jobs.Options{})
		jobs.Handle(q, func(context.Context, note) error { return nil }, jobs.How[note]{Lane: "child"})
		first, _ := child(t, "share", where)
		second, _ := child(t, "share", where)
		seen := map[string]int{}
		for i := range total {
			add(t, d, q, note{strconv.Itoa(i)})
		}
		for range total {
			select {
			case word := <-first:
				seen[word]++
			case word := <-second:
				seen[word]++
			case <-time.After(patience):
				t.Fatalf("got %d jobs done want %d", len(seen), total)
			}
		}
		until(t, "no rows", func() bool { return count(t, d, jobs.Waiting)+count(t, d, jobs.Running) == 0 })
		if len(seen) != total || len(first)+len(second) != 0 {
			t.Errorf("got %d different jobs and %d too many want %d and none", len(seen), len(first)+len(second), total)
		}
	})
}

// A process whose beat is not heard, though it goes on, stands for one that hung.
func TestProcessThatWasTakenForDeadEndsNothingOfOthers(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, where string) {
		slow := jobs.New(d, jobs.Options{Beat: time.Hour, Poll: time.Hour})
		quick := jobs.New(dbtest.Open(t, where), jobs.Options{Beat: quickBeat})
		began, taken, mayEnd, finish := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
		cancelled, noticed := make(chan error, 1), make(chan struct{}, 9)
		jobs.Handle(slow, func(ctx context.Context, _ note) error {
			close(began)
			<-ctx.Done()
			cancelled <- context.Cause(ctx)
			<-mayEnd
			return nil // it says that it is done
		})
		jobs.Handle(slow, func(context.Context, errand) error { noticed <- struct{}{}; return nil })
		jobs.Handle(quick, func(context.Context, note) error {
			close(taken)
			<-finish
			return nil
		})
		stop := run(t, slow)
		add(t, d, slow, note{"a"})
		receive(t, began, "the job")
		run(t, quick)
		receive(t, taken, "the job taken over")

		add(t, d, slow, errand{1}) // it notices when it takes another
		receive(t, cancelled, "the end of the job's context")
		close(mayEnd)
		receive(t, noticed, "other jobs of the process that was taken for dead")
		stop()
		notes := func() (n int) {
			if err := d.QueryRow(t.Context(), `SELECT count(*) FROM jobs WHERE kind = 'test.note' AND state = 'running'`).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		if got := notes(); got != 1 {
			t.Errorf("got %d running want the job that was taken over, untouched", got)
		}
		close(finish)
		until(t, "the job done", func() bool { return notes() == 0 })
	})
}

// Nobody knows whether a commit held when the connection broke in it; if it did,
// the table says that a worker has a job of which that knows nothing.
func TestJobThatItsWorkerDoesNotKnowOfIsPutBack(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		q := jobs.New(d, jobs.Options{Beat: quickBeat})
		began, done, finish := make(chan struct{}), make(chan struct{}), make(chan struct{})
		jobs.Handle(q, func(context.Context, note) error {
			close(began)
			<-finish
			return nil
		})
		jobs.Handle(q, func(context.Context, errand) error { close(done); return nil })
		run(t, q)
		add(t, d, q, note{"a"})
		receive(t, began, "a job")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if err := q.Add(t.Context(), tx, errand{1}); err != nil {
				return err
			}
			_, err := tx.Exec(t.Context(), `UPDATE jobs SET state = 'running', lease = lease + 1,
				worker = (SELECT worker FROM jobs WHERE kind = 'test.note') WHERE kind = 'test.errand'`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		receive(t, done, "the job that nobody knew of")
		close(finish)
	})
}
