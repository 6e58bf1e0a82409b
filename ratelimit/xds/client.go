package xds

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"stoa/internal/stats"
	"stoa/ratelimit"
)

// Options is what a Client needs.
type Options struct {
	Log   *slog.Logger
	Stats *stats.Registry

	// Load puts a set in force, or says what is wrong with it. It logs for itself.
	Load func([]ratelimit.DomainSpec, ratelimit.Faults) error
}

// Client hands each set of rules that the server sends to Load.
type Client struct {
	Options
	cfg     Config
	open    func(context.Context) (stream, func(), error)
	backoff *backoff
	version string // of the set in force
	trouble string // what was last said about the connection

	loaded     chan struct{}
	loadedOnce sync.Once
	connected  *stats.Gauge
	rejected   *stats.Counter
}

// stream is the conversation with the server: gRPC's, or that of a test.
type stream interface {
	Send(*discovery.DiscoveryRequest) error
	Recv() (*discovery.DiscoveryResponse, error)
}

// New makes a Client, which does nothing before Run. It fails on certificates
// that cannot be read; they are read again for each connection.
func New(cfg Config, o Options) (*Client, error) {
	cfg = cfg.withDefaults()
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if _, err := cfg.credentials(); err != nil {
		return nil, err
	}
	return &Client{
		Options: o, cfg: cfg, open: cfg.open, backoff: newBackoff(cfg),
		loaded:    make(chan struct{}),
		connected: o.Stats.Gauge("ratelimit.xds.connected"),
		rejected:  o.Stats.Counter("ratelimit.xds.rejected"),
	}, nil
}

// Loaded is closed after the first set came, good or rejected.
func (c *Client) Loaded() <-chan struct{} { return c.loaded }

// Run talks to the server until the context ends, and then returns nil.
func (c *Client) Run(ctx context.Context) error {
	for {
		wait, err := c.connect(ctx)
		if ctx.Err() != nil {
			return nil
		}
		c.complain(err, wait)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// connect makes one connection and talks until it is lost. It returns why it
// was, and how long to wait for the next.
func (c *Client) connect(ctx context.Context) (wait time.Duration, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, hangUp, err := c.open(ctx)
	if err != nil {
		return c.backoff.spread(c.cfg.ConnectRetry), err
	}
	defer hangUp()
	c.Log.Info("Connected to the xDS server", "server", c.cfg.ServerURL)
	c.connected.Set(1)
	defer c.connected.Set(0)
	err = c.talk(s)
	return c.backoff.next(), err
}

func (c *Client) talk(s stream) error {
	request := c.request("", "")
	for {
		// A stream that broke says io.EOF here, and why below.
		if err := s.Send(request); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		response, err := s.Recv()
		if status.Code(err) == codes.ResourceExhausted {
			return fmt.Errorf("%w (XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES allows more)", err)
		}
		if err != nil {
			return err
		}
		request = c.answer(response)
	}
}

// complain warns of each trouble once, however often it comes in a row.
func (c *Client) complain(err error, wait time.Duration) {
	level := slog.LevelDebug
	if err.Error() != c.trouble {
		level, c.trouble = slog.LevelWarn, err.Error()
	}
	c.Log.Log(context.Background(), level, "No connection to the xDS server, rules stay as they are",
		"server", c.cfg.ServerURL, "error", err, "retry_in", wait.Round(time.Millisecond))
}
