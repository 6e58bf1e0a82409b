package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"stoa/internal/db"
)

// turn is a job that comes again and again.
type turn struct {
	interval time.Duration
	args     Args
}

// Every adds a job once in an interval, however many processes run the queue, and
// the first time at once. The next one is left out while the last still waits or
// runs. There is one interval for a kind.
func (q *Queue) Every(interval time.Duration, args Args) {
	if interval <= 0 {
		panic(fmt.Sprintf("jobs: %s cannot come every %v", args.Kind(), interval))
	}
	q.turns = append(q.turns, turn{interval, args})
}

// takeTurns adds the job each time that it is due and nobody else was faster.
func (w *worker) takeTurns(ctx context.Context, t turn) {
	for {
		pause, err := w.takeTurn(ctx, t)
		if err != nil && ctx.Err() == nil {
			pause = min(t.interval, 5*time.Second)
			w.log.Warn("a job that comes again and again cannot be added now", "kind", t.args.Kind(), "err", err, "again_in", pause)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// takeTurn returns the time until the next turn.
func (w *worker) takeTurn(ctx context.Context, t turn) (time.Duration, error) {
	var last int64
	err := w.db.QueryRow(ctx, `SELECT last FROM job_turns WHERE kind = $1`, t.args.Kind()).Scan(&last)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	now := time.Now()
	if since := now.Sub(db.Time(last)); -t.interval < since && since < t.interval {
		return max(t.interval-since, time.Millisecond), nil
	}
	err = w.db.InTx(ctx, func(tx *db.Tx) error {
		// One that lies far ahead was set by a clock that was wrong.
		result, err := tx.Exec(ctx, `INSERT INTO job_turns (kind, last) VALUES ($1, $2) ON CONFLICT (kind) DO UPDATE SET last = excluded.last
			WHERE job_turns.last <= $3 OR job_turns.last >= $4`,
			t.args.Kind(), db.Micros(now), db.Micros(now.Add(-t.interval)), db.Micros(now.Add(t.interval)))
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return err
		}
		return w.Add(ctx, tx, t.args, Unique("every"))
	})
	return t.interval, err
}
