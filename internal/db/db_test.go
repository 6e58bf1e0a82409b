package db_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
)

var notes = fstest.MapFS{"migrations/001_notes.sql": {Data: []byte(`
-- +goose Up
CREATE TABLE notes (
	id    BIGINT PRIMARY KEY,
	title TEXT NOT NULL UNIQUE,
	body  {{bytes}},
	done  BOOLEAN NOT NULL DEFAULT FALSE,
	made  BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE votes (poll BIGINT, voter TEXT, choice BIGINT NOT NULL, PRIMARY KEY (poll, voter)){{without_rowid}};
{{sequence "note_ids"}};
`)}}

// each runs fn on both engines with the tables of notes.
func each(t *testing.T, fn func(t *testing.T, d *db.DB)) {
	t.Helper()
	dbtest.Each(t, "notes", notes, func(t *testing.T, d *db.DB) {
		t.Parallel()
		fn(t, d)
	})
}

// exec runs texts in a transaction of their own.
func exec(t *testing.T, d *db.DB, texts ...string) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx *db.Tx) error { return run(t.Context(), tx, texts...) })
	if err != nil {
		t.Fatal(err)
	}
}

func run(ctx context.Context, tx *db.Tx, texts ...string) error {
	for _, text := range texts {
		if _, err := tx.Exec(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

func insert(id, title string) string {
	return "INSERT INTO notes (id, title) VALUES (" + id + ", '" + title + "')"
}

func count(t *testing.T, d *db.DB) (n int) {
	t.Helper()
	if err := d.QueryRow(t.Context(), `SELECT count(*) FROM notes`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSQLiteIsDurableAndPrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "made too", "50% ?#.db")
	d := dbtest.Open(t, path)
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		for pragma, want := range map[string]string{
			"synchronous":  "2", // FULL
			"journal_mode": "wal",
			"foreign_keys": "1",
		} {
			var got string
			if err := tx.QueryRow(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
				t.Errorf("%s: got %q, %v want %q", pragma, got, err, want)
			}
		}
		return run(t.Context(), tx, `CREATE TABLE t (a BIGINT)`)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, path + "-wal"} {
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("got %v, %v want a file for its owner alone", info, err)
		}
	}
}

func TestReaderDoesNotWaitForTheWriter(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if err := run(t.Context(), tx, insert("1", "a")); err != nil {
				return err
			}
			if got := count(t, d); got != 0 {
				t.Errorf("got %d rows before the commit want 0", got)
			}
			return nil
		})
		if got := count(t, d); err != nil || got != 1 {
			t.Errorf("got %d rows, %v after the commit want 1", got, err)
		}
	})
}

func TestSQLiteReaderCannotWrite(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.SQLite(t))
	exec(t, d, `CREATE TABLE t (a BIGINT)`)
	if err := d.QueryRow(t.Context(), `INSERT INTO t VALUES (1) RETURNING a`).Err(); err == nil {
		t.Error("got no error want a refusal")
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		where           string
		want            string
		wantUnavailable bool
	}{
		"nothing":        {where: "", want: "give a file path"},
		"other engine":   {where: "mysql://u:hush@h/d", want: "mysql://"},
		"broken URL":     {where: "postgres://u:hush@h:port/d", want: "URL of the database"},
		"nobody answers": {where: "postgres://u:hush@127.0.0.1:1/d", want: "connect", wantUnavailable: true},
		"folder":         {where: t.TempDir(), want: "open", wantUnavailable: true},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := db.Open(t.Context(), c.where, db.Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hush") {
				t.Errorf("got %v want %q and no password", err, c.want)
			}
			if got := db.IsUnavailable(err); got != c.wantUnavailable {
				t.Errorf("got unavailable %v want %v (%v)", got, c.wantUnavailable, err)
			}
		})
	}
}
