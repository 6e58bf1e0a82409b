package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"stoa/internal/db"
)

// few is how many videos there are where there are not many.
const few = 100

// asked is how many videos are asked for one by one at most.
const asked = 1000

// copyVideos copies the few videos of a closed database, with what belongs to them,
// until there are so many. It returns ids of some, from everywhere.
func copyVideos(ctx context.Context, file string, videos int) ([]string, error) {
	d, err := db.Open(ctx, file, db.Options{})
	if err != nil {
		return nil, err
	}
	defer d.Close()
	err = d.InTx(ctx, func(tx *db.Tx) error {
		for _, c := range copies {
			if err := c.insert(ctx, tx, videos/few-1); err != nil {
				return fmt.Errorf("%s: %w", c.table, err)
			}
		}
		_, err := tx.Exec(ctx, `UPDATE video_counts SET videos =
			(SELECT COUNT(*) FROM videos v WHERE v.project = video_counts.project AND v.state = video_counts.state)`)
		return err
	})
	if err != nil {
		return nil, err
	}
	return readTexts(d.Query(ctx, `SELECT id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS place FROM videos) AS v WHERE place % $1 = 0`,
		max(1, videos/asked)))
}

// rowCopy says what the copy n.i of a row o has in columns where it differs.
type rowCopy struct {
	table  string
	differ map[string]string
}

// copies are of all tables that have rows of a new video. The copy of a video is older,
// and its id ends with the number of the copy.
var copies = []rowCopy{
	{"videos", map[string]string{
		"id":    "substr(o.id, 1, 16) || substr('00000000' || n.i, -8)",
		"title": "o.title || ' ' || n.i", "title_key": "o.title_key || ' ' || n.i", "title_order": "CAST(o.title_key || ' ' || n.i AS BLOB)",
		"created_at": "o.created_at - n.i * 1000000", "published_at": "o.published_at - n.i * 1000000", "updated_at": "o.updated_at - n.i * 1000000",
	}},
	{"video_tags", map[string]string{"video_id": "substr(o.video_id, 1, 16) || substr('00000000' || n.i, -8)"}},
	{"video_metadata", map[string]string{"video_id": "substr(o.video_id, 1, 16) || substr('00000000' || n.i, -8)"}},
}

// insert makes so many copies of every row.
func (c rowCopy) insert(ctx context.Context, tx *db.Tx, times int) error {
	if times == 0 {
		return nil
	}
	columns, err := readTexts(tx.Query(ctx, `SELECT name FROM pragma_table_info($1)`, c.table))
	if err != nil {
		return err
	}
	values := make([]string, len(columns))
	for i, column := range columns {
		if values[i] = c.differ[column]; values[i] == "" {
			values[i] = "o." + column
		}
	}
	_, err = tx.Exec(ctx, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
		INSERT INTO `+c.table+` (`+strings.Join(columns, ", ")+`) SELECT `+strings.Join(values, ", ")+` FROM `+c.table+` o CROSS JOIN n`, times)
	return err
}

func readTexts(rows *sql.Rows, err error) (texts []string, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}
