package jobs

import (
	"context"
	"errors"
	"strings"
	"time"

	"stoa/internal/db"
)

const (
	writeTime     = 10 * time.Second // for one try to write down what became of a job
	maxGiveUps    = 10               // how often GaveUp may fail
	maxErrorBytes = 4000             // of an error that is kept
)

// backInLine is the row of a job that waits again and belongs to nobody.
const backInLine = `state = 'waiting', worker = NULL, lease = lease + 1`

// work does a job, or what is left of one that is being given up.
func (w *worker) work(ctx context.Context, j *job) {
	if !j.ending {
		err := w.try(ctx, j)
		if !w.settle(ctx, j, err) {
			return
		}
		j.why = err
	}
	w.giveUp(ctx, j)
}

// try does a job once, counted and in its trace.
func (w *worker) try(ctx context.Context, j *job) error {
	ctx, span := w.span(ctx, j)
	began := time.Now()
	j.figures.running.Add(1)
	err := j.within(ctx, func(ctx context.Context) error { return j.do(ctx, j.args) })
	j.figures.running.Add(-1)
	j.figures.time.Observe(time.Since(began))
	endSpan(span, err)
	return err
}

// settle writes down what became of a try. It tells whether to give up.
func (w *worker) settle(ctx context.Context, j *job, err error) (giveUp bool) {
	nap, snoozed := errors.AsType[snooze](err)
	_, hopeless := errors.AsType[abandoned](err)
	switch {
	case err == nil:
		j.figures.done.Add(1)
		w.write(j, `DELETE FROM jobs`)
	case snoozed:
		w.write(j, `UPDATE jobs SET `+backInLine+`, due = $3`, db.Micros(time.Now().Add(nap.d)))
	case hopeless:
		j.figures.failed.Add(1)
		return true
	case ctx.Err() != nil: // nothing else ends it but stopping, or having lost it
		w.handBack(j)
	case j.failures+1 >= j.attempts:
		j.figures.failed.Add(1)
		return true
	default:
		j.figures.failed.Add(1)
		w.again(j, err, j.backoff(j.failures+1), err)
	}
	return false
}

// again puts a job back in line after a failure; why is what is kept of it.
func (w *worker) again(j *job, err error, pause time.Duration, why error) {
	w.log.Warn("a job failed", "kind", j.kind, "job", j.id, "failures", j.failures+1, "again_in", pause, "err", err)
	w.write(j, `UPDATE jobs SET `+backInLine+`, due = $3, failures = $4, error = $5`,
		db.Micros(time.Now().Add(pause)), j.failures+1, storable(why))
}

// handBack lets others begin a job, in the place that it had.
func (w *worker) handBack(j *job) { w.write(j, `UPDATE jobs SET `+backInLine) }

// giveUp tells the owner, and only then is the job given up: if this process
// dies meanwhile, another one tells.
func (w *worker) giveUp(ctx context.Context, j *job) {
	if j.gaveUp != nil {
		if !j.ending {
			if !w.write(j, `UPDATE jobs SET ending = TRUE, failures = 0, error = $3`, storable(j.why)) {
				return
			}
			j.ending, j.failures = true, 0
		}
		err := j.within(ctx, func(ctx context.Context) error { return j.gaveUp(ctx, j.args, j.why) })
		_, hopeless := errors.AsType[abandoned](err)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			w.handBack(j)
			return
		case !hopeless && j.failures+1 < maxGiveUps:
			w.again(j, err, backoff(j.failures+1), j.why)
			return
		default:
			w.log.Error("nobody could be told that a job is given up", "kind", j.kind, "job", j.id, "err", err)
		}
	}
	if w.write(j, `UPDATE jobs SET state = 'given_up', worker = NULL, once = NULL, due = $3, error = $4`,
		db.Micros(time.Now()), storable(j.why)) {
		j.figures.givenUp.Add(1)
		w.log.Error("a job is given up", "kind", j.kind, "job", j.id, "args", string(j.args), "err", j.why)
	}
}

// write changes the row of a job, if it is still ours. It goes on until the
// database answers, or the process stops: then others take the job when they
// notice.
func (w *worker) write(j *job, text string, args ...any) (ours bool) {
	text += ` WHERE id = $1 AND lease = $2 AND state = 'running'`
	args = append([]any{j.id, j.lease}, args...)
	const shortest, longest = 100 * time.Millisecond, 5 * time.Second
	for pause := shortest; ; pause = min(2*pause, longest) {
		n, err := w.change(text, args)
		if err == nil {
			if n == 0 && pause == shortest { // else it may have been the commit that gave no answer
				w.log.Warn("a job was taken away from this process, which seemed to be dead", "kind", j.kind, "job", j.id)
			}
			return n > 0
		}
		w.log.Warn("what became of a job cannot be written down now", "kind", j.kind, "job", j.id, "err", err, "again_in", pause)
		select {
		case <-w.life.Done():
			return false
		case <-time.After(pause):
		}
	}
}

func (w *worker) change(text string, args []any) (n int64, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.life), writeTime)
	defer cancel()
	err = w.db.InTx(ctx, func(tx *db.Tx) error {
		result, err := tx.Exec(ctx, text, args...)
		if err != nil {
			return err
		}
		n, err = result.RowsAffected()
		return err
	})
	return n, err
}

// storable is the beginning of an error, without what PostgreSQL refuses in a text.
func storable(err error) string {
	text := err.Error()
	text = text[:min(len(text), maxErrorBytes)]
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", "�"), "�")
}
