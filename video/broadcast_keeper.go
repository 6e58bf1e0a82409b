package video

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"stoa/video/internal/live"
)

// liveKeeper is the live.Sink of an airing. Viewers of this process have what is cut at
// once; a goroutine stores it, and then the rows that say so.
type liveKeeper struct {
	s     *Service
	a     *airing
	parts bool // stored too, for viewers of other processes

	queue chan piece
	bytes atomic.Int64 // in the queue
	told  atomic.Bool  // of the first part, where parts are not stored
	why   atomic.Pointer[error]
	done  chan struct{} // closed when everything is stored, or given up

	mu     sync.Mutex
	clocks map[string]int64
	end    time.Duration // of what is cut

	// These two are of the goroutine.
	aired bool                  // it is stored that frames come
	kept  map[string][]partName // parts whose files are there, by track
}

type partName struct{ segment, number int }

// piece is something to store: one of the three.
type piece struct {
	track   string
	head    *live.Head
	part    *live.Part
	segment *live.Segment
}

func (p piece) size() int64 {
	switch {
	case p.head != nil:
		return int64(len(p.head.Bytes))
	case p.part != nil:
		return int64(len(p.part.Bytes))
	}
	return int64(len(p.segment.Bytes))
}

const (
	queuedPieces = 1024
	queuedBytes  = 128 << 20
	gatherTime   = 10 * time.Millisecond // in which the tracks of a cut come together
	storeTries   = 30                    // before a storage is given up
	storePause   = time.Second           // between two of these, at first a tenth of it
	storeTime    = 10 * time.Second      // that one may take
)

func newLiveKeeper(a *airing) *liveKeeper {
	return &liveKeeper{
		s: a.s, a: a, parts: a.s.db.Postgres(), queue: make(chan piece, queuedPieces), done: make(chan struct{}),
		kept: map[string][]partName{}, clocks: map[string]int64{},
	}
}

// window is where viewers of this process have a track. It belongs to the last publisher:
// one who was thought lost adds nothing to it.
func (k *liveKeeper) window(track string) (*live.Window, error) {
	if k.a.b.sent() != k.a {
		return nil, live.ErrEnded
	}
	return k.a.b.openWindow(track), nil
}

// Head keeps the head of a track.
func (k *liveKeeper) Head(track string, h live.Head) error {
	w, err := k.window(track)
	if err != nil {
		return err
	}
	w.AddHead(h)
	k.mu.Lock()
	k.clocks[track] = h.Clock
	k.mu.Unlock()
	return k.add(piece{track: track, head: &h})
}

// Part keeps a part. Where this is the only process, memory is enough.
func (k *liveKeeper) Part(track string, p live.Part) error {
	w, err := k.window(track)
	if err != nil {
		return err
	}
	w.AddPart(p)
	if !k.parts && k.told.Swap(true) {
		return nil
	}
	return k.add(piece{track: track, part: &p})
}

// Segment keeps a segment.
func (k *liveKeeper) Segment(track string, s live.Segment) error {
	w, err := k.window(track)
	if err != nil {
		return err
	}
	w.AddSegment(s)
	k.mu.Lock()
	k.end = max(k.end, unitsToTime(s.Start+s.Duration, k.clocks[track]))
	k.mu.Unlock()
	return k.add(piece{track: track, segment: &s})
}

// add has a piece stored. It never waits: a storage that is too slow ends the airing.
func (k *liveKeeper) add(p piece) error {
	if err := k.failure(); err != nil {
		return err
	}
	if k.bytes.Add(p.size()) > queuedBytes {
		return k.fail(errSlow)
	}
	select {
	case k.queue <- p:
		return nil
	default:
		return k.fail(errSlow)
	}
}

// length is how long the broadcast has become.
func (k *liveKeeper) length() time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.end
}

// close says that nothing more comes.
func (k *liveKeeper) close() { close(k.queue) }

// failure is what a publisher is told when nothing is stored any more, nil if it is.
func (k *liveKeeper) failure() error {
	if err := k.why.Load(); err != nil {
		return *err
	}
	return nil
}

var errSlow = errors.New("it takes too long to store what comes")

// fail ends it all. errOver says that another publisher goes on with the broadcast.
func (k *liveKeeper) fail(err error) error {
	var told error = errStorage
	if errors.Is(err, errOver) {
		told = live.ErrEnded
	}
	if k.why.CompareAndSwap(nil, &told) {
		if errors.Is(err, errOver) {
			k.a.log.Warn("another publisher goes on with the broadcast, or it is over")
		} else {
			k.a.log.Error("a broadcast cannot be stored: what is stored of it stays", "error", err)
		}
		k.a.goAway()
	}
	return told
}

// keep stores what comes until nothing does, or until that fails.
func (k *liveKeeper) keep() {
	defer close(k.done)
	for first := range k.queue {
		batch := k.gather(first)
		if k.failure() != nil {
			continue // whoever waits for the end of the queue gets there
		}
		if err := k.insist(batch); err != nil {
			_ = k.fail(err)
		}
		for _, p := range batch {
			k.bytes.Add(-p.size())
		}
	}
}

// gather takes what comes together.
func (k *liveKeeper) gather(first piece) []piece {
	batch := []piece{first}
	timer := time.NewTimer(gatherTime)
	defer timer.Stop()
	for len(batch) < queuedPieces {
		select {
		case p, open := <-k.queue:
			if !open {
				return batch
			}
			batch = append(batch, p)
		case <-timer.C:
			return batch
		}
	}
	return batch
}

// insist stores a batch, again and again for a while if that fails.
func (k *liveKeeper) insist(batch []piece) error {
	pause := storePause / 10
	for try := 1; ; try++ {
		ctx, cancel := context.WithTimeout(context.Background(), storeTime)
		err := k.store(ctx, batch)
		cancel()
		if err == nil || errors.Is(err, errOver) {
			return err
		}
		if try >= k.s.storeTries {
			return fmt.Errorf("given up after %d tries: %w", try, err)
		}
		k.a.log.Warn("store a broadcast: trying again", "error", err)
		time.Sleep(pause)
		pause = min(2*pause, storePause)
	}
}
