package tracing_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/trace"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"

	"stoa/internal/tracing"
)

func start(t *testing.T, cfg tracing.Config) *tracing.Tracing {
	t.Helper()
	tr, err := tracing.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func stop(t *testing.T, tr *tracing.Tracing) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := tr.Shutdown(ctx); err != nil {
		t.Fatalf("shutdown: %v", err)
	}
}

func resourceOf(s *spans.ResourceSpans) map[string]string {
	m := map[string]string{}
	for _, a := range s.Resource.Attributes {
		m[a.Key] = a.Value.GetStringValue()
	}
	return m
}

func TestSpanArrivesWithItsResource(t *testing.T) {
	tests := []struct {
		protocol string
		receive  func(*testing.T) <-chan *spans.ResourceSpans
	}{
		{"http", receiveHTTP},
		{"grpc", receiveGRPC},
		{"", receiveHTTP},
	}
	for _, tt := range tests {
		t.Run(tt.protocol, func(t *testing.T) {
			got := tt.receive(t)
			tr := start(t, tracing.Config{
				Enabled: true, Protocol: tt.protocol, SamplingRate: 1,
				ServiceName: "RateLimit", ServiceNamespace: "edge", ServiceInstanceID: "one",
			})
			if !tr.Enabled() {
				t.Error("got disabled, want enabled")
			}
			_, span := tr.Provider().Tracer("test").Start(t.Context(), "ShouldRateLimit Execution")
			span.End()
			stop(t, tr)
			arrived := <-got
			want := map[string]string{"service.name": "RateLimit", "service.namespace": "edge", "service.instance.id": "one"}
			if diff := cmp.Diff(want, resourceOf(arrived)); diff != "" {
				t.Errorf("resource: want(-) got(+):\n%s", diff)
			}
			if name := arrived.ScopeSpans[0].Spans[0].Name; name != "ShouldRateLimit Execution" {
				t.Errorf("got span %q", name)
			}
		})
	}
}

func TestInstanceIDIsARandomUUID(t *testing.T) {
	got := receiveHTTP(t)
	seen := map[string]bool{}
	for range 2 {
		tr := start(t, tracing.Config{Enabled: true, SamplingRate: 1, ServiceName: "RateLimit"})
		_, span := tr.Provider().Tracer("test").Start(t.Context(), "s")
		span.End()
		stop(t, tr)
		resource := resourceOf(<-got)
		id, err := uuid.Parse(resource["service.instance.id"])
		if err != nil || id.Version() != 4 {
			t.Errorf("got %v, error %v, want a version 4 UUID", id, err)
		}
		if _, ok := resource["service.namespace"]; ok {
			t.Error("got a namespace, want none")
		}
		seen[id.String()] = true
	}
	if len(seen) != 2 {
		t.Error("got the same id twice")
	}
}

func TestTheParentDecidesElseTheRate(t *testing.T) {
	parent := func(flags trace.TraceFlags) trace.SpanContext {
		return trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, TraceFlags: flags, Remote: true,
		})
	}
	tests := []struct {
		name   string
		rate   float64
		parent trace.SpanContext
		want   bool
	}{
		{"root at 0", 0, trace.SpanContext{}, false},
		{"root at 1", 1, trace.SpanContext{}, true},
		{"sampled parent at 0", 0, parent(trace.FlagsSampled), true},
		{"unsampled parent at 1", 1, parent(0), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			receiveHTTP(t)
			tr := start(t, tracing.Config{Enabled: true, SamplingRate: tt.rate})
			ctx := trace.ContextWithRemoteSpanContext(t.Context(), tt.parent)
			_, span := tr.Provider().Tracer("test").Start(ctx, "s")
			if got := span.SpanContext().IsSampled(); got != tt.want {
				t.Errorf("got sampled %v, want %v", got, tt.want)
			}
			span.End()
			stop(t, tr)
		})
	}
}

func TestDisabledMakesSpansThatGoNowhere(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	tr := start(t, tracing.Config{})
	_, span := tr.Provider().Tracer("test").Start(t.Context(), "s")
	if tr.Enabled() || span.IsRecording() {
		t.Errorf("got enabled %v, recording %v, want neither", tr.Enabled(), span.IsRecording())
	}
	stop(t, tr)
}

func TestNoGlobalsAreSet(t *testing.T) {
	receiveHTTP(t)
	provider, propagator := otel.GetTracerProvider(), otel.GetTextMapPropagator()
	stop(t, start(t, tracing.Config{Enabled: true, SamplingRate: 1}))
	if otel.GetTracerProvider() != provider || otel.GetTextMapPropagator() != propagator {
		t.Error("got a global changed")
	}
}

func TestFailedExportIsLogged(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
	var b bytes.Buffer
	tr := start(t, tracing.Config{Enabled: true, SamplingRate: 1, Log: slog.New(slog.NewTextHandler(&b, nil))})
	_, span := tr.Provider().Tracer("test").Start(t.Context(), "s")
	span.End()
	stop(t, tr)
	if got := b.String(); !strings.Contains(got, "spans not exported") || !strings.Contains(got, "spans=1") {
		t.Errorf("got log %q", got)
	}
}
