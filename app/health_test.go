package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"

	"google.golang.org/grpc/codes"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"stoa/ratelimit/redis/redistest"
)

// checkHealth asks the four places that tell about health.
func checkHealth(t *testing.T, p *process, healthy bool) {
	t.Helper()
	code, body, serving := http.StatusInternalServerError, "", healthv1.HealthCheckResponse_NOT_SERVING
	if healthy {
		code, body, serving = http.StatusOK, "OK", healthv1.HealthCheckResponse_SERVING
	}
	eventually(t, fmt.Sprint("/healthcheck answers ", code), func() bool { return p.get("http", "/healthcheck").code == code })
	if got := p.get("http", "/healthcheck"); got.code != code || got.body != body {
		t.Errorf("/healthcheck: got %d %q, want %d %q", got.code, got.body, code, body)
	}
	if got := p.get("debug", "/readyz"); got.code != code {
		t.Errorf("/readyz: got %d, want %d", got.code, code)
	}
	if got := p.get("debug", "/healthz"); got.code != http.StatusOK {
		t.Errorf("/healthz: got %d, want 200 while the process lives", got.code)
	}
	client := healthv1.NewHealthClient(p.conn())
	for name, want := range map[string]healthv1.HealthCheckResponse_ServingStatus{
		"ratelimit": serving,
		"":          healthv1.HealthCheckResponse_SERVING,
	} {
		got, err := client.Check(t.Context(), &healthv1.HealthCheckRequest{Service: name})
		if err != nil || got.Status != want {
			t.Errorf("Check of %q: got %v, %v, want %v", name, got.GetStatus(), err, want)
		}
	}
}

func TestHealthOfAProcessThatServes(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	checkHealth(t, p, true)
	client := healthv1.NewHealthClient(p.conn())
	for _, name := range []string{"envoy.service.ratelimit.v3.RateLimitService", "redis"} {
		if _, err := client.Check(t.Context(), &healthv1.HealthCheckRequest{Service: name}); status.Code(err) != codes.NotFound {
			t.Errorf("Check of %q: got %v, want NotFound", name, err)
		}
	}
	list, err := client.List(t.Context(), &healthv1.HealthListRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "ratelimit"} {
		if got := list.Statuses[name].GetStatus(); got != healthv1.HealthCheckResponse_SERVING {
			t.Errorf("List of %q: got %v, want SERVING", name, got)
		}
	}
	if got := fetch(t, http.MethodPost, "http://"+p.address("http")+"/healthcheck", "x"); got.code != http.StatusOK {
		t.Errorf("POST /healthcheck: got %d, want 200: any method", got.code)
	}
}

func TestHealthWithAtLeastOneConfig(t *testing.T) {
	t.Parallel()
	p := start(t, "", environ{"HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED": "true"})
	checkHealth(t, p, false)
	watch, err := healthv1.NewHealthClient(p.conn()).Watch(t.Context(), &healthv1.HealthCheckRequest{Service: "ratelimit"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []healthv1.HealthCheckResponse_ServingStatus{
		healthv1.HealthCheckResponse_NOT_SERVING, healthv1.HealthCheckResponse_SERVING,
	} {
		got, err := watch.Recv()
		if err != nil || got.Status != want {
			t.Fatalf("Watch: got %v, %v, want %v", got.GetStatus(), err, want)
		}
		p.write("rules.yaml", shopRules)
	}
	checkHealth(t, p, true)
	p.write("rules.yaml", "domain: [\n")
	p.log.has(t, "Error loading new configuration")
	checkHealth(t, p, true)
}

func TestHealthWithoutRules(t *testing.T) {
	t.Parallel()
	checkHealth(t, start(t, "", nil), true)
}

func TestHealthFollowsRedisWhenAsked(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	set := onRedis(redis)
	set["REDIS_HEALTH_CHECK_ACTIVE_CONNECTION"] = "true"
	p := start(t, shopRules, set)
	checkHealth(t, p, true)
	redis.Kill()
	checkHealth(t, p, false)
	if err := redis.Restart(); err != nil {
		t.Fatal(err)
	}
	checkHealth(t, p, true)
}

func TestHealthForgivesRedisOtherwise(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	set := maps.Clone(onRedis(redis))
	p := start(t, shopRules, set)
	redis.Kill()
	eventually(t, "redis is seen to be away", func() bool {
		return p.postJSON(jsonDescriptor("shop", "path", "/api")).code == http.StatusServiceUnavailable
	})
	checkHealth(t, p, true)
}

func TestHealthOnMemcached(t *testing.T) {
	t.Parallel()
	address, _ := freeAddress(t)
	checkHealth(t, start(t, shopRules, environ{"BACKEND_TYPE": "memcache", "MEMCACHE_HOST_PORT": address}), true)
}
