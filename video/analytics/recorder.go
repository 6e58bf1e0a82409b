package analytics

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"stoa/internal/db"
	"stoa/internal/fault"
)

const (
	maxGroup   = 256 // batches that share a commit
	maxWaiting = 4096
	writeTime  = 30 * time.Second
	attempts   = 5
)

var (
	errBusy     = fault.New(fault.Unavailable, "too many events are waiting to be counted: send them again in a moment")
	errStopping = fault.New(fault.Unavailable, "the server is stopping: send the events again")
)

// entry is a batch on its way into the database.
type entry struct {
	batch
	id       playbackID
	audience audience
	viewer   int64
	day      int64
	done     chan error // has room for one
}

// recorder commits batches in groups: what waits when a commit ends goes into the
// next one, and is acknowledged after it.
type recorder struct {
	db      *db.DB
	media   func(context.Context, []string) (map[string]Media, error)
	waiting chan *entry
	closed  chan struct{} // when Run has ended
	known   knownAudiences
}

func newRecorder(d *db.DB, media func(context.Context, []string) (map[string]Media, error)) *recorder {
	return &recorder{db: d, media: media, waiting: make(chan *entry, maxWaiting), closed: make(chan struct{})}
}

// record returns when the batch is committed, or refused because too many wait.
func (r *recorder) record(ctx context.Context, e *entry) error {
	e.done = make(chan error, 1)
	select {
	case r.waiting <- e:
	default:
		return errBusy
	}
	select {
	case err := <-e.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-r.closed:
		select { // it may have been among the last
		case err := <-e.done:
			return err
		default:
			return errStopping
		}
	}
}

// Run writes until the context ends, and then what still waits.
func (r *recorder) Run(ctx context.Context) error {
	defer close(r.closed)
	for {
		var first *entry
		select {
		case first = <-r.waiting:
		case <-ctx.Done():
			select {
			case first = <-r.waiting:
			default:
				return nil
			}
		}
		group := r.fill([]*entry{first})
		err := r.write(context.WithoutCancel(ctx), group)
		for _, e := range group {
			e.done <- err
		}
	}
}

// fill takes what waits, lets others run, and takes what they brought.
func (r *recorder) fill(group []*entry) []*entry {
	for before := 0; before < len(group) && len(group) < maxGroup; {
		before = len(group)
		runtime.Gosched()
		for more := true; more && len(group) < maxGroup; {
			select {
			case e := <-r.waiting:
				group = append(group, e)
			default:
				more = false
			}
		}
	}
	return group
}

// write commits a group. Of two processes that meet a new playback at the same
// time one fails, and finds its row the next time. As events are known again,
// nothing counts twice.
func (r *recorder) write(ctx context.Context, group []*entry) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	medias, err := r.media(ctx, mediasOf(group))
	if err != nil {
		return fmt.Errorf("find the medias of events: %w", err)
	}
	group = slices.DeleteFunc(slices.Clone(group), func(e *entry) bool { _, known := medias[e.media]; return !known })
	if len(group) == 0 {
		return nil
	}
	for range attempts {
		var p *page
		err = r.db.InTx(ctx, func(tx *db.Tx) (err error) {
			p, err = r.fold(ctx, tx, group, medias)
			return err
		})
		if err == nil {
			r.known.add(p.audiences)
			return nil
		}
		if !db.IsUnique(err) && !db.IsUnavailable(err) {
			break
		}
	}
	return fmt.Errorf("write events: %w", err)
}

func mediasOf(group []*entry) []string {
	ids := make([]string, len(group))
	for i, e := range group {
		ids[i] = e.media
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
