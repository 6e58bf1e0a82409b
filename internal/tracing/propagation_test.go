package tracing_test

import (
	"maps"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"stoa/internal/tracing"
)

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
