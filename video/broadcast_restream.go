package video

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"stoa/video/internal/live"
	onward "stoa/video/internal/restream"
)

// sandboxRestream is how long a broadcast of the sandbox is sent on.
const sandboxRestream = 2 * time.Minute

// restreams send what a publisher sends to other servers, each by itself, until he
// leaves.
type restreams struct {
	all     []*onward.Restream
	cancel  context.CancelFunc
	running sync.WaitGroup
}

func (s *Service) newRestreams(stream *liveStream, log *slog.Logger) *restreams {
	ctx, cancel := context.WithCancel(context.Background())
	if s.sandbox() {
		time.AfterFunc(sandboxRestream, cancel)
	}
	all := &restreams{cancel: cancel}
	for number, target := range stream.restreams {
		log := log.With("restream", target.Name)
		r := onward.New(onward.Options{
			URL: target.ServerURL, Key: target.StreamKey, Dial: s.Egress.Dial, Log: log,
			State: func(now onward.State) { s.noteRestream(stream.id, number, target, now, log) },
		})
		all.all = append(all.all, r)
		all.running.Go(func() { r.Run(ctx) })
	}
	return all
}

func (r *restreams) start(formats []live.Format) {
	for _, target := range r.all {
		target.Start(formats)
	}
}

func (r *restreams) write(f live.Frame) {
	for _, target := range r.all {
		target.Write(f)
	}
}

func (r *restreams) close() {
	r.cancel()
	r.running.Wait()
}
