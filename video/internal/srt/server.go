// Package srt lets publishers in by SRT.
//
// The stream id of a caller is the key of its stream (streamid.go). It is refused in the
// handshake, so that its program says why, or accepted; then it sends a transport
// stream, which becomes frames of a [live.Feed] (conn.go).
package srt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"time"

	gosrt "github.com/datarhei/gosrt"

	"stoa/video/internal/crowd"
	"stoa/video/internal/live"
	"stoa/video/internal/porter"
)

// Options is what a server is made of. Limits that are 0 have their usual value.
type Options struct {
	Door       live.Door
	Passphrase string // of callers that encrypt; empty: they are refused
	Log        *slog.Logger

	Connections int           // at once; 1000
	PerAddress  int           // of one address at once, or of one IPv6 network of 64 bits; 64
	Enter       time.Duration // for the door to answer; 2 s: callers wait 3
	Silence     time.Duration // without a picture or sound; 15 s
	Discard     time.Duration // of what comes after the end of the broadcast; 1 minute
}

// Server takes what publishers send by SRT.
type Server struct {
	options Options
	crowd   *crowd.Crowd
}

// NewServer makes a server.
func NewServer(o Options) *Server {
	o.Connections = cmp.Or(o.Connections, 1000)
	o.PerAddress = cmp.Or(o.PerAddress, 64)
	o.Enter = cmp.Or(o.Enter, 2*time.Second)
	o.Silence = cmp.Or(o.Silence, 15*time.Second)
	o.Discard = cmp.Or(o.Discard, time.Minute)
	return &Server{options: o, crowd: crowd.New(o.Connections, o.PerAddress, o.Log.With("protocol", "srt"))}
}

// CheckPassphrase says what is wrong with a passphrase.
func CheckPassphrase(p string) error {
	if len(p) < gosrt.MIN_PASSPHRASE_SIZE || len(p) > gosrt.MAX_PASSPHRASE_SIZE {
		return fmt.Errorf("the passphrase of SRT has %d to %d characters", gosrt.MIN_PASSPHRASE_SIZE, gosrt.MAX_PASSPHRASE_SIZE)
	}
	return nil
}

// Listen opens the port, of UDP, for Serve. Callers have at least 120 ms to send lost
// packets again; those that want more get more. They need SRT 1.4.1: the library refuses
// older ones.
func Listen(address string) (gosrt.Listener, error) {
	at, err := net.ResolveUDPAddr("udp", address)
	if err != nil {
		return nil, fmt.Errorf("listen for srt: %w", err)
	}
	host := ""
	if len(at.IP) > 0 {
		host = at.IP.String()
	}
	l, err := gosrt.Listen("srt", net.JoinHostPort(host, strconv.Itoa(at.Port)), gosrt.DefaultConfig())
	if err != nil {
		return nil, fmt.Errorf("listen for srt: %w", err)
	}
	return l, nil
}

// Serve takes publishers until the context ends. It closes the listener then, and
// returns when all have left.
func (s *Server) Serve(ctx context.Context, l gosrt.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(ctx, l.Close)
	var running sync.WaitGroup
	defer func() {
		cancel()
		stop()
		running.Wait()
	}()
	for {
		request, err := s.accept(l)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			l.Close()
			return fmt.Errorf("listen for srt: %w", err)
		case request == nil:
			continue
		}
		leave, err := s.crowd.Enter(crowd.Address(request.RemoteAddr()))
		if err != nil {
			request.Reject(gosrt.REJX_OVERLOAD)
			continue
		}
		running.Go(func() {
			defer leave()
			s.serve(ctx, request)
		})
	}
}

// accept waits for the next caller. The library reads the handshakes of strangers here,
// and some that are too short make it panic.
func (s *Server) accept(l gosrt.Listener) (request gosrt.ConnRequest, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.options.Log.Debug("a handshake could not be read", "panic", p)
		}
	}()
	return l.Accept2()
}

// serve is the life of a caller. What it sends is parsed here, so that a panic ends
// nothing but the connection.
func (s *Server) serve(ctx context.Context, request gosrt.ConnRequest) {
	log := s.options.Log.With("protocol", "srt", "address", request.RemoteAddr().String())
	defer func() {
		if porter.Panicked(log, recover()) {
			request.Reject(gosrt.REJ_IPE)
		}
	}()
	key, feed, err := s.admit(ctx, request)
	if key != "" {
		log = log.With("key", porter.Hint(key))
	}
	if err != nil {
		reason := reasonOf(err)
		request.Reject(reason)
		level := slog.LevelInfo
		if reason == gosrt.REJX_ISE && ctx.Err() == nil {
			level = slog.LevelError
		}
		log.Log(ctx, level, "a publisher was refused", "error", err)
		return
	}
	defer feed.Close()
	conn, err := request.Accept()
	if err != nil {
		log.Info("a publisher was refused", "error", err)
		return
	}
	log.Info("a publisher came", "encrypted", request.IsEncrypted())
	log.Info("a publisher left", "reason", s.publish(ctx, conn, feed))
}

var (
	errStreamID   = errors.New("the stream id is not the key of a live stream: use srt://host:port?streamid=KEY")
	errMode       = errors.New("nothing is played by SRT here: use the address of the stream that ends in .m3u8")
	errNoSecret   = errors.New("the caller encrypts and no passphrase is set here")
	errPassphrase = errors.New("the caller has another passphrase")
)

// admit takes a caller to the door.
func (s *Server) admit(ctx context.Context, request gosrt.ConnRequest) (key string, feed live.Feed, err error) {
	key, err = streamKey(request.StreamId())
	if err != nil {
		return "", nil, err
	}
	if request.IsEncrypted() {
		if s.options.Passphrase == "" {
			return key, nil, errNoSecret
		}
		if err := request.SetPassphrase(s.options.Passphrase); err != nil {
			return key, nil, fmt.Errorf("%w (%w)", errPassphrase, err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, s.options.Enter)
	defer cancel()
	feed, err = s.options.Door.Enter(ctx, key, live.Publisher{Protocol: "srt", Address: request.RemoteAddr().String()})
	return key, feed, err
}

// conflict is what the access control of SRT calls a stream that is taken; the library
// has another number for it.
const conflict gosrt.RejectionReason = 1409

func reasonOf(err error) gosrt.RejectionReason {
	for _, known := range []struct {
		err    error
		reason gosrt.RejectionReason
	}{
		{errStreamID, gosrt.REJX_BAD_REQUEST},
		{errMode, gosrt.REJX_BAD_MODE},
		{errNoSecret, gosrt.REJ_UNSECURE},
		{errPassphrase, gosrt.REJ_BADSECRET},
		{live.ErrUnknownKey, gosrt.REJX_NOTFOUND},
		{live.ErrBusy, conflict},
		{context.DeadlineExceeded, gosrt.REJX_OVERLOAD},
	} {
		if errors.Is(err, known.err) {
			return known.reason
		}
	}
	return gosrt.REJX_ISE
}
