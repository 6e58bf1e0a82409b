package rls

import (
	"context"
	"fmt"
	"path"
	"runtime/debug"
	"slices"
	"time"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"

	"stoa/internal/stats"
)

// streamWorkers serve calls without a new goroutine, whose stack would have to
// grow again, for each. Calls beyond them get one as usual.
const streamWorkers = 256

// windowSize of a connection and of a stream. A fixed one spares the pings that
// measure what a larger one would bring: messages here are small.
const windowSize = 1 << 20

// GRPCServer makes the gRPC server with everything it serves. Extra options are
// for TLS and tracing.
func (s *Service) GRPCServer(extra ...grpc.ServerOption) *grpc.Server {
	meter := &callMeter{service: s}
	server := grpc.NewServer(append(append(extra, TransportOptions()...),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			MaxConnectionAge: s.MaxConnectionAge, MaxConnectionAgeGrace: s.MaxConnectionAgeGrace,
		}),
		grpc.UnaryInterceptor(meter.intercept),
	)...)
	rlsv3.RegisterRateLimitServiceServer(server, s)
	healthv1.RegisterHealthServer(server, s.Health.grpc)
	reflection.Register(server)
	meter.register(server)
	return server
}

// TransportOptions is how the gRPC port moves bytes, for the benchmark as well.
func TransportOptions() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.NumStreamWorkers(streamWorkers),
		grpc.StaticStreamWindowSize(windowSize),
		grpc.StaticConnWindowSize(windowSize),
	}
}

// callMeter counts and times unary calls, and keeps a panic from ending the process.
type callMeter struct {
	service *Service
	methods map[string]methodStats // by full name; never changed while serving
}

type methodStats struct {
	total *stats.Counter
	time  *stats.Timer
}

func (m *callMeter) register(server *grpc.Server) {
	m.methods = make(map[string]methodStats)
	for service, info := range server.GetServiceInfo() {
		for _, method := range info.Methods {
			if method.IsClientStream || method.IsServerStream {
				continue
			}
			full := "/" + service + "/" + method.Name
			prefix := "ratelimit_server." + path.Base(full)
			m.methods[full] = methodStats{
				total: m.service.Stats.Counter(prefix + ".total_requests"),
				time:  m.service.Stats.Timer(prefix + ".response_time"),
			}
		}
	}
}

func (m *callMeter) intercept(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	method := m.methods[info.FullMethod]
	method.total.Add(1)
	start := time.Now()
	defer func() {
		method.time.Observe(time.Since(start))
		if p := recover(); p != nil {
			m.service.Log.Error("panic in a call", "method", info.FullMethod, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = errInternal
		}
	}()
	return handler(ctx, req)
}

// GRPCMethods is the full names of what the gRPC port answers, sorted.
func (s *Service) GRPCMethods() []string {
	var names []string
	for service, info := range s.GRPCServer().GetServiceInfo() {
		for _, method := range info.Methods {
			names = append(names, "/"+service+"/"+method.Name)
		}
	}
	slices.Sort(names)
	return names
}
