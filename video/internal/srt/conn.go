package srt

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	gosrt "github.com/datarhei/gosrt"

	"stoa/video/internal/live"
	"stoa/video/internal/mpegts"
	"stoa/video/internal/porter"
)

var (
	errMemory = errors.New("it sends more, or farther ahead of its time, than is kept")
	errLeft   = errors.New("it closed the connection, or the network did")
)

// publish takes what a publisher sends to its feed, and answers why it ended.
func (s *Server) publish(ctx context.Context, conn gosrt.Conn, feed live.Feed) error {
	p := &publisher{conn: conn, feed: feed, patience: porter.NewPatience(s.options.Silence, s.options.Discard)}
	done := make(chan struct{})
	guarded := make(chan error, 1)
	go func() { guarded <- p.guard(ctx, done) }()
	err := p.read()
	close(done)
	_ = conn.Close()
	return cmp.Or(<-guarded, err)
}

// publisher is a caller that was let in.
type publisher struct {
	conn     gosrt.Conn
	feed     live.Feed
	patience *porter.Patience
}

func (p *publisher) read() error {
	reader := mpegts.NewReader(listened{p.feed, p.patience})
	b := make([]byte, gosrt.MAX_PAYLOAD_SIZE)
	for {
		n, err := p.conn.Read(b)
		if err != nil {
			if !p.patience.Ended() {
				_ = reader.Flush()
			}
			if errors.Is(err, io.EOF) {
				return errLeft
			}
			return err
		}
		if p.patience.Ended() {
			continue
		}
		switch err := reader.Write(b[:n]); {
		case errors.Is(err, live.ErrEnded):
			p.patience.End()
		case err != nil:
			return err
		}
	}
}

// maxBuffered is what the library may keep of a connection until its time has come:
// eight seconds of 64 Mbit/s.
const maxBuffered = 64 << 20

// guard closes the connection when it is time, and answers why. Reading has no limit of
// its own in the library.
func (p *publisher) guard(ctx context.Context, done <-chan struct{}) error {
	defer p.conn.Close()
	tick := time.NewTicker(p.patience.Pace())
	defer tick.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return porter.ErrStopping
		case <-p.feed.Done():
			return porter.ErrDismissed
		case <-tick.C:
			if err := p.check(); err != nil {
				return err
			}
		}
	}
}

func (p *publisher) check() error {
	if err := p.patience.Check(); err != nil {
		return err
	}
	var stats gosrt.Statistics
	p.conn.Stats(&stats)
	if stats.Instantaneous.ByteRecvBuf > maxBuffered {
		return errMemory
	}
	return nil
}

// listened is a feed that notes when a frame comes.
type listened struct {
	live.Feed
	patience *porter.Patience
}

func (l listened) Write(f live.Frame) error {
	l.patience.Heard()
	return l.Feed.Write(f)
}
