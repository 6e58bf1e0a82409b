// Command bare is what the rate limit service is measured against: a grpc-go
// server that answers every decision call with an empty message, as the library
// makes it or with the service's own settings.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"

	"stoa/internal/heap"
	"stoa/internal/stats"
	"stoa/ratelimit/rls"
)

type bare struct {
	rlsv3.UnimplementedRateLimitServiceServer
}

func (bare) ShouldRateLimit(context.Context, *rlsv3.RateLimitRequest) (*rlsv3.RateLimitResponse, error) {
	return new(rlsv3.RateLimitResponse), nil
}

func main() {
	address := flag.String("grpc", "127.0.0.1:0", "address of the gRPC port")
	debug := flag.String("debug", "127.0.0.1:0", "address of /stats, for the allocation count")
	tuned := flag.Bool("tuned", true, "the transport and garbage collector settings of the service; false: the defaults")
	flag.Parse()
	if err := serve(*address, *debug, *tuned); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(address, debug string, tuned bool) error {
	registry := stats.NewRegistry()
	stats.RegisterGo(registry, "ratelimit.go")
	http.Handle("/stats", stats.Handler(registry))
	go func() { _ = http.ListenAndServe(debug, nil) }()
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	var options []grpc.ServerOption
	if tuned {
		options = rls.TransportOptions()
		go func() { _ = heap.Pace(context.Background(), 64<<20) }()
	}
	server := grpc.NewServer(options...)
	rlsv3.RegisterRateLimitServiceServer(server, bare{})
	return server.Serve(l)
}
