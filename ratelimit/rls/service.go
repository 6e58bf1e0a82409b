package rls

import (
	"context"
	"log/slog"
	"sync"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"stoa/internal/stats"
	"stoa/ratelimit"
)

// Options is what a Service needs.
type Options struct {
	Config
	Limiter *ratelimit.Limiter
	Backend string // how explanations call the counter
	Health  *Health
	Stats   *stats.Registry
	Log     *slog.Logger
	Tracer  trace.Tracer // nil: no spans
}

// Service answers decision calls.
type Service struct {
	rlsv3.UnimplementedRateLimitServiceServer
	Options
}

// New makes a Service.
func New(o Options) *Service { return &Service{Options: o} }

// ShouldRateLimit implements Envoy's service. An error becomes code Unknown with
// the error's text as message.
func (s *Service) ShouldRateLimit(ctx context.Context, r *rlsv3.RateLimitRequest) (*rlsv3.RateLimitResponse, error) {
	if s.Tracer == nil {
		return s.decide(ctx, r)
	}
	ctx, span := s.Tracer.Start(ctx, "ShouldRateLimit Execution")
	defer span.End()
	if span.IsRecording() {
		span.SetAttributes(attribute.String("domain", r.GetDomain()), attribute.String("request string", CompactText(r)))
	}
	return s.decide(ctx, r)
}

func (s *Service) decide(ctx context.Context, r *rlsv3.RateLimitRequest) (*rlsv3.RateLimitResponse, error) {
	x := exchanges.Get().(*exchange)
	defer x.release()
	if err := s.Limiter.Decide(ctx, x.read(r), &x.decision); err != nil {
		return nil, err
	}
	return s.response(r, &x.decision)
}

// exchange is the memory of one call, used again by later ones.
type exchange struct {
	request  ratelimit.Request
	entries  []ratelimit.Entry
	decision ratelimit.Decision
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

func (x *exchange) release() {
	clear(x.request.Descriptors)
	clear(x.entries)
	clear(x.decision.Statuses)
	exchanges.Put(x)
}
