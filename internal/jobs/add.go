package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"stoa/internal/db"
)

// An AddOption changes one job that is added.
type AddOption func(*addition)

type addition struct {
	due      time.Time
	priority int
	once     *string
}

// At is the moment before which the job does not begin.
func At(t time.Time) AddOption { return func(a *addition) { a.due = t } }

// After is At for a moment from now.
func After(d time.Duration) AddOption { return At(time.Now().Add(d)) }

// Priority is which jobs of a lane go first: those with the smaller number. It
// is 0 for jobs that have none; among equals the one that is due longest goes
// first.
func Priority(n int) AddOption { return func(a *addition) { a.priority = n } }

// Unique does not add the job while one of its kind with the same key waits or
// runs. The running one may have looked at the world already: when it must look
// again, leave the key out. A job cannot add its own successor with its own key:
// it returns Snooze.
func Unique(key string) AddOption { return func(a *addition) { a.once = &key } }

// Add adds a job in a transaction: when that is rolled back there is no job.
func (q *Queue) Add(ctx context.Context, tx *db.Tx, args Args, how ...AddOption) error {
	h := q.handlers[args.Kind()]
	if h == nil {
		return fmt.Errorf("add a job: nothing handles %s: call jobs.Handle first", args.Kind())
	}
	text, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("add %s: %w", h.kind, err)
	}
	now := time.Now()
	a := addition{due: now}
	for _, change := range how {
		change(&a)
	}
	ids, err := q.db.NextIDs(ctx, tx, "job_ids", 1)
	if err != nil {
		return fmt.Errorf("add %s: %w", h.kind, err)
	}
	_, err = tx.Exec(ctx, `INSERT INTO jobs (id, kind, lane, args, once, priority, state, due, failures, deaths, lease, ending, error, trace)
		VALUES ($1, $2, $3, $4, $5, $6, 'waiting', $7, 0, 0, 0, FALSE, '', $8) ON CONFLICT (kind, once) DO NOTHING`,
		ids[0], h.kind, h.lane, string(text), a.once, a.priority, db.Micros(a.due), q.traceOf(ctx))
	if err != nil {
		return fmt.Errorf("add %s: %w", h.kind, err)
	}
	if !a.due.After(now) {
		tx.AfterCommit(q.wakeUp)
	}
	return nil
}
