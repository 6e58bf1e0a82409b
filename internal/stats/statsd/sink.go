// Package statsd sends statistics as plain StatsD lines over TCP or UDP.
//
// Counters go out every flush interval as what they grew by, gauges every
// flush interval, timers at once. The process does not care whether anybody
// listens: a server that is away is tried again every three seconds, and what
// counters grew by meanwhile is sent when it is back.
package statsd

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strconv"
	"time"

	"stoa/internal/stats"
)

const (
	retryEvery   = 3 * time.Second
	writeTimeout = 3 * time.Second
	// lastTry bounds the stop of a process whose server is away.
	lastTry = time.Second
	// queued is how many durations may wait for the network.
	queued = 4096
)

// Options are what a Sink needs.
type Options struct {
	Registry *stats.Registry
	Network  string        // tcp or udp
	Address  string        // host:port
	Interval time.Duration // between flushes, above 0
	Tags     stats.Tags    // of every statistic
	Log      *slog.Logger  // nil: silence
}

// Sink sends a registry to a StatsD server.
type Sink struct {
	options Options
	log     *slog.Logger
	ledger  *stats.Ledger[string]
	timings <-chan stats.Timing
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
	away    bool
}

// New returns a sink that collects durations from now on and sends when it
// runs.
func New(o Options) *Sink {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Sink{
		options: o,
		log:     log.With("network", o.Network, "address", o.Address),
		ledger:  stats.NewLedger(o.Registry, func(id stats.ID) string { return id.With(o.Tags...).Plain() }),
		timings: o.Registry.Timings(queued),
		dial:    dial,
	}
}

// Run sends until ctx ends, then once more. It always returns nil.
func (s *Sink) Run(ctx context.Context) error {
	ticker := time.NewTicker(s.options.Interval)
	defer ticker.Stop()
	for {
		conn, err := s.dial(ctx, s.options.Network, s.options.Address)
		if err == nil {
			s.noteBack()
			err = s.serve(ctx, conn, ticker.C)
			conn.Close()
			if err == nil {
				return nil
			}
		}
		if ctx.Err() == nil {
			s.noteAway(err)
		}
		if !s.waitToRetry(ctx) {
			s.flushOnce(ctx)
			return nil
		}
	}
}

// serve returns nil when ctx has ended and everything is sent, otherwise why
// the connection is of no more use.
func (s *Sink) serve(ctx context.Context, conn net.Conn, tick <-chan time.Time) error {
	p := newPacker(conn, s.options.Network)
	gone := watchPeer(conn, s.options.Network)
	for {
		var err error
		select {
		case <-ctx.Done():
			return errors.Join(s.sendTimings(p), s.flush(p))
		case err = <-gone:
		case <-tick:
			err = s.flush(p)
		case t := <-s.timings:
			if err = s.addTiming(p, t); err == nil {
				err = s.sendTimings(p)
			}
		}
		if err != nil {
			return err
		}
	}
}

func (s *Sink) flush(p *packer) error {
	due, levels := s.ledger.Read()
	for _, d := range due {
		if err := p.add(d.Label, strconv.FormatUint(d.Increase, 10), "c", d.Sent); err != nil {
			return err
		}
	}
	for _, l := range levels {
		if err := p.add(l.Label, strconv.FormatInt(l.Value, 10), "g", nil); err != nil {
			return err
		}
	}
	return p.send()
}

// sendTimings packs what waits in the queue and sends it.
func (s *Sink) sendTimings(p *packer) error {
	for range len(s.timings) {
		if err := s.addTiming(p, <-s.timings); err != nil {
			return err
		}
	}
	return p.send()
}

func (s *Sink) addTiming(p *packer, t stats.Timing) error {
	return p.add(s.ledger.Timer(t.Timer), strconv.FormatInt(t.Duration.Milliseconds(), 10), "ms", nil)
}

// waitToRetry reports whether to go on. Durations of the meantime are dropped:
// a StatsD server would take them for new ones.
func (s *Sink) waitToRetry(ctx context.Context) bool {
	retry := time.NewTimer(retryEvery)
	defer retry.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-retry.C:
			return true
		case <-s.timings:
		}
	}
}

// flushOnce is the flush on stop of a sink that has no connection.
func (s *Sink) flushOnce(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTry)
	defer cancel()
	conn, err := s.dial(ctx, s.options.Network, s.options.Address)
	if err != nil {
		return
	}
	defer conn.Close()
	if err := s.flush(newPacker(conn, s.options.Network)); err != nil {
		s.log.Debug("last flush to statsd", "err", err)
	}
}

// noteAway and noteBack log changes, not attempts. Over UDP an absent server
// shows at every second flush or so, which is not news.
func (s *Sink) noteAway(err error) {
	level := slog.LevelWarn
	if s.away || s.options.Network == "udp" {
		level = slog.LevelDebug
	}
	s.log.Log(context.Background(), level, "statsd is away", "err", err)
	s.away = true
}

func (s *Sink) noteBack() {
	if s.away && s.options.Network != "udp" {
		s.log.Info("statsd is back")
	}
	s.away = false
}
