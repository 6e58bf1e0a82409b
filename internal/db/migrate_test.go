package db_test

import (
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
)

// where gives both engines to tests that open the database themselves.
var where = map[string]func(testing.TB) string{"sqlite": dbtest.SQLite, "postgres": dbtest.Postgres}

func TestProcessesMigrateAtOnce(t *testing.T) {
	t.Parallel()
	for name, fresh := range where {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := fresh(t)
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					d, err := db.Open(t.Context(), url, db.Options{})
					if err != nil {
						t.Error(err)
						return
					}
					defer d.Close()
					if err := d.Migrate(t.Context(), "notes", notes); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			exec(t, dbtest.Open(t, url), insert("1", "a"))
		})
	}
}

func TestPendingCountsAndChangesNothing(t *testing.T) {
	t.Parallel()
	more := maps.Clone(notes)
	more["migrations/002_more.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nALTER TABLE notes ADD COLUMN more TEXT;\n")}
	more["migrations/README.md"] = &fstest.MapFile{}
	for name, fresh := range where {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dbtest.Open(t, fresh(t))
			pending := func(want int) {
				t.Helper()
				if got, err := d.Pending(t.Context(), "notes", more); err != nil || got != want {
					t.Errorf("got %d, %v want %d", got, err, want)
				}
			}
			pending(2)
			pending(2)
			if err := d.Migrate(t.Context(), "notes", notes); err != nil {
				t.Fatal(err)
			}
			pending(1)
			if err := d.Migrate(t.Context(), "notes", more); err != nil {
				t.Fatal(err)
			}
			pending(0)
		})
	}
}

func TestRoomsMigrateApart(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		other := fstest.MapFS{"001_films.sql": {Data: []byte("-- +goose Up\nCREATE TABLE films (id BIGINT PRIMARY KEY);\n{{sequence \"film_ids\"}};\n")}}
		if err := d.Migrate(t.Context(), "films", other); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"notes_schema", "films_schema", "films"} {
			if err := d.QueryRow(t.Context(), `SELECT count(*) FROM `+table).Err(); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestFaultyMigration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"unknown word":   {"CREATE TABLE t (a {{blob}});", `001_t.sql:2: function "blob" not defined`},
		"sequence name":  {`{{sequence "a; DROP"}};`, "no name of a sequence"},
		"half of it":     {"CREATE TABLE t (a BIGINT);\nCREATE TABEL u (a BIGINT);", "TABEL"},
		"nothing inside": {"", "001_t.sql"},
	} {
		for engine, fresh := range where {
			t.Run(name+"/"+engine, func(t *testing.T) {
				t.Parallel()
				d := dbtest.Open(t, fresh(t))
				text := "-- +goose Up\n" + c.text
				if c.text == "" {
					text = ""
				}
				err := d.Migrate(t.Context(), "rooms", fstest.MapFS{"migrations/001_t.sql": {Data: []byte(text)}})
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "migrate rooms") {
					t.Errorf("got %v want %q", err, c.want)
				}
				if err := d.QueryRow(t.Context(), `SELECT count(*) FROM t`).Err(); err == nil {
					t.Error("got a table want none of a migration that failed")
				}
			})
		}
	}
}

func TestRoomNeedsAPlainName(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.SQLite(t))
	if err := d.Migrate(t.Context(), "a b", notes); err == nil {
		t.Error("got no error want a refusal")
	}
}
