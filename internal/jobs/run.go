package jobs

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"stoa/internal/db"
)

// handBackTime is how long a job may take to end when it was cancelled. After
// that it is handed back while it runs.
const handBackTime = 5 * time.Second

// worker is one Run of a queue.
type worker struct {
	*Queue
	life   context.Context // of the jobs
	freed  chan struct{}   // a place in a lane became free; has room for one
	inside sync.WaitGroup

	mu      sync.Mutex
	id      string // another one after it was taken for dead
	lanes   []*lane
	running map[*job]context.CancelCauseFunc
}

// Run does jobs until ctx ends. Those that run then may go on for Options.Grace,
// and are handed back if that is not enough: they lose no attempt, and others may
// begin them at once. A database that does not answer is waited for.
func (q *Queue) Run(ctx context.Context) error {
	life, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	w := &worker{
		Queue: q, lanes: q.lanes(), life: life, freed: make(chan struct{}, 1),
		id: q.newID(), running: map[*job]context.CancelCauseFunc{},
	}
	beating, endBeat := context.WithCancel(context.WithoutCancel(ctx))
	defer endBeat()
	var beside sync.WaitGroup
	beside.Go(func() { w.beatAndLook(beating) })
	beside.Go(func() { w.watchWaiting(ctx) })
	for _, t := range q.turns {
		beside.Go(func() { w.takeTurns(ctx, t) })
	}
	w.loop(ctx)
	w.stop(end)
	endBeat()
	beside.Wait()
	return nil
}

// newID is never the same twice: nobody is taken for a process that died.
func (q *Queue) newID() string { return q.o.Name + " " + uuid.NewString() }

// lanes are those that this process works in, with all their places free.
func (q *Queue) lanes() []*lane {
	byName := map[string]*lane{}
	for _, h := range q.handlers {
		places, named := q.o.Workers[h.lane]
		if !named {
			places = 4
		}
		if places <= 0 {
			continue
		}
		if byName[h.lane] == nil {
			byName[h.lane] = &lane{name: h.lane, free: places}
		}
		byName[h.lane].kinds = append(byName[h.lane].kinds, h.kind)
	}
	for _, l := range byName {
		l.prepare(q.db)
	}
	return slices.Collect(maps.Values(byName))
}

// loop begins jobs. All that takes jobs or returns them unused is done here, so
// nothing of it happens at once.
func (w *worker) loop(ctx context.Context) {
	poll, audit := time.NewTicker(w.o.Poll), time.NewTicker(silentBeats*w.o.Beat)
	defer poll.Stop()
	defer audit.Stop()
	failing := false
	for {
		err := w.fetch(ctx)
		select {
		case <-ctx.Done():
			return
		case <-poll.C:
		case <-w.wake:
		case <-w.freed:
		case <-audit.C:
			if err == nil {
				err = w.disown(ctx)
			}
		}
		switch {
		case err != nil && !failing && ctx.Err() == nil:
			w.log.Warn("jobs cannot be fetched now", "err", err, "again_in", w.o.Poll)
		case err == nil && failing:
			w.log.Info("jobs are fetched again")
		}
		failing = err != nil
	}
}

// fetch fills the free places.
func (w *worker) fetch(ctx context.Context) error {
	for _, l := range w.lanes {
		w.mu.Lock()
		places := l.free
		w.mu.Unlock()
		if places == 0 {
			continue
		}
		jobs, err := w.take(ctx, l, places)
		if err != nil {
			return err
		}
		for _, j := range jobs {
			w.begin(j, l)
		}
	}
	return nil
}

// begin works on a job beside the others.
func (w *worker) begin(j *job, l *lane) {
	ctx, cancel := context.WithCancelCause(w.life)
	w.mu.Lock()
	l.free--
	w.running[j] = cancel
	w.mu.Unlock()
	w.inside.Go(func() {
		defer cancel(nil)
		w.work(ctx, j)
		w.mu.Lock()
		l.free++
		delete(w.running, j)
		w.mu.Unlock()
		select {
		case w.freed <- struct{}{}:
		default:
		}
	})
}

// stop waits for the jobs, cancels them, waits again, and takes them away from
// handlers that do not listen.
func (w *worker) stop(end context.CancelCauseFunc) {
	ended := make(chan struct{})
	go func() {
		w.inside.Wait()
		close(ended)
	}()
	for _, patience := range []time.Duration{w.o.Grace, handBackTime} {
		select {
		case <-ended:
		case <-time.After(patience):
		}
		end(errStopping)
	}
	w.mu.Lock()
	deaf := slices.Collect(maps.Keys(w.running))
	w.mu.Unlock()
	for _, j := range deaf {
		w.log.Error("a job went on when it was told to stop: it is done again elsewhere", "kind", j.kind, "job", j.id)
		w.handBack(j)
	}
	w.unregister()
}

// unregister leaves no trace. If it fails, others find that this worker is silent.
func (w *worker) unregister() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.life), writeTime)
	defer cancel()
	err := w.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM job_workers WHERE id = $1
			AND NOT EXISTS (SELECT 1 FROM jobs WHERE worker = job_workers.id)`, w.name())
		return err
	})
	if err != nil {
		w.log.Debug("a worker could not say that it ends", "err", err)
	}
}
