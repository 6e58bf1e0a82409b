package jobs

import (
	"context"
	"errors"
	"time"

	"stoa/internal/db"
	"stoa/internal/fault"
)

var (
	errRuns    = fault.New(fault.Invalid, "this job runs now: wait until it ends")
	errAlive   = fault.New(fault.Invalid, "this job waits or runs, and others rely on it: only one that was given up can be discarded")
	errForeign = fault.New(fault.Invalid, "this process does not know this kind of job: ask one that does it")
)

// Retry puts a job that was given up in line again, at once and with all its
// attempts; [How.Again] makes it meaningful. Where the owner says that there is
// nothing left to do, or the same job waits already, it is forgotten instead. One
// that waits for its moment may begin now, or keeps its place if it could already. One
// that runs is left alone.
func (q *Queue) Retry(ctx context.Context, id int64) error {
	return q.db.InTx(ctx, func(tx *db.Tx) error {
		j, err := q.one(tx.QueryRow(ctx, `SELECT `+jobColumns+` FROM jobs WHERE id = $1`+q.db.ForUpdate(), id))
		if err != nil {
			return err
		}
		needed, err := q.needed(ctx, tx, j)
		if err != nil {
			return err
		}
		text, args := `DELETE FROM jobs WHERE id = $1`, []any{id}
		if needed {
			text = `UPDATE jobs SET ` + backInLine + `, due = CASE WHEN state = 'waiting' AND due < $2 THEN due ELSE $2 END,
				failures = 0, deaths = 0, ending = (ending AND state = 'waiting') WHERE id = $1`
			args = append(args, db.Micros(time.Now()))
			tx.AfterCommit(q.wakeUp)
		}
		_, err = tx.Exec(ctx, text, args...)
		return err
	})
}

// needed tells whether a locked job is to be done again, after its owner has prepared
// for that.
func (q *Queue) needed(ctx context.Context, tx *db.Tx, j Job) (bool, error) {
	h := q.handlers[j.Kind]
	switch {
	case h == nil:
		return false, errForeign
	case j.State == Running:
		return false, errRuns
	case j.State == Waiting:
		return true, nil
	}
	if h.again != nil {
		needed, err := h.again(ctx, tx, []byte(j.Args))
		if err != nil || !needed {
			return false, err
		}
	}
	// A running one may have looked at the world before the owner changed it.
	var same int
	err := tx.QueryRow(ctx, `SELECT count(*) FROM jobs WHERE kind = $1 AND args = $2 AND state = 'waiting'`, j.Kind, j.Args).Scan(&same)
	return same == 0, err
}

// RetryAll is Retry for all that were given up, of a kind or with "" of any. It tells
// how many that were, and how many cannot be tried again.
func (q *Queue) RetryAll(ctx context.Context, kind string) (retried, refused int, err error) {
	which := Which{State: GivenUp, Kind: kind}
	for {
		jobs, err := q.List(ctx, which, 100)
		if err != nil || len(jobs) == 0 {
			return retried, refused, err
		}
		for _, j := range jobs {
			switch err := q.Retry(ctx, j.ID); {
			case err == nil:
				retried++
			case errors.Is(err, fault.NotFound), errors.Is(err, errRuns): // somebody else was quicker
			case errors.Is(err, fault.Invalid):
				refused++
			default:
				return retried, refused, err
			}
			which.Before = j.ID
		}
	}
}

// Discard forgets a job that was given up.
func (q *Queue) Discard(ctx context.Context, id int64) error {
	return q.db.InTx(ctx, func(tx *db.Tx) error {
		j, err := q.one(tx.QueryRow(ctx, `SELECT `+jobColumns+` FROM jobs WHERE id = $1`+q.db.ForUpdate(), id))
		if err != nil {
			return err
		}
		if j.State != GivenUp {
			return errAlive
		}
		_, err = tx.Exec(ctx, `DELETE FROM jobs WHERE id = $1`, id)
		return err
	})
}
