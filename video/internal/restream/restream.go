// Package restream sends a broadcast on to another server by RTMP, as it came.
//
// A [Restream] never makes its source wait: what the target does not take in time is
// left out, by whole groups of pictures. A target that fails is tried again, later and
// later.
package restream

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"runtime/debug"
	"time"

	"stoa/video/internal/live"
	"stoa/video/internal/rtmp"
)

// Options is what a restream is made of. Limits that are 0 have their usual value.
type Options struct {
	URL   string // rtmp:// or rtmps://, a host and an application
	Key   string // of the stream there
	Dial  func(ctx context.Context, network, address string) (net.Conn, error)
	TLS   *tls.Config // for rtmps; nil: the roots of the system
	Log   *slog.Logger
	State func(State) // told of each change, by the goroutine of Run; may be nil

	Connect time.Duration // until the target takes the stream; 10 s
	Write   time.Duration // until it takes a frame; 10 s
}

// Phase is how it stands with a target.
type Phase string

// Phases.
const (
	Connecting Phase = "connecting"
	Live       Phase = "live"
	Waiting    Phase = "waiting" // to try again after a failure
	Refused    Phase = "refused" // as Waiting, but the target has said no
	Ended      Phase = "ended"
)

// State is a phase, with the last error there was.
type State struct {
	Phase Phase
	Err   error
	Lost  int // frames left out so far
}

// Restream is one target of a broadcast.
type Restream struct {
	options Options
	queue   queue
	last    error
}

// Times between attempts.
const (
	firstPause = time.Second
	lastPause  = 30 * time.Second
	success    = time.Minute // after so long live the pauses begin anew
)

// New makes a restream, which begins with Run.
func New(o Options) *Restream {
	if o.Connect <= 0 {
		o.Connect = 10 * time.Second
	}
	if o.Write <= 0 {
		o.Write = 10 * time.Second
	}
	return &Restream{options: o, queue: newQueue()}
}

// Start names the formats of the frames that follow, as [live.Feed] has it.
func (r *Restream) Start(formats []live.Format) { r.queue.start(formats) }

// Write gives a frame on, or leaves it out; it does not wait. The payload must not
// change any more.
func (r *Restream) Write(f live.Frame) { r.queue.put(f) }

// Run sends what is written until the context ends.
func (r *Restream) Run(ctx context.Context) {
	defer func() { r.tell(Ended) }()
	pause := firstPause
	for {
		began := time.Now()
		err := r.attempt(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) >= success {
			pause = firstPause
		}
		phase := Waiting
		if errors.Is(err, rtmp.ErrRefused) {
			phase = Refused
		}
		r.last = err
		r.tell(phase)
		r.options.Log.Warn("a restream was interrupted", "target", r.target(), "error", err, "again in", pause)
		if !sleep(ctx, pause) {
			return
		}
		pause = min(2*pause, lastPause)
	}
}

// attempt is one connection.
func (r *Restream) attempt(ctx context.Context) error {
	r.tell(Connecting)
	var c *rtmp.Client
	if err := guard(func() (err error) { c, err = r.connect(ctx); return err }); err != nil {
		return err
	}
	r.queue.open()
	defer r.queue.close()
	r.tell(Live)
	r.options.Log.Info("a restream is live", "target", r.target())
	ctx, cancel := context.WithCancelCause(ctx)
	waited := make(chan struct{})
	go func() {
		defer close(waited)
		cancel(fmt.Errorf("the target ended it: %w", guard(c.Wait)))
	}()
	stop := context.AfterFunc(ctx, c.Close) // a write that hangs ends too
	defer func() {
		stop()
		c.Close()
		<-waited
	}()
	if err := guard(func() error { return r.send(ctx, c) }); ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}

// guard makes an error of a panic: what targets send is parsed here.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do()
}

func (r *Restream) connect(ctx context.Context) (*rtmp.Client, error) {
	target, err := url.Parse(r.options.URL)
	if err != nil || target.Hostname() == "" {
		return nil, errors.New("the address of the target cannot be read: write it as rtmp://host/application")
	}
	ctx, cancel := context.WithTimeout(ctx, r.options.Connect)
	defer cancel()
	port := target.Port()
	if port == "" {
		port = map[string]string{"rtmp": "1935", "rtmps": "443"}[target.Scheme]
	}
	nc, err := r.options.Dial(ctx, "tcp", net.JoinHostPort(target.Hostname(), port))
	if err != nil {
		return nil, err
	}
	if target.Scheme == "rtmps" {
		config := r.options.TLS.Clone()
		if config == nil {
			config = &tls.Config{MinVersion: tls.VersionTLS12}
		}
		config.ServerName = target.Hostname()
		nc = tls.Client(nc, config)
	}
	return rtmp.Connect(ctx, nc, target, r.options.Key, r.options.Write)
}

// target names the server for the log. The path of an address can be secret.
func (r *Restream) target() string {
	if u, err := url.Parse(r.options.URL); err == nil {
		return u.Host
	}
	return ""
}

func (r *Restream) tell(p Phase) {
	if r.options.State != nil {
		r.options.State(State{Phase: p, Err: r.last, Lost: r.queue.lostSoFar()})
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
