package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stoa/internal/db"
)

const (
	// silentBeats is how often a worker is looked at in vain before it is dead. Looks
	// are counted rather than time: clocks differ, and after a pause of the whole
	// machine a moment must be left to everyone.
	silentBeats = 5

	// maxDeaths is how many processes a job may end with before it is suspected.
	maxDeaths = 5
)

// sight is what was last seen of another worker.
type sight struct {
	beat int64
	same int // looks since it changed
}

// beatAndLook says that this worker lives, as long as it has jobs, and looks for
// others that do not. Without jobs it only reads.
func (w *worker) beatAndLook(ctx context.Context) {
	ticker := time.NewTicker(w.o.Beat)
	defer ticker.Stop()
	seen := map[string]sight{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := w.beat(ctx); err != nil && ctx.Err() == nil {
			w.log.Warn("a worker cannot say that it lives", "err", err)
			continue
		}
		if err := w.lookAtOthers(ctx, seen); err != nil && ctx.Err() == nil {
			w.log.Warn("workers cannot be looked at now", "err", err)
		}
	}
}

func (w *worker) beat(ctx context.Context) error {
	if !w.busy() {
		return nil
	}
	var id string
	err := w.db.InTx(ctx, func(tx *db.Tx) (err error) {
		id, err = w.sayAlive(ctx, tx)
		return err
	})
	if errors.Is(err, errLost) {
		w.lose(id)
		return nil
	}
	return err
}

func (w *worker) busy() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.running) > 0
}

func (w *worker) name() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.id
}

// sayAlive raises the beat. A worker with jobs that finds no beat was taken for
// dead: errLost. One without has nothing to lose and begins again.
func (w *worker) sayAlive(ctx context.Context, tx *db.Tx) (id string, err error) {
	w.mu.Lock()
	id, busy := w.id, len(w.running) > 0
	w.mu.Unlock()
	text := `INSERT INTO job_workers (id, beat) VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET beat = job_workers.beat + 1`
	if busy {
		text = `UPDATE job_workers SET beat = beat + 1 WHERE id = $1`
	}
	result, err := tx.Exec(ctx, text, id)
	if err != nil {
		return id, err
	}
	n, err := result.RowsAffected()
	if err == nil && n == 0 {
		err = errLost
	}
	return id, err
}

// lose ends the jobs that others do now, and goes on under another id.
func (w *worker) lose(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.id != id { // noticed already
		return
	}
	w.log.Warn("this process was taken for dead: it gives its jobs to others", "jobs", len(w.running))
	for _, cancel := range w.running {
		cancel(errLost)
	}
	w.running = map[*job]context.CancelCauseFunc{}
	w.id = w.newID()
}

// lookAtOthers takes the jobs of those whose beat stands still.
func (w *worker) lookAtOthers(ctx context.Context, seen map[string]sight) error {
	beats, err := w.beats(ctx)
	if err != nil {
		return err
	}
	for id := range seen {
		if _, there := beats[id]; !there {
			delete(seen, id)
		}
	}
	for id, beat := range beats {
		last, known := seen[id]
		if !known || last.beat != beat {
			seen[id] = sight{beat: beat}
			continue
		}
		seen[id] = sight{beat, last.same + 1}
		if last.same+1 >= silentBeats {
			if err := w.bury(ctx, id, beat); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *worker) beats(ctx context.Context) (map[string]int64, error) {
	rows, err := w.db.Query(ctx, `SELECT id, beat FROM job_workers WHERE id <> $1`, w.name())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	beats := map[string]int64{}
	for rows.Next() {
		var id string
		var beat int64
		if err := rows.Scan(&id, &beat); err != nil {
			return nil, err
		}
		beats[id] = beat
	}
	return beats, rows.Err()
}

// bury puts the jobs of a dead worker back in line, unless it has moved. They
// lose no attempt, but one that was there at many deaths is given up.
func (w *worker) bury(ctx context.Context, id string, beat int64) error {
	var jobs int64
	err := w.db.InTx(ctx, func(tx *db.Tx) error {
		result, err := tx.Exec(ctx, `DELETE FROM job_workers WHERE id = $1 AND beat = $2`, id, beat)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return err
		}
		if err := suspect(ctx, tx, id); err != nil {
			return err
		}
		result, err = tx.Exec(ctx, `UPDATE jobs SET `+backInLine+`, deaths = deaths + 1 WHERE worker = $1`, id)
		if err != nil {
			return err
		}
		tx.AfterCommit(w.wakeUp)
		jobs, err = result.RowsAffected()
		return err
	})
	if err == nil && jobs > 0 {
		w.log.Warn("a process has died: its jobs are begun again", "worker", id, "jobs", jobs)
	}
	return err
}

// suspect gives up the jobs of a worker that have ended with too many processes.
// If telling of it ends more of them, nobody is told.
func suspect(ctx context.Context, tx *db.Tx, worker string) error {
	why := fmt.Sprintf("%d processes died while they did it", maxDeaths)
	_, err := tx.Exec(ctx, `UPDATE jobs SET ending = TRUE, failures = 0, error = $2
		WHERE worker = $1 AND deaths >= $3 AND NOT ending`, worker, why, maxDeaths-1)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE jobs SET state = 'given_up', worker = NULL, lease = lease + 1, once = NULL, due = $2
		WHERE worker = $1 AND deaths >= $3`, worker, db.Micros(time.Now()), 2*maxDeaths-1)
	return err
}
