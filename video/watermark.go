package video

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"stoa/internal/blob"
	"stoa/internal/db"
	"stoa/internal/fault"
	"stoa/video/internal/problem"
)

// watermark is a picture that new videos of a project can be marked with.
type watermark struct {
	id      string
	created int64 // microseconds
}

// errNoWatermark is the answer to an id that names no watermark of the project.
var errNoWatermark = problem.NotFound("watermarkId")

// createWatermark keeps an uploaded picture as a PNG.
func (s *Service) createWatermark(ctx context.Context, project string, file []byte) (watermark, error) {
	mark, err := s.pictures.Watermark(ctx, file)
	if err != nil {
		return watermark{}, err
	}
	w := watermark{newID(watermarkPrefix), db.Micros(time.Now())}
	key := "watermark/" + w.id
	err = s.keepFile(ctx, key, mark.PNG, "image/png", func(tx *db.Tx) (string, error) {
		_, err := tx.Exec(ctx, `INSERT INTO video_watermarks (id, project, blob, width, height, created_at, deleted_at) VALUES ($1, $2, $3, $4, $5, $6, 0)`,
			w.id, project, key, mark.Width, mark.Height, w.created)
		return "", err
	})
	return w, err
}

// listWatermarks is a page of the watermarks of a project.
func (s *Service) listWatermarks(ctx context.Context, project string, l list) ([]watermark, int, error) {
	l.table, l.columns = `video_watermarks`, `id, created_at`
	l.where, l.args = `project = $1 AND deleted_at = 0`, []any{project}
	return pageOf(ctx, s.db, l, func(rows *sql.Rows) (w watermark, err error) { return w, rows.Scan(&w.id, &w.created) })
}

// deleteWatermark takes a watermark away from new videos. Those that were made with
// it, but have not been encoded, still get it: until then it is only out of sight.
func (s *Service) deleteWatermark(ctx context.Context, project, id string) error {
	if !isID(watermarkPrefix, id) {
		return errNoWatermark
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		result, err := tx.Exec(ctx, `UPDATE video_watermarks SET deleted_at = $3 WHERE id = $1 AND project = $2 AND deleted_at = 0`,
			id, project, db.Micros(time.Now()))
		return changedOne(result, err, errNoWatermark)
	})
}

// errNoPicture is for operators, who ask for pictures by id.
var errNoPicture = fault.New(fault.NotFound, "there is no watermark of this id: it may have been deleted")

// OpenWatermark opens the picture of a watermark of any project: a PNG that never
// changes. The error is fault.NotFound for one that is not there.
func (s *Service) OpenWatermark(ctx context.Context, id string) (*blob.Object, error) {
	if !isID(watermarkPrefix, id) {
		return nil, errNoPicture
	}
	var key string
	err := s.db.QueryRow(ctx, `SELECT blob FROM video_watermarks WHERE id = $1 AND deleted_at = 0`, id).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errNoPicture
	}
	if err != nil {
		return nil, err
	}
	object, err := s.Blobs.Open(ctx, key)
	if errors.Is(err, blob.ErrNotFound) {
		err = errNoPicture
	}
	return object, err
}

// sweepWatermarks removes the deleted watermarks that no video waits for.
func (s *Service) sweepWatermarks(ctx context.Context) error {
	unused := map[string]string{} // blobs by id
	err := eachRow(ctx, s.db, func(rows *sql.Rows) error {
		var id, blob string
		err := rows.Scan(&id, &blob)
		unused[id] = blob
		return err
	}, `SELECT id, blob FROM video_watermarks w WHERE deleted_at > 0 AND NOT EXISTS (
			SELECT 1 FROM videos v WHERE v.project = w.project AND v.state <> $1 AND v.watermark LIKE '%"' || w.id || '"%'
			AND NOT EXISTS (SELECT 1 FROM video_encodings e WHERE e.video_id = v.id AND e.state >= $2))
		LIMIT 1000`, videoDeleted, encodingEnded)
	if err != nil {
		return err
	}
	for id, blob := range unused {
		if err := s.Blobs.Delete(ctx, blob); err != nil {
			return err
		}
		err := s.db.InTx(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, `DELETE FROM video_watermarks WHERE id = $1`, id)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
