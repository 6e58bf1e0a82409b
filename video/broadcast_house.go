package video

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"stoa/internal/db"
)

const (
	beatTime = time.Second // between two signs of life

	// longestBroadcast is after what time a broadcast ends and the next one begins.
	longestBroadcast = 12 * time.Hour

	// sandboxBroadcast is how long a broadcast of the sandbox may be.
	sandboxBroadcast = 30 * time.Minute
)

// runBroadcasts shows that the publishers of this process are there.
func (s *Service) runBroadcasts(ctx context.Context) error {
	return eachBeat(ctx, func() {
		if err := s.beat(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("broadcasts show no sign of life", "error", err)
		}
	})
}

// houseBroadcasts ends and forgets broadcasts when their time has come, of any process.
func (s *Service) houseBroadcasts(ctx context.Context) error {
	return eachBeat(ctx, func() {
		if err := s.tidyBroadcasts(ctx, time.Now()); err != nil && ctx.Err() == nil {
			s.log.Warn("broadcasts are not ended in time", "error", err)
		}
	})
}

func eachBeat(ctx context.Context, do func()) error {
	tick := time.NewTicker(beatTime)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			do()
		}
	}
}

// beat writes when frames came last, and learns what others did to the broadcasts of
// this process.
func (s *Service) beat(ctx context.Context) error {
	now := time.Now()
	all := s.broadcasts.list()
	if len(all) == 0 {
		return nil
	}
	rows, err := s.findBroadcasts(ctx, all)
	if err != nil {
		return err
	}
	var lively []any
	for _, b := range all {
		row, found := rows[b.id]
		a := b.sent()
		switch {
		case a == nil && (!found || row.run != b.lastRun()):
			s.broadcasts.forget(b.id)
		case a == nil && row.recorded:
			b.end()
		case a == nil:
		case !found:
			go a.finish()
		case row.ended: // until its end is stored, nobody else makes the recording
			go a.finish()
			lively = append(lively, b.id)
		case row.run != a.run:
			go a.lose()
		case a.lively(now):
			lively = append(lively, b.id)
		}
	}
	if len(lively) == 0 {
		return nil
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE live_broadcasts SET seen_at = $`+strconv.Itoa(len(lively)+1)+` WHERE id IN (`+placeholders(len(lively))+`)`,
			append(lively, db.Micros(now))...)
		return err
	})
}

// findBroadcasts reads the rows of broadcasts in memory.
func (s *Service) findBroadcasts(ctx context.Context, all []*broadcast) (map[string]broadcastRow, error) {
	ids := make([]any, len(all))
	for i, b := range all {
		ids[i] = b.id
	}
	found := map[string]broadcastRow{}
	return found, eachRow(ctx, s.db, func(rows *sql.Rows) error {
		b, err := scanBroadcast(rows)
		found[b.id] = b
		return err
	}, `SELECT `+broadcastColumns+` FROM live_broadcasts WHERE id IN (`+placeholders(len(ids))+`)`, ids...)
}

// tidyBroadcasts ends broadcasts without a publisher, makes recordings that nobody else
// makes, and forgets what nobody can watch any more.
func (s *Service) tidyBroadcasts(ctx context.Context, now time.Time) error {
	due, err := s.dueBroadcasts(ctx, now)
	if err != nil {
		return err
	}
	var errs []error
	for _, b := range due {
		errs = append(errs, s.db.InTx(ctx, func(tx *db.Tx) error { return s.tidyBroadcast(ctx, tx, b.id, now) }))
	}
	return errors.Join(append(errs, s.forgetBroadcasts(ctx, now))...)
}

// dueBroadcasts are those with which something has to be done.
func (s *Service) dueBroadcasts(ctx context.Context, now time.Time) (due []broadcastRow, err error) {
	err = eachRow(ctx, s.db, func(rows *sql.Rows) error {
		b, err := scanBroadcast(rows)
		if err == nil && (s.isOver(b, now) || b.ended && !b.held(now)) {
			due = append(due, b)
		}
		return err
	}, `SELECT `+broadcastColumns+` FROM live_broadcasts WHERE NOT recorded`)
	return due, err
}

// isOver tells whether a broadcast has to be ended.
func (s *Service) isOver(b broadcastRow, now time.Time) bool {
	if b.ended {
		return false
	}
	return b.over(now) || s.sandbox() && b.started > 0 && now.Sub(db.Time(b.started)) > sandboxBroadcast
}

func (s *Service) tidyBroadcast(ctx context.Context, tx *db.Tx, id string, now time.Time) error {
	b, err := s.lockBroadcast(ctx, tx, `id = $1 AND NOT recorded`, id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	case s.isOver(b, now):
		return s.endBroadcast(ctx, tx, b)
	case b.ended && !b.held(now):
		return s.record(ctx, tx, b.id)
	}
	return nil
}

// forgetBroadcasts forgets the broadcasts that were watched again for as long as they
// lasted, or an hour. The recordings stay.
func (s *Service) forgetBroadcasts(ctx context.Context, now time.Time) error {
	var old []broadcastRow
	err := eachRow(ctx, s.db, func(rows *sql.Rows) error {
		b, err := scanBroadcast(rows)
		if err == nil && now.After(b.watchedUntil()) {
			old = append(old, b)
		}
		return err
	}, `SELECT `+broadcastColumns+` FROM live_broadcasts WHERE recorded AND ended_at < $1`, db.Micros(now))
	if err != nil {
		return err
	}
	for _, b := range old {
		if err := s.removeFolder(ctx, livePartFolder(b.videoID)); err != nil {
			return err
		}
		err := s.db.InTx(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, `DELETE FROM live_broadcasts WHERE id = $1`, b.id)
			return err
		})
		if err != nil {
			return err
		}
		s.broadcasts.forget(b.id)
	}
	return nil
}

// watchedUntil is how long a broadcast that has ended can be watched.
func (b broadcastRow) watchedUntil() time.Time {
	lasted := db.Time(b.endedAt).Sub(db.Time(b.started))
	return db.Time(b.endedAt).Add(min(lasted, dvrTime))
}
