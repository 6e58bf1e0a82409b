package tracing_test

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"

	"stoa/internal/env"
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

func TestPropagatorReadsEachForm(t *testing.T) {
	const w3c = "0af7651916cd43dd8448eb211c80319c"
	const b3 = "463ac35c9f6413ad48485a3953bb6124"
	tests := []struct {
		name    string
		headers map[string]string
		want    string
	}{
		{"W3C", map[string]string{"Traceparent": "00-" + w3c + "-b7ad6b7169203331-01"}, w3c},
		{"B3 single", map[string]string{"B3": b3 + "-a2fb4a1d1a96d312-1"}, b3},
		{"B3 multi", map[string]string{"X-B3-Traceid": b3, "X-B3-Spanid": "a2fb4a1d1a96d312", "X-B3-Sampled": "1"}, b3},
		{"both", map[string]string{"Traceparent": "00-" + w3c + "-b7ad6b7169203331-01", "B3": b3 + "-a2fb4a1d1a96d312-1"}, w3c},
		{"none", nil, trace.TraceID{}.String()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := http.Header{}
			for k, v := range tt.headers {
				in.Set(k, v)
			}
			ctx := start(t, tracing.Config{}).Propagator().Extract(t.Context(), propagation.HeaderCarrier(in))
			if got := trace.SpanContextFromContext(ctx).TraceID().String(); got != tt.want {
				t.Errorf("got trace %s, want %s", got, tt.want)
			}
		})
	}
}

func TestPropagatorWritesEachForm(t *testing.T) {
	in := propagation.MapCarrier{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "baggage": "a=b"}
	out := propagation.MapCarrier{}
	p := start(t, tracing.Config{}).Propagator()
	p.Inject(p.Extract(t.Context(), in), out)
	want := propagation.MapCarrier{
		"b3": "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1", "x-b3-sampled": "1",
		"x-b3-traceid": "0af7651916cd43dd8448eb211c80319c", "x-b3-spanid": "b7ad6b7169203331",
	}
	maps.Copy(want, in)
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("want(-) got(+):\n%s", diff)
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

func TestValidate(t *testing.T) {
	tests := []struct {
		name string
		cfg  tracing.Config
		want string
	}{
		{"zero", tracing.Config{}, ""},
		{"grpc", tracing.Config{Protocol: "grpc", SamplingRate: 1}, ""},
		{"both wrong", tracing.Config{Protocol: "udp", SamplingRate: 1.5},
			"TRACING_EXPORTER_PROTOCOL=\"udp\": want http or grpc\nTRACING_SAMPLING_RATE=\"1.5\": want a number from 0 to 1"},
		{"negative", tracing.Config{SamplingRate: -0.1}, `TRACING_SAMPLING_RATE="-0.1": want a number from 0 to 1`},
		{"no number", tracing.Config{SamplingRate: math.NaN()}, `TRACING_SAMPLING_RATE="NaN": want a number from 0 to 1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := tt.cfg.Validate(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if _, err := tracing.Start(t.Context(), tt.cfg); (err != nil) != (tt.want != "") {
				t.Errorf("start: got %v, want the same as Validate", err)
			}
		})
	}
}

func TestConfigDefaults(t *testing.T) {
	var got tracing.Config
	if err := env.Parse(&got, nil); err != nil {
		t.Fatal(err)
	}
	want := tracing.Config{Protocol: "http", ServiceName: "RateLimit", SamplingRate: 1}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
