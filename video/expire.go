package video

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"stoa/internal/db"
)

// expireArgs is the job that takes videos away whose time has come.
type expireArgs struct{}

func (expireArgs) Kind() string { return "video.expire" }

const (
	expireInterval = 10 * time.Minute
	sourceTime     = 7 * 24 * time.Hour // within which a video must have its source
	expireBatch    = 500
)

func (s *Service) expire(ctx context.Context, _ expireArgs) error {
	now := time.Now()
	// Both conditions have an index. What is discarded has a time of its own.
	if err := s.expireVideos(ctx, `state = 0 AND ingest IN (0, 2) AND created_at < $1`, db.Micros(now.Add(-sourceTime))); err != nil {
		return err
	}
	if err := s.expireVideos(ctx, `state IN (0, 1) AND deletes_at > 0 AND deletes_at <= $1`, db.Micros(now)); err != nil {
		return err
	}
	return s.sweepArrivals(ctx, now)
}

// expireVideos deletes the videos that fulfil a condition.
func (s *Service) expireVideos(ctx context.Context, where string, moment int64) error {
	for {
		var ids []string
		err := eachRow(ctx, s.db, func(rows *sql.Rows) error {
			var id string
			err := rows.Scan(&id)
			ids = append(ids, id)
			return err
		}, `SELECT id FROM videos WHERE `+where+` LIMIT $2`, moment, expireBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := s.expireVideo(ctx, id, where, moment); err != nil {
				return err
			}
		}
	}
}

// expireVideo deletes a video unless it was saved meanwhile.
func (s *Service) expireVideo(ctx context.Context, id, where string, moment int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		err := tx.QueryRow(ctx, `SELECT id FROM videos WHERE `+where+` AND id = $2`+s.db.ForUpdate(), moment, id).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		v, err := s.oneVideo(ctx, tx, id, "")
		if err != nil {
			return err
		}
		return s.removeVideo(ctx, tx, v)
	})
}

// sweepSessions forgets the sessions of private videos that have ended so long ago that
// their tokens, which must not be used twice, count no more either.
func sweepSessions(ctx context.Context, tx *db.Tx, now time.Time) error {
	_, err := tx.Exec(ctx, `DELETE FROM video_sessions WHERE expires_at < $1`, db.Micros(now.Add(-privateLife)))
	return err
}
