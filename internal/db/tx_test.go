package db_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
)

func TestErrorRollsBack(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		stop := errors.New("stop")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			return errors.Join(run(t.Context(), tx, insert("1", "a")), stop)
		})
		if got := count(t, d); !errors.Is(err, stop) || got != 0 {
			t.Errorf("got %v and %d rows want the error and none", err, got)
		}
	})
}

// What is called after the commit may begin a transaction of its own.
func TestAfterCommit(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		var told []string
		stop := errors.New("stop")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			tx.AfterCommit(func() { told = append(told, "never") })
			return stop
		})
		if !errors.Is(err, stop) || len(told) != 0 {
			t.Errorf("got %v and %q want the error and nothing told", err, told)
		}
		err = d.InTx(t.Context(), func(tx *db.Tx) error {
			tx.AfterCommit(func() { exec(t, d, insert("2", "b")) })
			tx.AfterCommit(func() { told = append(told, fmt.Sprint(count(t, d))) })
			return run(t.Context(), tx, insert("1", "a"))
		})
		if err != nil || !slices.Equal(told, []string{"2"}) {
			t.Errorf("got %v and %q want two rows when the second is told", err, told)
		}
	})
}

func TestSkipLockedDoesNotWait(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.Postgres(t)) // on SQLite there is nobody to wait for
	exec(t, d, `CREATE TABLE notes (id BIGINT)`, `INSERT INTO notes VALUES (1), (2)`)
	err := d.InTx(t.Context(), func(holder *db.Tx) error {
		var held, free int
		text := `SELECT id FROM notes ORDER BY id LIMIT 1` + d.SkipLocked()
		if err := holder.QueryRow(t.Context(), text).Scan(&held); err != nil {
			return err
		}
		err := d.InTx(t.Context(), func(other *db.Tx) error { return other.QueryRow(t.Context(), text).Scan(&free) })
		if held != 1 || free != 2 {
			t.Errorf("got %d and %d want 1, and 2 while it is held", held, free)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPanicRollsBackAndFreesTheTurn(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		func() {
			defer func() { recover() }()
			d.InTx(t.Context(), func(tx *db.Tx) error {
				if err := run(t.Context(), tx, insert("1", "a")); err != nil {
					t.Error(err)
				}
				panic("bug")
			})
		}()
		exec(t, d, insert("2", "b"))
		if got := count(t, d); got != 1 {
			t.Errorf("got %d rows want 1", got)
		}
	})
}

// A caller that overlooks an error must not commit half of its work.
func TestNothingHoldsAfterAFailedStatement(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		exec(t, d, insert("1", "a"))
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if err := run(t.Context(), tx, insert("2", "b")); err != nil {
				return err
			}
			if err := run(t.Context(), tx, insert("3", "a")); !db.IsUnique(err) {
				t.Errorf("got %v want a row that is there already", err)
			}
			if err := run(t.Context(), tx, insert("4", "d")); err == nil {
				t.Error("got no error want a refusal of further statements")
			}
			var n int
			if err := tx.QueryRow(t.Context(), `SELECT count(*) FROM notes`).Scan(&n); err == nil {
				t.Error("got no error want a refusal of further queries")
			}
			return nil
		})
		if got := count(t, d); err == nil || errors.Is(err, db.ErrUnknownOutcome) || got != 1 {
			t.Errorf("got %v and %d rows want a clear error and 1 row", err, got)
		}
		exec(t, d, insert("2", "b"))
	})
}

func TestContextThatEndsBeforeTheCommit(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		ctx, cancel := context.WithCancel(t.Context())
		err := d.InTx(ctx, func(tx *db.Tx) error {
			defer cancel()
			return run(t.Context(), tx, insert("1", "a"))
		})
		if got := count(t, d); !errors.Is(err, context.Canceled) || errors.Is(err, db.ErrUnknownOutcome) || got != 0 {
			t.Errorf("got %v and %d rows want the end of the context and none", err, got)
		}
		exec(t, d, insert("1", "a"))
	})
}

func TestStatementIsInterrupted(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		const endless = `INSERT INTO votes WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
			SELECT i, '', 1 FROM n WHERE i < 0`
		err := d.InTx(ctx, func(tx *db.Tx) error { return run(ctx, tx, insert("1", "a"), endless) })
		if got := count(t, d); !errors.Is(err, context.DeadlineExceeded) || got != 0 {
			t.Errorf("got %v and %d rows want the deadline and none", err, got)
		}
		exec(t, d, insert("1", "a"))
	})
}

func TestWaitingForTheTurnEndsWithTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := dbtest.SQLite(t)
		mine, other := dbtest.Open(t, path), dbtest.Open(t, path)
		for name, d := range map[string]*db.DB{"in this process": mine, "of another process": other} {
			err := mine.InTx(t.Context(), func(*db.Tx) error {
				begun := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				err := d.InTx(ctx, func(*db.Tx) error { return nil })
				if !errors.Is(err, context.DeadlineExceeded) || !db.IsUnavailable(err) || time.Since(begun) > 1500*time.Millisecond {
					t.Errorf("a writer %s: got %v after %v want the deadline", name, err, time.Since(begun))
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}

func TestWriterWaitsSecondsForAnotherProcess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := dbtest.SQLite(t)
		mine, other := dbtest.Open(t, path), dbtest.Open(t, path)
		done := make(chan error, 1)
		err := other.InTx(t.Context(), func(*db.Tx) error {
			go func() { done <- mine.InTx(t.Context(), func(*db.Tx) error { return nil }) }()
			time.Sleep(5 * time.Second)
			return nil
		})
		if waiting := <-done; err != nil || waiting != nil {
			t.Errorf("got %v, %v want both to commit", err, waiting)
		}
		err = other.InTx(t.Context(), func(*db.Tx) error {
			return mine.InTx(t.Context(), func(*db.Tx) error { return nil })
		})
		if !db.IsUnavailable(err) {
			t.Errorf("got %v want unavailable in the end", err)
		}
	})
}

func TestProcessesTakeTurnsOnOneFile(t *testing.T) {
	t.Parallel()
	path := dbtest.SQLite(t)
	exec(t, dbtest.Open(t, path), `CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT)`)
	const writers, each = 3, 20
	done := make(chan error, writers)
	for range writers {
		d := dbtest.Open(t, path)
		go func() {
			for range each {
				err := d.InTx(t.Context(), func(tx *db.Tx) error {
					return run(t.Context(), tx, `INSERT INTO notes (title) VALUES ('x')`)
				})
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := count(t, dbtest.Open(t, path)); got != writers*each {
		t.Errorf("got %d rows want %d", got, writers*each)
	}
}

func TestOutcomeOfACommitThatFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		atCommit        string
		wantUnknown     bool
		wantUnavailable bool
	}{
		"connection lost":    {"PERFORM pg_terminate_backend(pg_backend_pid())", true, true},
		"refused by a check": {"RAISE EXCEPTION 'no'", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dbtest.Open(t, dbtest.Postgres(t))
			exec(t, d, `CREATE TABLE notes (id BIGINT)`,
				`CREATE FUNCTION fail() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN `+c.atCommit+`; RETURN NULL; END $$`,
				`CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail()`)
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				return run(t.Context(), tx, `INSERT INTO notes VALUES (1)`)
			})
			if got := errors.Is(err, db.ErrUnknownOutcome); err == nil || got != c.wantUnknown {
				t.Errorf("got %v want an unknown outcome: %v", err, c.wantUnknown)
			}
			if got := db.IsUnavailable(err); got != c.wantUnavailable {
				t.Errorf("got unavailable %v want %v: %v", got, c.wantUnavailable, err)
			}
			if got := count(t, d); got != 0 {
				t.Errorf("got %d rows want none", got)
			}
		})
	}
}

func TestTextsWithoutEndAreTaken(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.SQLite(t))
	for part := range 3 {
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			for i := range 200 {
				var got int
				text := fmt.Sprintf("SELECT %d", part*200+i)
				if err := tx.QueryRow(t.Context(), text).Scan(&got); err != nil || got != part*200+i {
					return fmt.Errorf("%s: got %d: %w", text, got, err)
				}
				if err := d.QueryRow(t.Context(), text).Scan(&got); err != nil || got != part*200+i {
					return fmt.Errorf("%s: got %d: %w", text, got, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestLostConnectionIsUnavailableAndComesBack(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.Postgres(t))
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(t.Context(), `SELECT pg_terminate_backend(pg_backend_pid())`)
		return err
	})
	if !db.IsUnavailable(err) || errors.Is(err, db.ErrUnknownOutcome) {
		t.Errorf("got %v want unavailable, and surely undone", err)
	}
	exec(t, d, `CREATE TABLE notes (id BIGINT)`)
}

func TestFullDiskIsUnavailableAndUndone(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.SQLite(t))
	exec(t, d, `CREATE TABLE notes (id BIGINT, body BLOB)`, `PRAGMA max_page_count = 100`)
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		return run(t.Context(), tx, `INSERT INTO notes VALUES (1, x'00')`, `INSERT INTO notes VALUES (2, zeroblob(1000000))`)
	})
	if got := count(t, d); !db.IsUnavailable(err) || got != 0 {
		t.Errorf("got %v and %d rows want unavailable and none", err, got)
	}
	exec(t, d, `INSERT INTO notes VALUES (1, x'00')`)
}
