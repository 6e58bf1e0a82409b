package video

import (
	"context"
	"time"

	"stoa/internal/db"
)

// discardedLife is how long a discarded video can be brought back.
const discardedLife = 90 * 24 * time.Hour

// deleteVideo takes a video away: for good, or where videos can be restored, for a
// while first.
func (s *Service) deleteVideo(ctx context.Context, project, id string) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		v, err := s.lockVideo(ctx, tx, project, id)
		if err != nil {
			return err
		}
		if s.Restore {
			return s.discardVideo(ctx, tx, v)
		}
		return s.removeVideo(ctx, tx, v)
	})
}

// removeVideo ends a video, there or discarded: from this transaction on nobody finds
// it. A job then removes its rows and files.
func (s *Service) removeVideo(ctx context.Context, tx *db.Tx, v *video) error {
	if _, err := tx.Exec(ctx, `UPDATE videos SET state = $2 WHERE id = $1`, v.id, videoDeleted); err != nil {
		return err
	}
	if err := touchVideo(ctx, tx, v.id); err != nil {
		return err
	}
	if err := s.addRemoval(ctx, tx, v.id); err != nil {
		return err
	}
	return countVideos(ctx, tx, v.project, v.state, -1)
}

func (s *Service) discardVideo(ctx context.Context, tx *db.Tx, v *video) error {
	now := time.Now()
	deletes := db.Micros(now.Add(discardedLife))
	if expiry := s.expiry(v); expiry > 0 {
		deletes = min(deletes, expiry)
	}
	if err := moveVideo(ctx, tx, v.id, videoDiscarded, db.Micros(now), deletes); err != nil {
		return err
	}
	if err := countVideos(ctx, tx, v.project, videoThere, -1); err != nil {
		return err
	}
	return countVideos(ctx, tx, v.project, videoDiscarded, 1)
}

// restoreVideo brings a discarded video back.
func (s *Service) restoreVideo(ctx context.Context, project, id string) (v *video, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		v, err = s.oneVideo(ctx, tx, id, ` AND project = $2 AND state = $3`+s.db.ForUpdate(), project, videoDiscarded)
		if err != nil {
			return err
		}
		if err := moveVideo(ctx, tx, id, videoThere, 0, s.expiry(v)); err != nil {
			return err
		}
		if err := countVideos(ctx, tx, project, videoThere, 1); err != nil {
			return err
		}
		if err := countVideos(ctx, tx, project, videoDiscarded, -1); err != nil {
			return err
		}
		v, err = s.lockVideo(ctx, tx, project, id)
		return err
	})
	return v, err
}

// findDiscarded reads a discarded video of a project.
func (s *Service) findDiscarded(ctx context.Context, project, id string) (*video, error) {
	return s.oneVideo(ctx, s.db, id, ` AND project = $2 AND state = $3`, project, videoDiscarded)
}

// moveVideo brings a video into a state, with the times that belong to it.
func moveVideo(ctx context.Context, tx *db.Tx, id string, to videoState, discarded, deletes int64) error {
	_, err := tx.Exec(ctx, `UPDATE videos SET state = $2, discarded_at = $3, deletes_at = $4 WHERE id = $1`, id, to, discarded, deletes)
	if err != nil {
		return err
	}
	return touchVideo(ctx, tx, id)
}
