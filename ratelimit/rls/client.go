package rls

import (
	"context"
	"crypto/tls"
	"fmt"
	"slices"
	"time"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	grpcstats "google.golang.org/grpc/stats"

	"stoa/internal/fault"
	"stoa/ratelimit"
)

// ClientOptions is how a Client speaks.
type ClientOptions struct {
	TLS     *tls.Config       // nil: plain text
	Tracing grpcstats.Handler // carries the caller's trace along; nil: none
}

// Client is a ratelimit.Decider that asks another stoa, or any service that
// speaks Envoy's protocol.
type Client struct {
	conn *grpc.ClientConn
	asks rlsv3.RateLimitServiceClient
}

var _ ratelimit.Decider = (*Client)(nil)

// errNoDecision is what strangers are told; the cause, which may name machines,
// is for the log.
var errNoDecision = fault.New(fault.Unavailable, "the rate limit service gives no decision, try again later")

// Dial makes a Client for host:port or unix:PATH. It begins to connect and does
// not wait for it: a service that is away may come later.
func Dial(address string, o ClientOptions) (*Client, error) {
	if address == "" {
		return nil, fault.New(fault.Invalid, "the rate limit service has no address, want host:port or unix:PATH")
	}
	conn, err := grpc.NewClient(address, dialOptions(o)...)
	if err != nil {
		return nil, fmt.Errorf("rate limit service at %q, want host:port or unix:PATH: %w", address, err)
	}
	conn.Connect()
	return &Client{conn: conn, asks: rlsv3.NewRateLimitServiceClient(conn)}, nil
}

func dialOptions(o ClientOptions) []grpc.DialOption {
	secure := insecure.NewCredentials()
	if o.TLS != nil {
		secure = credentials.NewTLS(o.TLS)
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(secure),
		// A service that came back is found within seconds; gRPC would take minutes.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 2 * time.Second},
			MinConnectTimeout: 2 * time.Second,
		}),
		// A machine that vanished without a word is noticed soon; TCP would take a
		// quarter of an hour.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 2 * time.Second}),
	}
	if o.Tracing != nil {
		options = append(options, grpc.WithStatsHandler(o.Tracing))
	}
	return options
}

// Decide implements ratelimit.Decider. It waits as long as the context allows
// while the service is being connected to.
func (c *Client) Decide(ctx context.Context, r *ratelimit.Request, d *ratelimit.Decision) error {
	switch {
	case r.Domain == "":
		return ratelimit.ErrEmptyDomain
	case len(r.Descriptors) == 0:
		return ratelimit.ErrNoDescriptors
	}
	answer, err := c.asks.ShouldRateLimit(ctx, newQuestion(r))
	if err != nil {
		return fmt.Errorf("%w: %w", errNoDecision, err)
	}
	if answer.GetOverallCode() == rlsv3.RateLimitResponse_UNKNOWN {
		return fmt.Errorf("%w: it answered code UNKNOWN", errNoDecision)
	}
	readAnswer(answer, len(r.Descriptors), d)
	return nil
}

// Close ends the connection. Calls under way fail.
func (c *Client) Close() error { return c.conn.Close() }

// readAnswer fills d with a status for each of n descriptors. Some services give
// no statuses: then the answer for the whole stands for each.
func readAnswer(answer *rlsv3.RateLimitResponse, n int, d *ratelimit.Decision) {
	d.Code = ourCode(answer.GetOverallCode())
	d.Statuses = slices.Grow(d.Statuses[:0], n)[:n]
	told := answer.GetStatuses()
	for i := range d.Statuses {
		d.Statuses[i] = ratelimit.Status{Code: d.Code}
		if i < len(told) {
			d.Statuses[i] = readStatus(told[i])
		}
	}
}

func readStatus(wire *rlsv3.RateLimitResponse_DescriptorStatus) ratelimit.Status {
	s := ratelimit.Status{Code: ourCode(wire.GetCode()), Remaining: wire.GetLimitRemaining()}
	limit := wire.GetCurrentLimit()
	if limit == nil {
		return s
	}
	s.Limited, s.Name = true, limit.GetName()
	s.Limit = ratelimit.Limit{
		Requests: limit.GetRequestsPerUnit(), Unit: ourUnit(limit.GetUnit()), Multiplier: max(limit.GetUnitMultiplier().GetValue(), 1),
	}
	s.Reset = wire.GetDurationUntilReset().GetSeconds()
	if wire.GetDurationUntilReset().GetNanos() > 0 {
		s.Reset++
	}
	return s
}

func ourCode(c rlsv3.RateLimitResponse_Code) ratelimit.Code {
	switch c {
	case rlsv3.RateLimitResponse_OK:
		return ratelimit.OK
	case rlsv3.RateLimitResponse_OVER_LIMIT:
		return ratelimit.OverLimit
	}
	return 0
}

// ourUnit is no unit for one that we do not know.
func ourUnit(u rlsv3.RateLimitResponse_RateLimit_Unit) ratelimit.Unit {
	if u == rlsv3.RateLimitResponse_RateLimit_WEEK {
		return ratelimit.Week
	}
	if u < 0 || int(u) >= len(wireUnits) {
		return 0
	}
	return wireUnits[u]
}
