package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"stoa/internal/db"
)

// Args is what a job is about: ids, kept as JSON. It is a struct, not a pointer.
// Kinds are forever, such as "video.encode", for jobs outlive versions.
type Args interface{ Kind() string }

// How is the way jobs of a kind are done; the zero value is good.
type How[A Args] struct {
	Lane     string        // "": DefaultLane
	Timeout  time.Duration // of one try, and of one of GaveUp. 0: none
	Attempts int           // tries that may fail before the job is given up. 0: 10

	// Backoff is how long to wait after so many failures, 1 or more. nil: a second,
	// then twice as long each time, up to ten minutes.
	Backoff func(failures int) time.Duration

	// GaveUp is told once when a job is given up: after its last attempt, when it
	// was abandoned, or when it took five processes with it. It is tried again as
	// long as it fails, up to ten times, unless it abandons that. Its error argument has the text of the last
	// failure; what it wraps is lost if the process dies meanwhile. May be nil.
	GaveUp func(ctx context.Context, a A, why error) error

	// Again takes back what GaveUp has told, in the transaction that puts the job in
	// line again; see [Queue.Retry]. It tells whether there is still something to do:
	// else the job is forgotten. May be nil.
	Again func(ctx context.Context, tx *db.Tx, a A) (needed bool, err error)
}

// handler is How without the type of the arguments.
type handler struct {
	kind, lane string
	timeout    time.Duration
	attempts   int
	figures    *figures
	backoff    func(failures int) time.Duration
	do         func(ctx context.Context, args []byte) error
	gaveUp     func(ctx context.Context, args []byte, why error) error
	again      func(ctx context.Context, tx *db.Tx, args []byte) (needed bool, err error)
}

// Handle registers what does the jobs of a kind. Every process that adds or does
// them must; a job that no process knows waits. how is given once or not at all.
func Handle[A Args](q *Queue, do func(context.Context, A) error, how ...How[A]) {
	var way How[A]
	if len(how) > 0 {
		way = how[0]
	}
	var none A
	kind := none.Kind()
	if q.handlers[kind] != nil {
		panic(fmt.Sprintf("jobs: %s is handled twice", kind))
	}
	h := &handler{
		kind:     kind,
		lane:     cmp.Or(way.Lane, DefaultLane),
		timeout:  way.Timeout,
		attempts: cmp.Or(way.Attempts, 10),
		backoff:  way.Backoff,
		do: func(ctx context.Context, args []byte) error {
			return withArgs(args, func(a A) error { return do(ctx, a) })
		},
	}
	if h.backoff == nil {
		h.backoff = backoff
	}
	if way.GaveUp != nil {
		h.gaveUp = func(ctx context.Context, args []byte, why error) error {
			return withArgs(args, func(a A) error { return way.GaveUp(ctx, a, why) })
		}
	}
	h.figures = q.newFigures(h.kind, h.lane)
	if way.Again != nil {
		h.again = func(ctx context.Context, tx *db.Tx, args []byte) (needed bool, err error) {
			err = withArgs(args, func(a A) (err error) {
				needed, err = way.Again(ctx, tx, a)
				return err
			})
			return needed, err
		}
	}
	q.handlers[kind] = h
}

// withArgs makes an error of a panic, so that one job does not end the others.
func withArgs[A Args](args []byte, fn func(A) error) (err error) {
	var a A
	if err := json.Unmarshal(args, &a); err != nil {
		return Abandon(fmt.Errorf("read the arguments: %w", err))
	}
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v\n%s", reason, debug.Stack())
		}
	}()
	return fn(a)
}

// within gives fn the time of one try.
func (h *handler) within(ctx context.Context, fn func(context.Context) error) error {
	if h.timeout == 0 {
		return fn(ctx)
	}
	ctx, end := context.WithTimeout(ctx, h.timeout)
	defer end()
	err := fn(ctx)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("took longer than %v: %w", h.timeout, err)
	}
	return err
}

const maxBackoff = 10 * time.Minute

// backoff spreads jobs that failed together over an eighth more.
func backoff(failures int) time.Duration {
	pause := maxBackoff
	if failures < 10 {
		pause = time.Second << (failures - 1)
	}
	return pause + rand.N(pause/8)
}
