// Package dogstatsd sends statistics to a Datadog agent over UDP, with tags.
//
// Names that carry values, such as a path through a set of rules, can be taken
// apart by a [Mogrifier]: a pattern that turns a name into another one and
// tags.
package dogstatsd

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/DataDog/datadog-go/v5/statsd"

	"stoa/internal/stats"
)

const (
	retryEvery = 3 * time.Second
	// queued is how many durations may wait for the network.
	queued = 4096
	// A datagram of this size crosses the internet unfragmented.
	datagramSize = 1432
)

// Options are what a Sink needs.
type Options struct {
	Registry   *stats.Registry
	Address    string        // host:port
	Interval   time.Duration // between flushes, above 0
	Tags       stats.Tags    // of every statistic
	Mogrifiers []Mogrifier
	Log        *slog.Logger // nil: silence
}

// Sink sends a registry to a DogStatsD server.
type Sink struct {
	options Options
	log     *slog.Logger
	ledger  *stats.Ledger[metric]
	timings <-chan stats.Timing
}

// metric is what a statistic is called over there.
type metric struct {
	name string
	tags []string // key:value
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
		log:     log.With("address", o.Address),
		ledger:  stats.NewLedger(o.Registry, o.metric),
		timings: o.Registry.Timings(queued),
	}
}

func (o Options) metric(id stats.ID) metric {
	id = id.With(o.Tags...)
	name, added := id.Name, []stats.Tag(nil)
	for _, m := range o.Mogrifiers {
		if newName, tags, fits := m.Apply(id.Name); fits {
			name, added = newName, tags
			break
		}
	}
	m := metric{name: name}
	for _, t := range id.With(added...).Tags {
		m.tags = append(m.tags, tagText.Replace(t.Key)+":"+tagText.Replace(t.Value))
	}
	return m
}

// These would end a tag, or the tags.
var tagText = strings.NewReplacer(",", "_", "|", "_")

// Run sends until ctx ends, then once more. It always returns nil.
func (s *Sink) Run(ctx context.Context) error {
	client := s.connect(ctx)
	if client == nil {
		return nil
	}
	defer client.Close() // sends what it has buffered
	ticker := time.NewTicker(s.options.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			s.sendTimings(client)
			s.flush(client)
			return nil
		case <-ticker.C:
			s.flush(client)
		case t := <-s.timings:
			s.sendTiming(client, t)
		}
	}
}

// connect succeeds as soon as the host has an address: UDP does not tell
// whether anybody listens. It returns nil when ctx ends before that.
func (s *Sink) connect(ctx context.Context) *statsd.Client {
	for attempt := 0; ; attempt++ {
		client, err := dial(ctx, s.options.Address)
		if err == nil {
			return client
		}
		if attempt == 0 && ctx.Err() == nil {
			s.log.Warn("dogstatsd is away", "err", err)
		}
		retry := time.After(retryEvery)
		for waiting := true; waiting; {
			select {
			case <-ctx.Done():
				return nil
			case <-retry:
				waiting = false
			case <-s.timings: // too old by the time there is a client
			}
		}
	}
}

// dial leaves aggregation to the ledger, and does without the client's
// statistics about itself. It prefers IPv4, because UDP does not find out on
// which of its addresses "localhost" listens.
func dial(ctx context.Context, address string) (*statsd.Client, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "udp4", address)
	if err != nil {
		conn, err = new(net.Dialer).DialContext(ctx, "udp", address)
	}
	if err != nil {
		return nil, err
	}
	client, err := statsd.NewWithWriter(conn,
		statsd.WithoutClientSideAggregation(),
		statsd.WithoutTelemetry(),
		statsd.WithMaxBytesPerPayload(datagramSize),
	)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return client, nil
}

func (s *Sink) flush(client *statsd.Client) {
	due, levels := s.ledger.Read()
	for _, d := range due {
		if client.Count(d.Label.name, int64(d.Increase), d.Label.tags, 1) == nil {
			d.Sent()
		}
	}
	for _, l := range levels {
		client.Gauge(l.Label.name, float64(l.Value), l.Label.tags, 1)
	}
}

// sendTimings sends what waits in the queue.
func (s *Sink) sendTimings(client *statsd.Client) {
	for range len(s.timings) {
		s.sendTiming(client, <-s.timings)
	}
}

func (s *Sink) sendTiming(client *statsd.Client, t stats.Timing) {
	m := s.ledger.Timer(t.Timer)
	client.Timing(m.name, t.Duration.Truncate(time.Millisecond), m.tags, 1)
}
