package video

import (
	"context"
	"database/sql"
	"fmt"

	"stoa/internal/db"
)

// listVideos is a page of videos, and how many there are in all: from one moment.
func (s *Service) listVideos(ctx context.Context, l videoList) (videos []*video, total int, err error) {
	err = s.db.InSnapshot(ctx, func(tx *db.Tx) error {
		where, args := l.where()
		if l.filtered() {
			err = tx.QueryRow(ctx, `SELECT count(*) FROM videos WHERE `+where, args...).Scan(&total)
		} else {
			total, err = videosIn(ctx, tx, l.project, l.state)
		}
		if err != nil || l.page.Offset() >= total {
			return err
		}
		if videos, err = pageOfVideos(ctx, tx, l, where, args); err != nil {
			return err
		}
		return readLabels(ctx, tx, videos...)
	})
	return videos, total, err
}

func pageOfVideos(ctx context.Context, tx *db.Tx, l videoList, where string, args []any) (videos []*video, err error) {
	err = eachRow(ctx, tx, func(rows *sql.Rows) error {
		v, err := scanVideo(rows)
		videos = append(videos, v)
		return err
	}, l.text(where), args...)
	return videos, err
}

// text is the query of a page. Videos that are alike in the order keep one all the same.
func (l videoList) text(where string) string {
	direction := ""
	if l.descending {
		direction = " DESC"
	}
	return fmt.Sprintf(`SELECT %s FROM videos WHERE %s ORDER BY %s%s, id%s LIMIT %d OFFSET %d`,
		videoColumns, where, l.column, direction, direction, l.page.Size, l.page.Offset())
}
