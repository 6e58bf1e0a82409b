// Package intaketest has a door and feeds for tests of those who bring publishers in.
package intaketest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"stoa/video/internal/live"
)

// Door knows one key.
type Door struct {
	Key   string
	Err   error          // what it answers to the right key; nil: a feed
	Wait  bool           // it answers only when the caller has had enough
	Feeds chan *Feed     // those it has given, if there is room
	From  live.Publisher // who came last
	lock  sync.Mutex
}

// NewDoor gives a door that lets publishers in.
func NewDoor(key string) *Door {
	return &Door{Key: key, Feeds: make(chan *Feed, 64)}
}

// Enter lets a publisher in who has the key.
func (d *Door) Enter(ctx context.Context, key string, from live.Publisher) (live.Feed, error) {
	if d.Wait {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if key != d.Key {
		return nil, live.ErrUnknownKey
	}
	if d.Err != nil {
		return nil, d.Err
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	d.From = from
	feed := NewFeed()
	select {
	case d.Feeds <- feed:
	default:
	}
	return feed, nil
}

// Next is the feed of the next publisher who comes.
func (d *Door) Next(t testing.TB) *Feed {
	t.Helper()
	select {
	case f := <-d.Feeds:
		return f
	case <-time.After(time.Minute):
		t.Fatal("no publisher came")
		return nil
	}
}

// Feed keeps what it is given.
type Feed struct {
	lock    sync.Mutex
	starts  [][]live.Format
	frames  []live.Frame
	ended   bool
	changed chan struct{} // closed with the next change
	done    chan struct{}
	closed  chan struct{}
}

// NewFeed gives an empty feed.
func NewFeed() *Feed {
	return &Feed{changed: make(chan struct{}), done: make(chan struct{}), closed: make(chan struct{})}
}

// Start keeps the formats.
func (f *Feed) Start(formats []live.Format) error {
	defer f.change()()
	f.starts = append(f.starts, slices.Clone(formats))
	return nil
}

// Write keeps the frame.
func (f *Feed) Write(frame live.Frame) error {
	defer f.change()()
	if f.ended {
		return live.ErrEnded
	}
	f.frames = append(f.frames, frame)
	return nil
}

// Done is closed by Dismiss.
func (f *Feed) Done() <-chan struct{} { return f.done }

// Close notes that the publisher has gone.
func (f *Feed) Close() { close(f.closed) }

// Closed is closed when the publisher has gone.
func (f *Feed) Closed() <-chan struct{} { return f.closed }

// Dismiss makes the publisher go.
func (f *Feed) Dismiss() { close(f.done) }

// End wants no more frames.
func (f *Feed) End() {
	defer f.change()()
	f.ended = true
}

// Kept is what has come.
func (f *Feed) Kept() (starts [][]live.Format, frames []live.Frame) {
	f.lock.Lock()
	defer f.lock.Unlock()
	return slices.Clone(f.starts), slices.Clone(f.frames)
}

// Await waits until enough has come.
func (f *Feed) Await(t testing.TB, enough func(starts [][]live.Format, frames []live.Frame) bool) {
	t.Helper()
	late := time.After(time.Minute)
	for {
		f.lock.Lock()
		done, changed := enough(f.starts, f.frames), f.changed
		starts, frames := len(f.starts), len(f.frames)
		f.lock.Unlock()
		if done {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("got only %d starts and %d frames in a minute", starts, frames)
		}
	}
}

// change locks the feed and answers how to unlock it again.
func (f *Feed) change() func() {
	f.lock.Lock()
	return func() {
		close(f.changed)
		f.changed = make(chan struct{})
		f.lock.Unlock()
	}
}
