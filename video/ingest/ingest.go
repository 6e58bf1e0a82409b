// Package ingest lets publishers of live streams in: by RTMP, RTMPS and SRT at ports of
// their own, and by WebRTC from browsers.
//
// One set of [Listeners] serves all environments of a process. The key that a publisher
// has says which of them he is for.
package ingest

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"

	"golang.org/x/sync/errgroup"

	"stoa/internal/fault"
	"stoa/video/internal/live"
	"stoa/video/internal/srt"
	"stoa/video/internal/whip"
)

// Options is what listeners are made of. An address that is empty is not listened on.
type Options struct {
	RTMP       string
	RTMPS      string             // needs TLS
	TLS        func() *tls.Config // asked by Run; nil: none
	SRT        string             // UDP, as the next
	WHIP       string             // where the packets of browsers come
	Passphrase string             // of SRT callers that encrypt
	PublicIPs  []string           // that browsers reach this machine by, where it has others
	Client     func(*http.Request) netip.Addr
	Log        *slog.Logger
	Opened     func(name, address string) // is told each port that is open
}

// Listeners are the doors of a process.
type Listeners struct {
	o     Options
	whip  *whip.Server
	ended chan struct{}

	mu    sync.Mutex
	doors []live.Door
}

// New makes the listeners, which open with Run.
func New(o Options) *Listeners {
	l := &Listeners{o: o, ended: make(chan struct{})}
	if o.WHIP != "" {
		l.whip = whip.NewServer(whip.Options{Door: l, PublicIPs: o.PublicIPs, Client: o.Client, Log: o.Log})
	}
	return l
}

// CheckPassphrase says what is wrong with the passphrase of SRT callers.
func CheckPassphrase(p string) error { return srt.CheckPassphrase(p) }

// WHIP answers browsers that want to publish; nil: none may.
func (l *Listeners) WHIP() *whip.Server { return l.whip }

// Admit opens a further door, when its environment can be entered.
func (l *Listeners) Admit(door live.Door) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.doors = append(l.doors, door)
}

var errClosed = fault.New(fault.Unavailable, "the service is starting: try again in a moment")

// Enter lets a publisher in where his key is known.
func (l *Listeners) Enter(ctx context.Context, key string, from live.Publisher) (live.Feed, error) {
	l.mu.Lock()
	doors := l.doors
	l.mu.Unlock()
	if len(doors) == 0 {
		return nil, errClosed
	}
	var errs []error // of environments that cannot say whether the key is theirs
	for _, door := range doors {
		feed, err := door.Enter(ctx, key, from)
		if err == nil || errors.Is(err, live.ErrBusy) {
			return feed, err
		}
		if !errors.Is(err, live.ErrUnknownKey) {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return nil, live.ErrUnknownKey
}

// Run lets publishers in until the context ends, and returns when all have left.
func (l *Listeners) Run(ctx context.Context) error {
	defer close(l.ended)
	group, ctx := errgroup.WithContext(ctx)
	for _, open := range []func(context.Context, *errgroup.Group) error{l.openRTMP, l.openRTMPS, l.openSRT, l.openWHIP} {
		if err := open(ctx, group); err != nil {
			group.Go(func() error { return err })
			break
		}
	}
	return group.Wait()
}

// Wait returns when Run has.
func (l *Listeners) Wait() { <-l.ended }

// opened tells of a port.
func (l *Listeners) opened(name, wanted string, got net.Addr) {
	host, _, _ := net.SplitHostPort(wanted)
	_, port, err := net.SplitHostPort(got.String())
	if err != nil {
		host, port, _ = net.SplitHostPort(wanted)
	}
	l.o.Opened(name, net.JoinHostPort(host, port))
}

var _ live.Door = (*Listeners)(nil)
