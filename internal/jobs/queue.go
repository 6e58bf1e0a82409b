// Package jobs does work later, in any process that shares the database, and at
// least once.
//
// A job is added in the transaction that makes it necessary, so neither is ever
// alone. Its owner registers a handler:
//
//	jobs.Handle(q, s.encode, jobs.How[encodeArgs]{Lane: "encode", GaveUp: s.cannotEncode})
//	…
//	err := q.Add(ctx, tx, encodeArgs{VideoID: id})
//
// and says what is next by what it returns: nil, an error (again, later),
// [Snooze] or [Abandon]. [Queue.Run] does the work; a process that never calls it
// only adds.
//
// A process that dies loses its jobs to others within about ten seconds. It may
// also be slow instead of dead, and go on after its jobs were taken away: then
// their contexts are cancelled and what they return counts for nothing, but for
// some seconds two may do the same. So handlers must be idempotent, and resume
// from what is stored.
package jobs

import (
	"cmp"
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/trace"

	"stoa/internal/db"
	"stoa/internal/stats"
)

//go:embed migrations
var migrations embed.FS

// Room is the name under which the database keeps the version of the schema.
const Room = "jobs"

// Migrations is the schema.
func Migrations() fs.FS { return migrations }

// DefaultLane is where jobs run whose handler names no other.
const DefaultLane = "default"

// Options changes what New makes; the zero value is good.
type Options struct {
	Log   *slog.Logger    // nil: silent
	Stats *stats.Registry // nil: nobody looks
	// Environment is whose jobs these are, among the statistics.
	Environment string
	// Tracer has a span for each try of a job, in the trace of who has added it. nil: none.
	Tracer trace.TracerProvider

	Name string // of this process, for whoever reads the tables or the log

	// Workers is how many jobs of a lane run at once in this process. 0: none; a
	// lane that is not named: 4.
	Workers map[string]int

	// Poll is how often the database is asked for jobs that others have added, or
	// that have become due. 0: every 400 ms.
	Poll time.Duration

	// Grace is how long jobs may go on when Run is told to stop, before they are
	// cancelled and handed back. 0: they are cancelled at once.
	Grace time.Duration

	// Beat is how often a working process says that it lives. One that others have
	// not heard of for five beats is dead to them. 0: every 2 s. It must be the same
	// in all processes.
	Beat time.Duration
}

// Queue is the jobs of one database. Handle and Every come first, then all else,
// which may be called at once.
type Queue struct {
	db       *db.DB
	log      *slog.Logger
	o        Options
	handlers map[string]*handler // by kind
	turns    []turn
	wake     chan struct{} // has room for one
}

// New makes a queue on a database that has the schema of Migrations.
func New(d *db.DB, o Options) *Queue {
	o.Poll = cmp.Or(o.Poll, 400*time.Millisecond)
	o.Beat = cmp.Or(o.Beat, 2*time.Second)
	if o.Stats == nil {
		o.Stats = stats.NewRegistry()
	}
	q := &Queue{
		db:       d,
		log:      cmp.Or(o.Log, slog.New(slog.DiscardHandler)),
		o:        o,
		handlers: map[string]*handler{},
		wake:     make(chan struct{}, 1),
	}
	Handle(q, q.sweep)
	q.Every(time.Hour, sweepArgs{})
	return q
}

// wakeUp makes Run look for jobs now.
func (q *Queue) wakeUp() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// State is what a job does. One that is done is forgotten.
type State string

const (
	Waiting State = "waiting" // for its moment or for a worker
	Running State = "running"
	GivenUp State = "given_up" // for the last seven days
)

const keepGivenUp = 7 * 24 * time.Hour

type sweepArgs struct{}

func (sweepArgs) Kind() string { return "jobs.sweep" }

// sweep forgets what was given up long ago.
func (q *Queue) sweep(ctx context.Context, _ sweepArgs) error {
	return q.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM jobs WHERE state = 'given_up' AND due < $1`,
			db.Micros(time.Now().Add(-keepGivenUp)))
		return err
	})
}
