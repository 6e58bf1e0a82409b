package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// load is what the callers do: each sends its next call when the last one is answered.
type load struct {
	connections, inFlight, keys, descriptors int
	length                                   time.Duration
}

// result is one round of one server.
type result struct {
	perSecond float64
	cpuMicros float64 // of the server, per decision
	allocs    float64 // of the server, per decision
	p50, p99  time.Duration
}

func (l load) run(ctx context.Context, s *server) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, l.length+10*time.Second)
	defer cancel()
	first := "path"
	if s.over {
		first = "blocked"
	}
	requests := l.requests(first)
	before, err := s.usage()
	if err != nil {
		return result{}, err
	}
	start := time.Now()
	times, err := l.call(ctx, s.address, requests, start.Add(l.length))
	if err != nil {
		return result{}, err
	}
	took := time.Since(start)
	after, err := s.usage()
	if err != nil {
		return result{}, err
	}
	n := float64(len(times))
	slices.Sort(times)
	return result{
		perSecond: n / took.Seconds(),
		cpuMicros: float64((after.cpu - before.cpu).Microseconds()) / n,
		allocs:    (after.mallocs - before.mallocs) / n,
		p50:       times[len(times)/2],
		p99:       times[len(times)*99/100],
	}, nil
}

// call runs all callers until the end and returns how long each call took.
func (l load) call(ctx context.Context, address string, requests []*rlsv3.RateLimitRequest, end time.Time) ([]time.Duration, error) {
	var (
		wg    sync.WaitGroup
		next  atomic.Uint64
		mu    sync.Mutex
		all   []time.Duration
		fault error
	)
	for range l.connections {
		conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			return nil, err
		}
		defer conn.Close()
		client := rlsv3.NewRateLimitServiceClient(conn)
		for range l.inFlight {
			wg.Go(func() {
				var mine []time.Duration
				var err error
				for time.Now().Before(end) && err == nil {
					start := time.Now()
					_, err = client.ShouldRateLimit(ctx, requests[next.Add(1)%uint64(len(requests))])
					mine = append(mine, time.Since(start))
				}
				mu.Lock()
				defer mu.Unlock()
				all = append(all, mine...)
				if err != nil {
					fault = err
				}
			})
		}
	}
	wg.Wait()
	return all, fault
}

// requests meets the rules of the servers: a path, or a blocked one, and a user.
func (l load) requests(first string) []*rlsv3.RateLimitRequest {
	requests := make([]*rlsv3.RateLimitRequest, l.keys)
	for i := range requests {
		r := &rlsv3.RateLimitRequest{Domain: "bench"}
		for d := range l.descriptors {
			r.Descriptors = append(r.Descriptors, &rlcommonv3.RateLimitDescriptor{Entries: []*rlcommonv3.RateLimitDescriptor_Entry{
				{Key: first, Value: fmt.Sprintf("/api/v%d", d)},
				{Key: "user", Value: fmt.Sprintf("user-%d", i)},
			}})
		}
		requests[i] = r
	}
	return requests
}
