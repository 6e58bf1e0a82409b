package app_test

import (
	"encoding/hex"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"stoa/app"
	"stoa/ratelimit/memcache/memcachetest"
	"stoa/ratelimit/redis/redistest"
)

// receiver is the receiving half of a collector.
type receiver struct {
	mu    sync.Mutex
	spans []*spans.Span
	names map[string]string // attributes of the resource
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	var export collector.ExportTraceServiceRequest
	if request.URL.Path != "/v1/traces" || proto.Unmarshal(body, &export) != nil {
		http.Error(w, "want an OTLP export", http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, resource := range export.ResourceSpans {
		for _, a := range resource.Resource.Attributes {
			r.names[a.Key] = a.Value.GetStringValue()
		}
		for _, scope := range resource.ScopeSpans {
			r.spans = append(r.spans, scope.Spans...)
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

func receiveSpans(t *testing.T) *receiver {
	r := &receiver{names: make(map[string]string)}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	return r
}

// find is the only span of the name, with its attributes.
func (r *receiver) find(t *testing.T, name string) (*spans.Span, map[string]string) {
	t.Helper()
	var found *spans.Span
	for _, s := range r.spans {
		if s.Name != name {
			continue
		}
		if found != nil {
			t.Errorf("span %q came twice", name)
		}
		found = s
	}
	if found == nil {
		var names []string
		for _, s := range r.spans {
			names = append(names, s.Name)
		}
		t.Fatalf("no span %q among %q", name, names)
	}
	attributes := make(map[string]string)
	for _, a := range found.Attributes {
		attributes[a.Key] = a.Value.String()
	}
	return found, attributes
}

const (
	traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
	parent  = "00-" + traceID + "-00f067aa0ba902b7-01"
)

func TestSpansOfAGRPCCall(t *testing.T) {
	r := receiveSpans(t)
	set := maps.Clone(onRedis(redistest.Start(t)))
	maps.Copy(set, environ{
		"TRACING_ENABLED": "true", "TRACING_SERVICE_NAME": "limits", "TRACING_SERVICE_NAMESPACE": "edge", "TRACING_SERVICE_INSTANCE_ID": "one",
	})
	p := start(t, shopRules, set)
	ctx := metadata.AppendToOutgoingContext(t.Context(), "traceparent", parent)
	if _, err := p.client().ShouldRateLimit(ctx, ask("shop", "path=/api", "path=/five")); err != nil {
		t.Fatal(err)
	}
	if err := p.stop(); err != nil { // sends what waits
		t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	server, attributes := r.find(t, "envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit")
	if attributes["rpc.method"] == "" {
		t.Errorf("got attributes %v, want rpc.*", attributes)
	}
	decision, attributes := r.find(t, "ShouldRateLimit Execution")
	if !strings.Contains(attributes["domain"], `"shop"`) || !strings.Contains(attributes["request string"], "/five") {
		t.Errorf("got attributes %v, want the domain and the request", attributes)
	}
	redis, attributes := r.find(t, "Redis Pipeline Execution")
	if attributes["pipeline length"] != "int_value:4" || attributes["perSecondPipeline length"] != "int_value:0" {
		t.Errorf("got attributes %v, want 4 commands for two counters", attributes)
	}
	for _, pair := range [][2]*spans.Span{{server, decision}, {decision, redis}} {
		if string(pair[0].SpanId) != string(pair[1].ParentSpanId) {
			t.Errorf("%s is not the parent of %s", pair[0].Name, pair[1].Name)
		}
	}
	if got := hex.EncodeToString(redis.TraceId); got != traceID {
		t.Errorf("got trace %s, want the caller's %s", got, traceID)
	}
	for key, want := range map[string]string{"service.name": "limits", "service.namespace": "edge", "service.instance.id": "one"} {
		if r.names[key] != want {
			t.Errorf("%s: got %q, want %q", key, r.names[key], want)
		}
	}
}

func TestSpansOfAJSONCall(t *testing.T) {
	r := receiveSpans(t)
	p := start(t, shopRules, environ{
		"TRACING_ENABLED": "true", "BACKEND_TYPE": "memcache", "MEMCACHE_HOST_PORT": memcachetest.Start(t).Addr,
	})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+p.address("http")+"/json",
		strings.NewReader(jsonDescriptor("shop", "path", "/api")))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("b3", traceID+"-00f067aa0ba902b7-1")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	handler, attributes := r.find(t, "NewJsonHandler Remaining Execution")
	if !strings.Contains(attributes["response"], "overallCode") {
		t.Errorf("got attributes %v, want the response", attributes)
	}
	if got := hex.EncodeToString(handler.TraceId); got != traceID {
		t.Errorf("got trace %s, want the caller's %s", got, traceID)
	}
	_, attributes = r.find(t, "Memcached Fetch Execution")
	if attributes["keysToGet length"] != "int_value:1" {
		t.Errorf("got attributes %v, want one key", attributes)
	}
	r.find(t, "ShouldRateLimit Execution")
}

func TestSpansFromARequestToFFmpeg(t *testing.T) {
	r := receiveSpans(t)
	settings := videoSettings(t.TempDir())
	settings.TrustedProxies = []app.Network{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}}
	p := newProcess(t)
	p.run(settings, environ{"TRACING_ENABLED": "true"}, []string{"video"})
	j := &journey{t: t, address: "http://" + p.address("video"), key: shownKey.FindStringSubmatch(p.log.String())[1]}
	j.client = j.clientWith(smallestChunk)
	j.send(j.create("no film", false), "this is no film", parent)
	eventually(t, "the job is given up", func() bool {
		return strings.Contains(p.get("debug", "/metrics").body, `stoa_jobs_given_up{environment="production",kind="video.ingest",lane="encode"} 1`)
	})
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	request, _ := r.find(t, "POST /videos/{videoId}/source")
	if got := hex.EncodeToString(request.TraceId); got != traceID {
		t.Errorf("got trace %s, want the trusted caller's %s", got, traceID)
	}
	job, _ := r.find(t, "job video.ingest")
	ffprobe, _ := r.find(t, "ffprobe")
	for _, pair := range [][2]*spans.Span{{request, job}, {job, ffprobe}} {
		if string(pair[0].SpanId) != string(pair[1].ParentSpanId) {
			t.Errorf("%s is not the parent of %s", pair[0].Name, pair[1].Name)
		}
	}
}
