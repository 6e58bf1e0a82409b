// Package dbtest gives tests fresh databases of both engines.
//
// SQLite is a file in the folder of the test. PostgreSQL is the server that
// STOA_TEST_POSTGRES names (a URL of somebody who may create databases), or
// else one that is started with the first test that wants it and ends, with
// its folder, when the test binary does: in whatever way that happens.
package dbtest

import (
	"io/fs"
	"path/filepath"
	"testing"

	"stoa/internal/db"
)

// Each runs fn as the subtests sqlite and postgres, each with an empty database
// that has the tables of the room. It closes with the test.
func Each(t *testing.T, room string, files fs.FS, fn func(t *testing.T, d *db.DB)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { fn(t, migrated(t, SQLite(t), room, files)) })
	t.Run("postgres", func(t *testing.T) { fn(t, migrated(t, Postgres(t), room, files)) })
}

func migrated(t *testing.T, where, room string, files fs.FS) *db.DB {
	t.Helper()
	d := Open(t, where)
	if err := d.Migrate(t.Context(), room, files); err != nil {
		t.Fatal(err)
	}
	return d
}

// Open opens a database until the test ends.
func Open(t testing.TB, where string) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), where, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close the database: %v", err)
		}
	})
	return d
}

// SQLite is the path of a database that is not there yet.
func SQLite(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "stoa.db")
}
