package db_test

import (
	"strings"
	"testing"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
)

func TestEngineAndSize(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(testing.TB) string{"SQLite": dbtest.SQLite, "PostgreSQL": dbtest.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dbtest.Open(t, place(t))
			if got, err := d.Engine(t.Context()); err != nil || !strings.HasPrefix(got, name+" ") || len(got) < len(name)+3 {
				t.Errorf("got %q, %v want %s with a version", got, err, name)
			}
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec(t.Context(), `CREATE TABLE things (id INTEGER PRIMARY KEY)`)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := d.Size(t.Context()); err != nil || got < 4096 {
				t.Errorf("got %d bytes, %v want a page at least", got, err)
			}
		})
	}
}
