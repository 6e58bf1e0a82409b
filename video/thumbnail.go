package video

import (
	"context"

	"stoa/internal/db"
)

// thumbnailKey is where a poster is kept. Its name is a new one for every version.
func thumbnailKey(videoID, name string) string {
	return "video/" + videoID + "/thumbnail/" + name + ".jpg"
}

// putThumbnail makes an uploaded picture the poster of a video. A place that was
// picked before counts no more.
func (s *Service) putThumbnail(ctx context.Context, project, videoID string, file []byte) (v *video, err error) {
	if _, err := s.findVideo(ctx, s.db, project, videoID); err != nil {
		return nil, err
	}
	poster, err := s.pictures.Poster(ctx, file)
	if err != nil {
		return nil, err
	}
	name := newID("")
	err = s.keepFile(ctx, thumbnailKey(videoID, name), poster, "image/jpeg", func(tx *db.Tx) (old string, err error) {
		was, err := s.lockVideo(ctx, tx, project, videoID)
		if err != nil {
			return "", err
		}
		_, err = tx.Exec(ctx, `UPDATE videos SET thumbnail = $2, thumbnail_at = '' WHERE id = $1`, videoID, name)
		if err != nil {
			return "", err
		}
		if v, err = s.touched(ctx, tx, project, videoID); err != nil || was.thumbnail == "" {
			return "", err
		}
		return thumbnailKey(videoID, was.thumbnail), nil
	})
	return v, err
}

// pickThumbnail makes a picture of the video its poster: now, or once there is a
// source.
func (s *Service) pickThumbnail(ctx context.Context, project, videoID string, timecode string) (v *video, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.lockVideo(ctx, tx, project, videoID); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE videos SET thumbnail_at = $2 WHERE id = $1`, videoID, timecode); err != nil {
			return err
		}
		if err := s.addThumbnail(ctx, tx, videoID); err != nil {
			return err
		}
		v, err = s.touched(ctx, tx, project, videoID)
		return err
	})
	return v, err
}

// touched is a video with its new version.
func (s *Service) touched(ctx context.Context, tx *db.Tx, project, videoID string) (*video, error) {
	if err := touchVideo(ctx, tx, videoID); err != nil {
		return nil, err
	}
	return s.findVideo(ctx, tx, project, videoID)
}
