package video

import (
	"context"

	"stoa/internal/db"
)

// setDefaultCaption makes a caption the default, or not. A video has one at most.
func (s *Service) setDefaultCaption(ctx context.Context, project, videoID, language string, isDefault bool) (v *video, t track, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if v, err = s.lockVideo(ctx, tx, project, videoID); err != nil {
			return err
		}
		if t, err = findTrack(ctx, tx, videoID, captions, language); err != nil {
			return err
		}
		if isDefault {
			_, err := tx.Exec(ctx, `UPDATE video_tracks SET is_default = FALSE WHERE video_id = $1 AND kind = $2`, videoID, captions)
			if err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `UPDATE video_tracks SET is_default = $4 WHERE video_id = $1 AND kind = $2 AND language = $3`,
			videoID, captions, language, isDefault)
		if err != nil {
			return err
		}
		t.isDefault = isDefault
		return touchVideo(ctx, tx, videoID)
	})
	return v, t, err
}
