package app_test

import (
	"net"
	"net/http"
	"testing"
	"time"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	"stoa/app"
	"stoa/ratelimit/redis/redistest"
)

func TestStopFinishesCallsInFlight(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	p := start(t, shopRules, onRedis(redis))
	client := p.client()
	if _, err := client.ShouldRateLimit(t.Context(), ask("shop", "path=/api")); err != nil {
		t.Fatal(err)
	}
	if err := redis.Pause(); err != nil {
		t.Fatal(err)
	}
	type result struct {
		response *rlsv3.RateLimitResponse
		err      error
	}
	call := make(chan result, 1)
	go func() {
		r, err := client.ShouldRateLimit(t.Context(), ask("shop", "path=/api"))
		call <- result{r, err}
	}()
	eventually(t, "the call has begun", func() bool { return p.stats()[ruleStat("shop.path_/api", "total_hits")] == 2 })
	p.cancel()
	eventually(t, "unhealthy at once", func() bool { return p.get("http", "/healthcheck").code == http.StatusInternalServerError })
	if got := p.postJSON(jsonDescriptor("shop", "x", "y")); got.code != http.StatusOK {
		t.Errorf("/json while draining: got %d, want 200", got.code)
	}
	select {
	case got := <-call:
		t.Fatalf("the call ended before redis answered: %v", got.err)
	case <-p.ended:
		t.Fatal("the app ended before its call")
	default:
	}
	if err := redis.Resume(); err != nil {
		t.Fatal(err)
	}
	if got := <-call; got.err != nil || got.response.OverallCode != rlsv3.RateLimitResponse_OK {
		t.Errorf("the call in flight: got %v, %v, want OK", got.response, got.err)
	}
	if err := p.stop(); err != nil {
		t.Errorf("got %v at the end, want nil", err)
	}
}

func TestStopFinishesHTTPCallsInFlight(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	p := start(t, shopRules, onRedis(redis))
	url := "http://" + p.address("http") + "/json"
	call := make(chan answer, 1)
	if err := redis.Pause(); err != nil {
		t.Fatal(err)
	}
	go func() {
		got, err := try(t.Context(), http.MethodPost, url, jsonDescriptor("shop", "path", "/none"))
		if err != nil {
			t.Error(err)
		}
		call <- got
	}()
	eventually(t, "the call has begun", func() bool { return p.stats()[ruleStat("shop.path_/none", "total_hits")] == 1 })
	p.cancel()
	eventually(t, "the HTTP port closes", func() bool {
		conn, err := net.Dial("tcp", p.open("http"))
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
	if err := redis.Resume(); err != nil {
		t.Fatal(err)
	}
	if got := <-call; got.code != http.StatusTooManyRequests {
		t.Errorf("got %d %q, want 429", got.code, got.body)
	}
	if err := p.stop(); err != nil {
		t.Errorf("got %v at the end, want nil", err)
	}
}

func TestStopIsNotHeldUpByAWatch(t *testing.T) {
	t.Parallel()
	const drain = 500 * time.Millisecond
	p := launch(t, shopRules, nil, func(o *app.Options) { o.SetDrainLimit(drain) })
	watch, err := healthv1.NewHealthClient(p.conn()).Watch(t.Context(), &healthv1.HealthCheckRequest{Service: "ratelimit"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := watch.Recv(); err != nil || got.Status != healthv1.HealthCheckResponse_SERVING {
		t.Fatalf("got %v, %v, want SERVING", got, err)
	}
	began := time.Now()
	p.cancel()
	if got, err := watch.Recv(); err != nil || got.Status != healthv1.HealthCheckResponse_NOT_SERVING {
		t.Errorf("got %v, %v, want NOT_SERVING", got, err)
	}
	checkDraining(t, p)
	if _, err := watch.Recv(); err == nil {
		t.Error("the watch goes on, want that it is cut")
	}
	if err := p.stop(); err != nil {
		t.Errorf("got %v at the end, want nil", err)
	}
	if took := time.Since(began); took < drain || took > drain+patience/2 {
		t.Errorf("the end took %v, want about %v", took, drain)
	}
}

func checkDraining(t *testing.T, p *process) {
	t.Helper()
	if got := p.get("http", "/healthcheck"); got.code != http.StatusInternalServerError {
		t.Errorf("/healthcheck while draining: got %d, want 500", got.code)
	}
	if got := p.postJSON(jsonDescriptor("shop", "path", "/none")); got.code != http.StatusTooManyRequests {
		t.Errorf("/json while draining: got %d, want 429", got.code)
	}
}

func TestStopIsNotHeldUpByASlowHTTPCall(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	p := launch(t, shopRules, onRedis(redis), func(o *app.Options) { o.SetDrainLimit(300 * time.Millisecond) })
	p.address("grpc")
	url := "http://" + p.address("http") + "/json"
	if err := redis.Pause(); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = try(t.Context(), http.MethodPost, url, jsonDescriptor("shop", "path", "/api")) }()
	eventually(t, "the call has begun", func() bool {
		return p.stats()[ruleStat("shop.path_/api", "total_hits")] == 1
	})
	began := time.Now()
	if err := p.stop(); err != nil {
		t.Errorf("got %v at the end, want nil", err)
	}
	if took := time.Since(began); took > patience/2 {
		t.Errorf("the end took %v, want that the call is cut", took)
	}
}
