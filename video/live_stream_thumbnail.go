package video

import (
	"context"

	"stoa/internal/db"
)

// liveThumbnailKey is where the picture of a live stream that somebody sent is kept. Its
// name is a new one for every version.
func liveThumbnailKey(id, name string) string { return "live/" + id + "/thumbnail/" + name + ".jpg" }

// putLiveThumbnail makes an uploaded picture the thumbnail of a live stream.
func (s *Service) putLiveThumbnail(ctx context.Context, project, id string, file []byte) (l *liveStream, err error) {
	if _, err := findLiveStream(ctx, s.db, project, id); err != nil {
		return nil, err
	}
	poster, err := s.pictures.Poster(ctx, file)
	if err != nil {
		return nil, err
	}
	name := newID("")
	err = s.keepFile(ctx, liveThumbnailKey(id, name), poster, "image/jpeg", func(tx *db.Tx) (old string, err error) {
		l, old, err = s.nameLiveThumbnail(ctx, tx, project, id, name)
		return old, err
	})
	return l, err
}

// deleteLiveThumbnail takes the picture that was sent away, if there is one.
func (s *Service) deleteLiveThumbnail(ctx context.Context, project, id string) (l *liveStream, err error) {
	var old string
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		l, old, err = s.nameLiveThumbnail(ctx, tx, project, id, "")
		return err
	})
	if err == nil {
		s.forgetFile(ctx, old)
	}
	return l, err
}

// nameLiveThumbnail records the name of a live stream's picture, and returns the key of
// the one before, "" for none.
func (s *Service) nameLiveThumbnail(ctx context.Context, tx *db.Tx, project, id, name string) (l *liveStream, old string, err error) {
	if l, err = s.lockLiveStream(ctx, tx, project, id); err != nil || l.thumbnail == name {
		return l, "", err
	}
	if l.thumbnail != "" {
		old = liveThumbnailKey(id, l.thumbnail)
	}
	if _, err := tx.Exec(ctx, `UPDATE live_streams SET thumbnail = $2 WHERE id = $1`, id, name); err != nil {
		return nil, "", err
	}
	l, err = touchedLiveStream(ctx, tx, project, id)
	return l, old, err
}
