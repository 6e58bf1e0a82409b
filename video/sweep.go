package video

import (
	"context"
	"time"

	"stoa/internal/db"
)

// sweepArgs is the job that removes what has had its time.
type sweepArgs struct{}

func (sweepArgs) Kind() string { return "video.sweep" }

func (s *Service) sweep(ctx context.Context, _ sweepArgs) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		now := time.Now()
		for _, sweep := range []func(context.Context, *db.Tx, time.Time) error{sweepAccess, sweepSessions, sweepUploadTokens, sweepDeliveries} {
			if err := sweep(ctx, tx, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.sweepWatermarks(ctx)
}

// sweepAccess forgets the tokens that stand for a key no longer.
func sweepAccess(ctx context.Context, tx *db.Tx, now time.Time) error {
	_, err := tx.Exec(ctx, `DELETE FROM video_access WHERE expires_at < $1`, db.Micros(now))
	return err
}
