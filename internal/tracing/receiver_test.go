package tracing_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// receiver is the receiving half of a collector.
type receiver struct {
	collector.UnimplementedTraceServiceServer
	got chan *spans.ResourceSpans
}

func (r *receiver) Export(_ context.Context, req *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
	for _, s := range req.ResourceSpans {
		r.got <- s
	}
	return &collector.ExportTraceServiceResponse{}, nil
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	var export collector.ExportTraceServiceRequest
	if err != nil || req.Method != http.MethodPost || req.URL.Path != "/v1/traces" || proto.Unmarshal(body, &export) != nil {
		http.Error(w, "want an OTLP export", http.StatusBadRequest)
		return
	}
	answer, err := r.Export(req.Context(), &export)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	encoded, err := proto.Marshal(answer)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	w.Write(encoded)
}

// receiveHTTP returns what arrives, and tells the SDK where to send it.
func receiveHTTP(t *testing.T) <-chan *spans.ResourceSpans {
	r := &receiver{got: make(chan *spans.ResourceSpans, 10)}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	return r.got
}

// receiveGRPC is receiveHTTP for the other protocol.
func receiveGRPC(t *testing.T) <-chan *spans.ResourceSpans {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{got: make(chan *spans.ResourceSpans, 10)}
	server := grpc.NewServer()
	collector.RegisterTraceServiceServer(server, r)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+listener.Addr().String())
	return r.got
}
