package jobs

import (
	"context"
	"time"

	"stoa/internal/db"
	"stoa/internal/stats"
)

// figures is what is counted of the jobs of a kind.
type figures struct {
	done, failed, givenUp *stats.Counter // tries that ended well, tries that did not, jobs
	running               *stats.Gauge   // in this process
	waiting               *stats.Gauge   // that are due, in the whole database
	oldest                *stats.Gauge   // seconds that the first of them is due
	time                  *stats.Timer   // of a try
}

func (q *Queue) newFigures(kind, lane string) *figures {
	r := q.o.Stats
	tags := []stats.Tag{{Key: "environment", Value: q.o.Environment}, {Key: "kind", Value: kind}, {Key: "lane", Value: lane}}
	return &figures{
		done: r.Counter("stoa.jobs.done", tags...), failed: r.Counter("stoa.jobs.failed", tags...), givenUp: r.Counter("stoa.jobs.given_up", tags...),
		running: r.Gauge("stoa.jobs.running", tags...), waiting: r.Gauge("stoa.jobs.waiting", tags...),
		oldest: r.Gauge("stoa.jobs.oldest_waiting_seconds", tags...), time: r.Timer("stoa.jobs.time", tags...),
	}
}

// countWaiting is how often the database is asked what waits.
const countWaiting = 15 * time.Second

// watchWaiting keeps the figures of what waits, until the context ends.
func (w *worker) watchWaiting(ctx context.Context) {
	ticker := time.NewTicker(countWaiting)
	defer ticker.Stop()
	for {
		if err := w.readWaiting(ctx); err != nil && ctx.Err() == nil {
			w.log.Warn("waiting jobs cannot be counted now", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

type waiting struct{ jobs, seconds int64 }

// readWaiting leaves out kinds that other programs know.
func (w *worker) readWaiting(ctx context.Context) error {
	found, err := w.waitingByKind(ctx, time.Now())
	if err != nil {
		return err
	}
	for kind, h := range w.handlers {
		h.figures.waiting.Set(found[kind].jobs)
		h.figures.oldest.Set(found[kind].seconds)
	}
	return nil
}

func (w *worker) waitingByKind(ctx context.Context, now time.Time) (map[string]waiting, error) {
	rows, err := w.db.Query(ctx, `SELECT kind, count(*), min(due) FROM jobs WHERE state = 'waiting' AND due <= $1 GROUP BY kind`, db.Micros(now))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]waiting{}
	for rows.Next() {
		var kind string
		var jobs, first int64
		if err := rows.Scan(&kind, &jobs, &first); err != nil {
			return nil, err
		}
		found[kind] = waiting{jobs, int64(now.Sub(db.Time(first)) / time.Second)}
	}
	return found, rows.Err()
}
