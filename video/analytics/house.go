package analytics

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/db"
)

const (
	sweepEvery = 10 * time.Minute
	sweepRows  = 1000 // of a transaction, so that writers do not wait for long
)

// keepHouse removes what is too old, now and then. A sweep that fails is repeated
// with the next one.
func (s *Service) keepHouse(ctx context.Context) error {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := s.sweep(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("old analytics were not removed", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// sweep removes rows and sums that can no longer be asked for, and the keys of the
// days before. An audience goes when nothing refers to it.
func (s *Service) sweep(ctx context.Context) error {
	cutoff := s.now().Add(-s.Retention).UnixMicro()
	today := s.now().UnixMicro() / microsDay
	steps := []struct {
		text   string
		before int64
	}{
		{`DELETE FROM analytics_keys WHERE day IN (SELECT day FROM analytics_keys WHERE day < $1 LIMIT $2)`, today},
		{`DELETE FROM analytics_playbacks WHERE id IN (SELECT id FROM analytics_playbacks WHERE last_at < $1 LIMIT $2)`, cutoff},
		{`DELETE FROM analytics_hours WHERE (project, hour, media, audience) IN
			(SELECT project, hour, media, audience FROM analytics_hours WHERE hour < $1 LIMIT $2)`, hourOf(cutoff)},
		{`DELETE FROM analytics_days WHERE (project, day, media, audience) IN
			(SELECT project, day, media, audience FROM analytics_days WHERE day < $1 LIMIT $2)`, cutoff / microsDay},
		{`DELETE FROM analytics_stretches WHERE (project, began_at, playback) IN
			(SELECT project, began_at, playback FROM analytics_stretches WHERE began_at < $1 LIMIT $2)`, cutoff - microsHour},
		{`DELETE FROM analytics_audiences WHERE id IN (SELECT id FROM analytics_audiences WHERE used_on < $1
			AND id NOT IN (SELECT audience FROM analytics_playbacks UNION SELECT audience FROM analytics_hours
				UNION SELECT audience FROM analytics_days UNION SELECT audience FROM analytics_stretches)
			LIMIT $2)`, cutoff/microsDay - 1},
	}
	for _, step := range steps {
		if err := s.remove(ctx, step.text, step.before); err != nil {
			return fmt.Errorf("remove what is too old: %w", err)
		}
	}
	return nil
}

func (s *Service) remove(ctx context.Context, text string, before int64) error {
	for {
		var removed int64
		err := s.db.InTx(ctx, func(tx *db.Tx) error {
			result, err := tx.Exec(ctx, text, before, sweepRows)
			if err != nil {
				return err
			}
			removed, err = result.RowsAffected()
			return err
		})
		if err != nil || removed < sweepRows {
			return err
		}
	}
}
