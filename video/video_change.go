package video

import (
	"context"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/problem"
)

// changeVideo applies the fields of a body to a video: what is absent stays.
func (s *Service) changeVideo(ctx context.Context, project, id string, f fields) (v *video, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if v, err = s.lockVideo(ctx, tx, project, id); err != nil {
			return err
		}
		player, mp4 := v.playerID, v.mp4
		problems := readVideo(f, v)
		if v.playerID != player {
			named, err := references{
				{"playerId", `SELECT 1 FROM video_players WHERE id = $1 AND project = $2`, v.playerID},
			}.check(ctx, tx, project)
			if err != nil {
				return err
			}
			problems = append(problems, named...)
		}
		if err := problem.All(problems...); err != nil {
			return err
		}
		if err := updateVideo(ctx, tx, v, f); err != nil {
			return err
		}
		if v.mp4 != mp4 {
			if err := s.switchMP4(ctx, tx, v); err != nil {
				return err
			}
		}
		v, err = s.lockVideo(ctx, tx, project, id) // with its new version
		return err
	})
	return v, err
}

// updateVideo stores what readVideo has read.
func updateVideo(ctx context.Context, tx *db.Tx, v *video, f fields) error {
	_, err := tx.Exec(ctx, `UPDATE videos SET title = $2, title_key = $3, title_order = $4, description = $5, description_key = $6,
		public = $7, panoramic = $8, mp4_support = $9, player_id = $10, language = $11 WHERE id = $1`,
		v.id, v.title, foldCase(v.title), titleOrder(v.title), v.description, foldCase(v.description),
		v.public, v.panoramic, v.mp4, v.playerID, v.language)
	if err != nil {
		return err
	}
	if f.has("tags") {
		if err := writeTags(ctx, tx, v); err != nil {
			return err
		}
	}
	if f.has("metadata") {
		if err := writeMetadata(ctx, tx, v); err != nil {
			return err
		}
	}
	return touchVideo(ctx, tx, v.id)
}

// touchVideo raises the version of a video, in the transaction that changes something
// that an answer, a playlist or a page shows of it.
func touchVideo(ctx context.Context, tx *db.Tx, id string) error {
	_, err := tx.Exec(ctx, `UPDATE videos SET version = version + 1, updated_at = $2 WHERE id = $1`, id, db.Micros(time.Now()))
	return err
}
