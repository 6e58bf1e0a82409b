package xds

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	rules "github.com/envoyproxy/go-control-plane/ratelimit/config/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"stoa/internal/stats"
	"stoa/ratelimit"
)

// server is a control plane of one client.
type server struct {
	discovery.UnimplementedAggregatedDiscoveryServiceServer
	requests  chan *discovery.DiscoveryRequest
	responses chan *discovery.DiscoveryResponse
	headers   chan metadata.MD
	grpc      *grpc.Server
	addr      string
}

// listen runs a server on an address, such as that of one that was stopped.
func listen(t *testing.T, addr string, options ...grpc.ServerOption) *server {
	t.Helper()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	s := &server{
		requests:  make(chan *discovery.DiscoveryRequest, 10),
		responses: make(chan *discovery.DiscoveryResponse, 10),
		headers:   make(chan metadata.MD, 10),
		grpc:      grpc.NewServer(options...),
		addr:      listener.Addr().String(),
	}
	discovery.RegisterAggregatedDiscoveryServiceServer(s.grpc, s)
	go func() { _ = s.grpc.Serve(listener) }()
	t.Cleanup(s.grpc.Stop)
	return s
}

func (s *server) StreamAggregatedResources(stream discovery.AggregatedDiscoveryService_StreamAggregatedResourcesServer) error {
	headers, _ := metadata.FromIncomingContext(stream.Context())
	s.headers <- headers
	go func() {
		for {
			request, err := stream.Recv()
			if err != nil {
				return
			}
			s.requests <- request
		}
	}()
	for {
		select {
		case <-stream.Context().Done():
			return nil
		case response := <-s.responses:
			if err := stream.Send(response); err != nil {
				return err
			}
		}
	}
}

// request is the next request, which must come soon.
func (s *server) request(t *testing.T) *discovery.DiscoveryRequest {
	t.Helper()
	select {
	case r := <-s.requests:
		return r
	case <-time.After(10 * time.Second):
		t.Fatal("not in time: a request")
		return nil
	}
}

// send sends a set and returns the answer.
func (s *server) send(t *testing.T, version, nonce string, resources ...*anypb.Any) *discovery.DiscoveryRequest {
	t.Helper()
	s.responses <- &discovery.DiscoveryResponse{VersionInfo: version, Nonce: nonce, TypeUrl: typeURL, Resources: resources}
	return s.request(t)
}

// service is a limiter whose rules come from a server.
type service struct {
	*Client
	limiter *ratelimit.Limiter
	stats   *stats.Registry
	log     *lines
}

func newService(t *testing.T, cfg Config) *service {
	t.Helper()
	s := &service{stats: stats.NewRegistry(), log: &lines{}}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	s.limiter = ratelimit.New(ratelimit.Options{Stats: s.stats})
	loader := ratelimit.NewLoader(s.limiter, false, log, func(int) {})
	client, err := New(cfg, Options{Log: log, Stats: s.stats, Load: loader.Load})
	if err != nil {
		t.Fatal(err)
	}
	s.Client = client
	return s
}

// run runs the client until the test ends.
func run(t *testing.T, cfg Config) *service {
	t.Helper()
	s := newService(t, cfg)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Run: got %v, want nil", err)
		}
	})
	return s
}

func (s *service) domains() string {
	if rules := s.limiter.Rules(); rules != nil {
		return strings.Join(rules.Domains(), " ")
	}
	return "none"
}

func (s *service) counts() [2]uint64 {
	return [2]uint64{
		s.stats.Counter("ratelimit.service.config_load_success").Total(),
		s.stats.Counter("ratelimit.service.config_load_error").Total(),
	}
}

// quick is settings for a server on loopback, with waits fit for a test.
func quick(addr string) Config {
	return Config{
		ServerURL: addr, ConnectRetry: 5 * time.Millisecond,
		BackoffInitial: 5 * time.Millisecond, BackoffMax: 20 * time.Millisecond,
	}
}

func pack(t testing.TB, m proto.Message) *anypb.Any {
	t.Helper()
	packed, err := anypb.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// domain makes the resource "name of d" for a domain with a limit of that unit.
func domain(t testing.TB, d string, unit rules.RateLimitUnit) *anypb.Any {
	t.Helper()
	return pack(t, &rules.RateLimitConfig{
		Name: "name of " + d, Domain: d,
		Descriptors: []*rules.RateLimitDescriptor{{
			Key: "k", RateLimit: &rules.RateLimitPolicy{Unit: unit, RequestsPerUnit: 5},
		}},
	})
}

// lines is a log that may be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// with is the lines that contain all parts.
func (l *lines) with(parts ...string) (found []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		if !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) }) {
			found = append(found, line)
		}
	}
	return found
}
