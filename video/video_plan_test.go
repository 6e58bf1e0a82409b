package video

import (
	"database/sql"
	"fmt"
	"net/url"
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
				where, args := l.where()
				plan := explain(t, d, l.text(where), args)
				if !strings.Contains(plan, index) || strings.Contains(plan, "Sort") || strings.Contains(plan, "TEMP B-TREE") {
					t.Errorf("by %s: got\n%swant %s alone", column, plan, index)
				}
			}
		}
	})
}

// TestListsOfLiveStreamsReadIndexes is that for live streams, each of which has its
// broadcast looked up.
func TestListsOfLiveStreamsReadIndexes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, Room, Migrations(), func(t *testing.T, d *db.DB) {
		for query, index := range map[string]string{
			"":                   "live_streams_by_creation",
			"sortBy=updatedAt":   "live_streams_by_update",
			"sortBy=name":        "live_streams_by_name",
			"sortBy=name&name=x": "live_streams_by_name",
		} {
			q, err := url.ParseQuery(query)
			if err != nil {
				t.Fatal(err)
			}
			l, err := readLiveStreamList(q, "x")
			if err != nil {
				t.Fatal(err)
			}
			plan := explain(t, d, l.text(), l.args)
			if !strings.Contains(plan, index) || strings.Contains(plan, "Sort") || strings.Contains(plan, "TEMP B-TREE") || !strings.Contains(plan, "live_broadcast_open") {
				t.Errorf("%q: got\n%swant %s and live_broadcast_open", query, plan, index)
			}
		}
	})
}

func explain(t *testing.T, d *db.DB, text string, args []any) (plan string) {
	t.Helper()
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
		}, command+text, args...)
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
