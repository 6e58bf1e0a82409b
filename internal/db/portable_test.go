package db_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"stoa/internal/db"
)

func TestSQLThatBothEnginesTake(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		const upsert = `INSERT INTO votes (poll, voter, choice) VALUES ($1, $2, $3)
			ON CONFLICT (poll, voter) DO UPDATE SET choice = excluded.choice RETURNING choice`
		steps := []struct {
			name string
			text string
			args []any
			want string
		}{
			{"insert returning", upsert, []any{1, "ann", 1}, "[1]"},
			{"upsert", upsert, []any{1, "ann", 2}, "[2]"},
			{"another row", upsert, []any{2, "bob", 2}, "[2]"},
			{"placeholders in any order, and twice",
				`SELECT choice FROM votes WHERE voter = $2 AND poll = $1 AND voter = $2`, []any{2, "bob"}, "[2]"},
			{"row values in a list",
				`SELECT choice FROM votes WHERE (poll, voter) IN (VALUES (CAST($1 AS BIGINT), CAST($2 AS TEXT)), ($3, $4)) ORDER BY poll`,
				[]any{1, "ann", 2, "bob"}, "[2 2]"},
			{"update from a list",
				`WITH n (poll, more) AS (VALUES (CAST($1 AS BIGINT), CAST($2 AS BIGINT)), ($3, $4))
				 UPDATE votes SET choice = choice + n.more FROM n WHERE votes.poll = n.poll RETURNING choice`,
				[]any{1, 10, 2, 10}, "[12 12]"},
			{"row value compared", `SELECT choice FROM votes WHERE (poll, voter) > ($1, $2)`, []any{1, "ann"}, "[12]"},
			{"for update", `SELECT choice FROM votes WHERE poll = $1` + d.ForUpdate(), []any{1}, "[12]"},
			{"rows that nobody holds", `WITH free (p) AS MATERIALIZED (SELECT poll FROM votes ORDER BY poll LIMIT $1` + d.SkipLocked() + `)
				 UPDATE votes SET choice = choice FROM free WHERE poll = p RETURNING choice`, []any{1}, "[12]"},
			{"insert nothing on conflict",
				`INSERT INTO votes (poll, voter, choice) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING choice`, []any{1, "ann", 5}, "[]"},
			{"delete returning", `DELETE FROM votes WHERE poll = $1 RETURNING choice`, []any{2}, "[12]"},
		}
		for _, s := range steps {
			if got, err := numbers(t, d, s.text, s.args); err != nil || fmt.Sprint(got) != s.want {
				t.Errorf("%s: got %v, %v want %s", s.name, got, err, s.want)
			}
		}
	})
}

func numbers(t *testing.T, d *db.DB, text string, args []any) (all []int64, err error) {
	t.Helper()
	err = d.InTx(t.Context(), func(tx *db.Tx) error {
		rows, err := tx.Query(t.Context(), text, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var n int64
			if err := rows.Scan(&n); err != nil {
				return err
			}
			all = append(all, n)
		}
		return rows.Err()
	})
	return all, err
}

func TestValuesComeBack(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		body := []byte{0, 255, '\''}
		when := time.Date(2026, 2, 3, 4, 5, 6, 789_000, time.FixedZone("", 3600))
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(t.Context(), `INSERT INTO notes (id, title, body, done, made) VALUES ($1, $2, $3, $4, $5)`,
				int64(math.MaxInt64), "Äpfel 🍎", body, true, db.Micros(when))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		var (
			id, made int64
			title    string
			got      []byte
			done     bool
		)
		if err := d.QueryRow(t.Context(), `SELECT id, title, body, done, made FROM notes WHERE done`).Scan(&id, &title, &got, &done, &made); err != nil {
			t.Fatal(err)
		}
		if id != math.MaxInt64 || title != "Äpfel 🍎" || !bytes.Equal(got, body) || !done {
			t.Errorf("got %d %q %v %v want what was stored", id, title, got, done)
		}
		if back := db.Time(made); !back.Equal(when) || back.Location() != time.UTC {
			t.Errorf("got %v want %v in UTC", back, when)
		}
	})
}

func TestNextIDsAscendAndNeverRepeat(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		const takers, n = 4, 50
		taken := make(chan []int64, takers)
		for range takers {
			go func() {
				var ids []int64
				err := d.InTx(t.Context(), func(tx *db.Tx) (err error) {
					ids, err = d.NextIDs(t.Context(), tx, "note_ids", n)
					return err
				})
				if err != nil {
					t.Error(err)
				}
				taken <- ids
			}()
		}
		seen := map[int64]bool{}
		for range takers {
			ids := <-taken
			if !slices.IsSorted(ids) {
				t.Errorf("got %v want ascending", ids)
			}
			for _, id := range ids {
				seen[id] = true
			}
		}
		if len(seen) != takers*n || seen[0] {
			t.Errorf("got %d different numbers want %d, from 1", len(seen), takers*n)
		}
	})
}

func TestNextIDsOfNoSequence(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := d.NextIDs(t.Context(), tx, "nobody_ids", 2)
			return err
		})
		if err == nil || db.IsUnavailable(err) {
			t.Errorf("got %v want an error that stays", err)
		}
	})
}
