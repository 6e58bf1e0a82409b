package video

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/video/internal/paging"
)

// TestListsReadAnIndexInOrder asks both databases how they would make a page. One that
// sorts reads all videos for it.
func TestListsReadAnIndexInOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, Room, Migrations(), func(t *testing.T, d *db.DB) {
		for column, index := range map[string]string{
			"title_order": "videos_by_title", "created_at": "videos_by_creation", "published_at": "videos_by_publication", "updated_at": "videos_by_update",
		} {
			for _, descending := range []bool{false, true} {
				l := videoList{project: "x", column: column, descending: descending, page: paging.Page{Number: 1, Size: 25}}
				plan := explain(t, d, l)
				if !strings.Contains(plan, index) || strings.Contains(plan, "Sort") || strings.Contains(plan, "TEMP B-TREE") {
					t.Errorf("by %s: got\n%swant %s alone", column, plan, index)
				}
			}
		}
	})
}

func explain(t *testing.T, d *db.DB, l videoList) (plan string) {
	t.Helper()
	where, args := l.where()
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		command := "EXPLAIN QUERY PLAN "
		if d.Postgres() {
			command = "EXPLAIN "
			// An empty table is quickest read as it is.
			if _, err := tx.Exec(t.Context(), `SET LOCAL enable_seqscan = off`); err != nil {
				return err
			}
			if _, err := tx.Exec(t.Context(), `SET LOCAL enable_bitmapscan = off`); err != nil {
				return err
			}
		}
		return eachRow(t.Context(), tx, func(rows *sql.Rows) error {
			columns, err := rows.Columns()
			if err != nil {
				return err
			}
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			err = rows.Scan(values...)
			plan += fmt.Sprintln(*values[len(values)-1].(*any))
			return err
		}, command+l.text(where), args...)
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
