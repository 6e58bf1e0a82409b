package video

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/live"
	"stoa/video/internal/transcode"
)

// airing is what one publisher sends of a broadcast.
type airing struct {
	s      *Service
	b      *broadcast
	run    int
	log    *slog.Logger
	goAway func() // tells the publisher to go
	keeper *liveKeeper

	heard atomic.Int64 // when the last frame came, nanoseconds since 1970; 0: none has
	ended sync.Once

	mu       sync.Mutex
	packager *live.Packager
	ladder   *transcode.Ladder // nil: no smaller pictures are made
	stopped  bool              // nothing more is taken
}

func (s *Service) newAiring(ctx context.Context, row broadcastRow, log *slog.Logger, goAway func()) (*airing, error) {
	place, err := findPlace(ctx, s.db, row.id)
	if err != nil {
		return nil, err
	}
	b, err := s.takeBroadcast(ctx, row)
	if err != nil {
		return nil, err
	}
	a := &airing{s: s, b: b, run: row.run, log: log, goAway: goAway}
	a.keeper = newLiveKeeper(a)
	a.packager = live.NewPackager(place, a.keeper)
	if heights := s.LiveLadder; len(heights) > 0 && s.ffmpeg != nil {
		a.ladder = transcode.Start(context.Background(), transcode.Options{Runner: s.ffmpeg, Heights: heights, Place: place, Sink: a.keeper, Log: log})
		a.packager.Follow(a.ladder)
	}
	b.take(a)
	go a.keeper.keep()
	return a, nil
}

// takeBroadcast is the broadcast in memory. If another process had it, or this one has
// begun again, it is read.
func (s *Service) takeBroadcast(ctx context.Context, row broadcastRow) (*broadcast, error) {
	if b, ok := s.broadcasts.find(row.id); ok && b.lastRun() == row.run-1 {
		return b, nil
	}
	s.broadcasts.forget(row.id)
	b := &broadcast{id: row.id, videoID: row.videoID, run: row.run, windows: map[string]*live.Window{}}
	if row.run > 1 {
		if err := s.readWindows(ctx, b); err != nil {
			return nil, err
		}
	}
	return s.broadcasts.add(b), nil
}

func (a *airing) start(formats []live.Format) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopped {
		return a.why()
	}
	return a.packager.Start(formats)
}

func (a *airing) write(f live.Frame) error {
	a.heard.Store(time.Now().UnixNano())
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopped {
		return a.why()
	}
	return a.packager.Write(f)
}

// why is what a publisher is told who is not wanted any more.
func (a *airing) why() error {
	if err := a.keeper.failure(); err != nil {
		return err
	}
	return live.ErrEnded
}

// lively tells whether frames come, or the first is still awaited.
func (a *airing) lively(now time.Time) bool {
	heard := a.heard.Load()
	return heard == 0 || now.Sub(time.Unix(0, heard)) < silentTime
}

// stop cuts what is open, and waits until everything is stored or given up.
func (a *airing) stop() {
	a.mu.Lock()
	first := !a.stopped
	a.stopped = true
	a.mu.Unlock()
	if first { // nobody else uses the packager any more
		err := a.packager.Close()
		if a.ladder != nil {
			err = errors.Join(err, a.ladder.Close())
		}
		if err != nil && a.keeper.failure() == nil {
			a.log.Warn("the end of a broadcast is lost", "error", err)
		}
		a.keeper.close()
	}
	<-a.keeper.done
}

// leave is for a publisher who goes. He may come back.
func (a *airing) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), bookTime)
	defer cancel()
	if err := a.s.goOffAir(ctx, a.b.id, a.run); err != nil {
		a.log.Warn("it is not stored that a publisher has left, and is seen soon", "error", err)
	}
	a.stop()
	a.b.letGo(a)
	if over := a.s.leaveBroadcast(ctx, a.b.id, a.run); over {
		a.b.end()
	}
}

// finish is for a broadcast that has ended while its publisher is there.
func (a *airing) finish() { a.ended.Do(a.recordRest) }

func (a *airing) recordRest() {
	a.stop()
	a.b.letGo(a)
	ctx, cancel := context.WithTimeout(context.Background(), bookTime)
	defer cancel()
	if err := a.s.db.InTx(ctx, func(tx *db.Tx) error { return a.s.record(ctx, tx, a.b.id) }); err != nil {
		a.log.Warn("a recording is made later", "error", err)
	}
	a.b.end()
	a.s.tellLive(ctx, a.b.id)
}

// endSplit ends the broadcast from this side.
func (a *airing) endSplit(ctx context.Context) error {
	a.stop()
	a.b.letGo(a)
	defer a.b.end()
	return a.s.db.InTx(ctx, func(tx *db.Tx) error {
		b, err := a.s.lockBroadcast(ctx, tx, `id = $1 AND run = $2 AND NOT ended`, a.b.id, a.run)
		if errors.Is(err, sql.ErrNoRows) {
			return live.ErrEnded
		}
		if err != nil {
			return err
		}
		if err := a.s.endBroadcast(ctx, tx, b); err != nil {
			return err
		}
		return a.s.record(ctx, tx, b.id)
	})
}

// lose is for a broadcast that somebody else goes on with.
func (a *airing) lose() {
	a.ended.Do(func() {
		a.log.Warn("another publisher goes on with the broadcast")
		a.goAway()
		a.stop()
		a.b.letGo(a)
	})
}
