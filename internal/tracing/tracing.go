// Package tracing sends spans to an OpenTelemetry collector.
//
// It sets none of OpenTelemetry's globals: whoever makes spans is given the
// provider, whoever talks to others the propagator. When tracing is disabled
// the provider makes spans that go nowhere, at next to no cost.
package tracing

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"go.opentelemetry.io/contrib/propagators/b3"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Tracing is a running exporter, or a stand-in that exports nothing.
type Tracing struct {
	sdk *sdk.TracerProvider // nil when disabled
}

// Start does not wait for the collector: one that is away costs the spans made
// meanwhile and nothing else.
func Start(ctx context.Context, cfg Config) (*Tracing, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if !cfg.Enabled {
		return &Tracing{}, nil
	}
	exporter, err := newExporter(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("start trace exporter: %w", err)
	}
	return &Tracing{sdk: sdk.NewTracerProvider(
		sdk.WithBatcher(exporter),
		sdk.WithResource(serviceOf(cfg)),
		sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(cfg.SamplingRate))),
	)}, nil
}

// Enabled tells whether spans go anywhere, for callers that would spare
// themselves the work.
func (t *Tracing) Enabled() bool { return t.sdk != nil }

// Provider makes the tracers, also when disabled.
func (t *Tracing) Provider() trace.TracerProvider {
	if t.sdk == nil {
		return noop.NewTracerProvider()
	}
	return t.sdk
}

// Propagator reads and writes W3C trace context, B3 in one header and in
// several, and baggage. The last that finds a parent wins, so a request with
// both kinds of header is a child of its W3C parent.
func (t *Tracing) Propagator() propagation.TextMapPropagator {
	return propagation.NewCompositeTextMapPropagator(
		b3.New(b3.WithInjectEncoding(b3.B3SingleHeader|b3.B3MultipleHeader)),
		propagation.TraceContext{},
		propagation.Baggage{},
	)
}

// Shutdown sends the spans that are waiting, for as long as ctx allows. Spans
// that end later are lost.
func (t *Tracing) Shutdown(ctx context.Context) error {
	if t.sdk == nil {
		return nil
	}
	return t.sdk.Shutdown(ctx)
}

func newExporter(ctx context.Context, cfg Config) (sdk.SpanExporter, error) {
	open := func() (sdk.SpanExporter, error) { return otlptracehttp.New(ctx) }
	if cfg.Protocol == "grpc" {
		open = func() (sdk.SpanExporter, error) { return otlptracegrpc.New(ctx) }
	}
	exporter, err := open()
	if err != nil || cfg.Log == nil {
		return exporter, err
	}
	return loggedExporter{SpanExporter: exporter, log: cfg.Log}, nil
}

// serviceOf says who sends. The SDK adds OTEL_RESOURCE_ATTRIBUTES, and these
// three win over it.
func serviceOf(cfg Config) *resource.Resource {
	id := cfg.ServiceInstanceID
	if id == "" {
		id = uuid.NewString()
	}
	attributes := []attribute.KeyValue{
		attribute.String("service.name", cfg.ServiceName),
		attribute.String("service.instance.id", id),
	}
	if cfg.ServiceNamespace != "" {
		attributes = append(attributes, attribute.String("service.namespace", cfg.ServiceNamespace))
	}
	return resource.NewSchemaless(attributes...)
}
