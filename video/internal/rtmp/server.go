package rtmp

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"stoa/internal/fault"
	"stoa/video/internal/crowd"
	"stoa/video/internal/live"
	"stoa/video/internal/porter"
)

// Options is what a server is made of. Limits that are 0 have their usual value.
type Options struct {
	Door live.Door
	TLS  *tls.Config // nil: plain
	Log  *slog.Logger

	Connections int           // at once; 1000
	PerAddress  int           // of one address at once, or of one IPv6 network of 64 bits; 64
	Begin       time.Duration // from the connection to the first picture or sound; 10 s
	Silence     time.Duration // without a picture or sound; 15 s
	Answer      time.Duration // until the peer takes what we write; 10 s
	Discard     time.Duration // of what comes after the end of the broadcast; 1 minute
}

// Server takes what publishers send by RTMP.
type Server struct {
	options  Options
	protocol string
	crowd    *crowd.Crowd
}

// NewServer makes a server.
func NewServer(o Options) *Server {
	o.Connections = cmp.Or(o.Connections, 1000)
	o.PerAddress = cmp.Or(o.PerAddress, 64)
	o.Begin = cmp.Or(o.Begin, 10*time.Second)
	o.Silence = cmp.Or(o.Silence, 15*time.Second)
	o.Answer = cmp.Or(o.Answer, 10*time.Second)
	o.Discard = cmp.Or(o.Discard, time.Minute)
	protocol := "rtmp"
	if o.TLS != nil {
		protocol = "rtmps"
	}
	return &Server{options: o, protocol: protocol, crowd: crowd.New(o.Connections, o.PerAddress, o.Log.With("protocol", protocol))}
}

// Serve takes connections until the context ends. It closes the listener and every
// connection then, and returns when all have ended.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	var running sync.WaitGroup
	defer func() {
		cancel()
		stop()
		running.Wait()
	}()
	var pause time.Duration
	for {
		nc, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				_ = nc.Close()
			}
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("listen for %s: %w", s.protocol, err)
		case err != nil: // such as too many open files: others will be closed
			pause = min(max(2*pause, 5*time.Millisecond), time.Second)
			s.options.Log.Warn("a connection could not be accepted", "protocol", s.protocol, "error", err)
			wait(ctx, pause)
			continue
		}
		pause = 0
		leave, err := s.crowd.Enter(crowd.Address(nc.RemoteAddr()))
		if err != nil {
			_ = nc.Close()
			continue
		}
		running.Go(func() {
			defer leave()
			s.serve(ctx, nc)
		})
	}
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// serve is the life of a connection. What strangers send is parsed here, so that a
// panic ends nothing but the connection.
func (s *Server) serve(ctx context.Context, nc net.Conn) {
	stop := context.AfterFunc(ctx, func() { _ = nc.Close() })
	defer stop()
	defer nc.Close()
	log := s.options.Log.With("protocol", s.protocol, "address", nc.RemoteAddr().String())
	defer func() { porter.Panicked(log, recover()) }()
	if err := nc.SetReadDeadline(time.Now().Add(s.options.Begin)); err != nil {
		return
	}
	met := nc
	if s.options.TLS != nil {
		met = tls.Server(nc, s.options.TLS)
	}
	c, err := meet(met, s.options.Answer)
	if err != nil {
		log.Debug("a connection ended before it began", "error", reason(err))
		return
	}
	asked, err := c.negotiate()
	if err != nil {
		log.Info("a connection ended without publishing", "error", reason(err))
		return
	}
	s.publish(ctx, c, asked, log)
}

// publish takes a publisher to the door, and what it sends to the feed.
func (s *Server) publish(ctx context.Context, c *conn, asked request, log *slog.Logger) {
	key, err := asked.key()
	if err != nil {
		log.Info("a publisher was refused", "error", c.refuse("NetStream.Publish.BadName", err))
		return
	}
	log = log.With("key", porter.Hint(key))
	feed, err := s.enter(ctx, c, key)
	if err != nil {
		level := slog.LevelInfo
		if told(err) == errInside {
			level = slog.LevelError
		}
		log.Log(ctx, level, "a publisher was refused", "error", err)
		return
	}
	defer feed.Close()
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-done:
		case <-feed.Done():
			_ = c.net.Close()
		}
	}()
	log.Info("a publisher came")
	err = newPublisher(c, feed, s.options).run()
	if _, safe := errors.AsType[*fault.Error](err); safe && !errors.Is(err, live.ErrEnded) {
		_ = c.refuse("NetStream.Publish.Rejected", told(err)) // it is for the encoder's log too
	}
	log.Info("a publisher left", "reason", ending(ctx, feed, err))
}

// enter asks the door, and tells the publisher what it said.
func (s *Server) enter(ctx context.Context, c *conn, key string) (live.Feed, error) {
	ctx, cancel := context.WithTimeout(ctx, s.options.Begin)
	defer cancel()
	feed, err := s.options.Door.Enter(ctx, key, live.Publisher{Protocol: s.protocol, Address: c.net.RemoteAddr().String()})
	if err != nil {
		_ = c.refuse("NetStream.Publish.BadName", told(err))
		return nil, err
	}
	if err := c.writeStatus("status", "NetStream.Publish.Start", "Go on."); err != nil {
		feed.Close()
		return nil, err
	}
	c.in.bounds = known
	return feed, nil
}
