// Package transcode makes the smaller pictures of a broadcast while it goes on.
//
// A [Ladder] follows the picture that a [live.Packager] cuts. One ffmpeg decodes it once
// and encodes each step; what it writes is cut where the picture is, at the same times
// and into segments of the same numbers. The publisher is never held up: an encoder
// that is too slow loses frames up to a key frame, one that dies begins again with the
// next.
package transcode

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/live"
)

// Options are what a Ladder needs.
type Options struct {
	Runner  *ffmpeg.Runner
	Heights []int        // of the steps, such as 480 and 240; only those below the source are made
	Place   live.Place   // where the broadcast goes on
	Sink    live.Sink    // for the tracks of the steps
	Threads int          // for encoding each step; 0: 2
	Log     *slog.Logger // nil: silent

	// Closing is how long an encoder may take for what it has when the publisher
	// leaves; 0: 10 s.
	Closing time.Duration
}

// Ladder encodes the steps of a publisher's picture. It is a live.Follower.
type Ladder struct {
	o      Options
	log    *slog.Logger
	queue  *queue
	cancel context.CancelFunc
	done   chan struct{}

	mu    sync.Mutex
	steps map[string]*step // by track, all that there ever were
}

// Start makes a ladder, which works until Close, or the end of ctx.
func Start(ctx context.Context, o Options) *Ladder {
	ctx, cancel := context.WithCancel(ctx)
	l := &Ladder{
		o: o, log: cmp.Or(o.Log, slog.New(slog.DiscardHandler)), queue: newQueue(),
		cancel: cancel, done: make(chan struct{}), steps: map[string]*step{},
	}
	go func() {
		defer close(l.done)
		l.work(ctx)
	}()
	return l
}

// Start says what the pictures of a track are from now on.
func (l *Ladder) Start(track string, f live.Format) {
	h, err := live.NewHead(f)
	if err != nil {
		return // the packager has refused it
	}
	s := source{format: f, head: h}
	below := min(h.Width, h.Height, live.TrackHeight(track))
	for _, r := range encode.Ladder(h.Width, h.Height, frameRate(f)) {
		if side := live.TrackHeight(r.Name); slices.Contains(l.o.Heights, side) && side < below {
			s.renditions = append(s.renditions, r)
			s.steps = append(s.steps, l.step(r.Name))
		}
	}
	l.queue.start(s)
}

// step is that of a track, as it goes on.
func (l *Ladder) step(track string) *step {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.steps[track] == nil {
		l.steps[track] = &step{cutter: live.NewCutter(track, l.o.Place, l.o.Sink)}
	}
	return l.steps[track]
}

// Cut begins a segment of all steps, with the frame that is shown when the source's
// first one is: the steps have no frames that are decoded before they are shown.
func (l *Ladder) Cut(c live.Cut) {
	c.At = c.At.Add(c.Shown - c.Time)
	c.Time = c.Shown - time.Millisecond // for what rounding does to it
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.steps {
		s.cut(c)
	}
}

// Write takes the next picture of the source.
func (l *Ladder) Write(f live.Frame) {
	if l.queue.put(f) {
		l.log.Warn("the live ladder is too slow for this machine and leaves out pictures: take fewer or smaller steps",
			"heights", l.o.Heights)
	}
}

// Close lets the encoder finish what it has, for a while, and cuts what is open.
func (l *Ladder) Close() error {
	l.queue.close()
	late := time.AfterFunc(cmp.Or(l.o.Closing, 10*time.Second), l.cancel)
	<-l.done
	late.Stop()
	l.cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.steps {
		if err := s.close(); err != nil {
			return err
		}
	}
	return nil
}

// work runs encoders, one after the other.
func (l *Ladder) work(ctx context.Context) {
	var s *source
	failures := 0
	for {
		next, ok := l.queue.next(ctx)
		switch {
		case !ok:
			return
		case next.start != nil:
			s = next.start
			continue
		case s == nil || !next.frame.Key || len(s.steps) == 0:
			continue
		}
		began := time.Now()
		err := l.run(ctx, s, next.frame)
		if err == nil || ctx.Err() != nil {
			continue
		}
		if time.Since(began) > steady {
			failures = 0
		}
		if failures++; failures > maxFailures {
			l.log.Error("the live ladder is given up", "heights", l.o.Heights, "error", err)
			l.queue.close()
			return
		}
		l.log.Warn("the live ladder begins again", "heights", l.o.Heights, "error", err)
		l.queue.clear()
		wait(ctx, time.Duration(failures)*time.Second)
	}
}

// An encoder that fails so often without having worked for so long will not work.
const (
	maxFailures = 5
	steady      = time.Minute
)

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
