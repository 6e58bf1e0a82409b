package db_test

import (
	"context"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
)

func TestChangedByOthers(t *testing.T) {
	t.Parallel()
	path := dbtest.SQLite(t)
	mine := dbtest.Open(t, path)
	other := dbtest.Open(t, path)
	changed := func(want bool, after string) {
		t.Helper()
		if got, err := mine.ChangedByOthers(t.Context()); err != nil || got != want {
			t.Errorf("after %s: got %v, %v want %v", after, got, err, want)
		}
	}
	changed(false, "opening")
	exec(t, mine, `CREATE TABLE t (a BIGINT)`)
	changed(false, "a change of its own")
	exec(t, other, `INSERT INTO t VALUES (1)`)
	changed(true, "a change of another process")
	changed(false, "asking once")
}

// listen returns what comes in, and a word each time that listening begins.
func listen(t *testing.T, d *db.DB, channel string) (got chan string, connected chan struct{}) {
	got, connected = make(chan string, 10), make(chan struct{}, 10)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- d.Listen(ctx, channel, func(s string) { got <- s }, func() { connected <- struct{}{} })
	}()
	t.Cleanup(func() {
		cancel()
		if err := receive(t, ended); err != nil {
			t.Errorf("got %v want a quiet end", err)
		}
	})
	return got, connected
}

func receive[T any](t *testing.T, from chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(30 * time.Second):
		t.Error("nothing came")
	}
	return v
}

func TestListenHearsAndConnectsAgain(t *testing.T) {
	t.Parallel()
	url := dbtest.Postgres(t)
	d, other := dbtest.Open(t, url), dbtest.Open(t, url)
	got, connected := listen(t, d, `odd "name`)
	receive(t, connected)
	for _, want := range []string{"first", "after the cut"} {
		if err := other.Notify(t.Context(), `odd "name`, want); err != nil {
			t.Fatal(err)
		}
		if heard := receive(t, got); heard != want {
			t.Errorf("got %q want %q", heard, want)
		}
		cut(t, other)
		receive(t, connected)
	}
}

// cut ends all connections that listen.
func cut(t *testing.T, d *db.DB) {
	t.Helper()
	var n int
	err := d.QueryRow(t.Context(), `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE datname = current_database() AND query LIKE 'LISTEN%'`).Scan(&n)
	if err != nil || n != 1 {
		t.Errorf("got %d connections cut, %v want 1", n, err)
	}
}

func TestSQLiteHasNobodyToTell(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.SQLite(t))
	listen(t, d, "any")
	if err := d.Notify(t.Context(), "any", "x"); err != nil {
		t.Error(err)
	}
}
