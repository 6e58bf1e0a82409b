package redis

import (
	"context"
	"errors"
	"sync/atomic"

	"stoa/internal/fault"
)

const (
	ringScale = 11 // a connection of the client holds 2048 calls

	// A call beyond what a connection holds would block there without looking
	// at its context. So it waits at the door, and beyond that not at all.
	maxInside  = 1<<ringScale - 64
	maxWaiting = 16384
)

var (
	errBusy = fault.New(fault.Unavailable, "too many calls wait for redis")
	errLate = errors.New("no place within the timeout")
)

// A door bounds the calls inside the client. A caller may leave before its
// answer comes; its place stays taken until then.
type door struct {
	places  chan struct{}
	waiting atomic.Int64
	left    atomic.Int64 // places taken by calls whose callers are gone, ever
	freed   int64        // of those, the ones given back; belongs to release
}

func newDoor() door { return door{places: make(chan struct{}, maxInside)} }

// enter waits for a place until the caller or the batch gives up.
func (d *door) enter(ctx context.Context, b *batch) error {
	select {
	case d.places <- struct{}{}:
		return nil
	default:
	}
	if d.waiting.Add(1) > maxWaiting {
		d.waiting.Add(-1)
		return errBusy
	}
	defer d.waiting.Add(-1)
	select {
	case d.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-b.over:
		return errLate
	}
}

func (d *door) leave() { <-d.places }

// abandon leaves without giving back the place.
func (d *door) abandon() { d.left.Add(1) }

// release gives back the places of the first calls that were abandoned.
func (d *door) release(upTo int64) {
	for ; d.freed < upTo; d.freed++ {
		<-d.places
	}
}
