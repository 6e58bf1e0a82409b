package app_test

import (
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"stoa/ratelimit/redis/redistest"
)

func TestStartWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	redis.Kill()
	grpcAddress, grpcPort := freeAddress(t)
	set := onRedis(redis)
	set["REDIS_STARTUP_INITIAL_INTERVAL"] = "20ms"
	set["REDIS_STARTUP_MAX_INTERVAL"] = "100ms"
	set["GRPC_PORT"] = grpcPort
	p := launch(t, shopRules, set)

	p.address("debug")
	p.address("http")
	if got := p.get("http", "/healthcheck"); got.code != http.StatusInternalServerError || got.body != "" {
		t.Errorf("/healthcheck: got %d %q, want 500 without body", got.code, got.body)
	}
	asked := time.Now()
	if got := p.postJSON(jsonDescriptor("shop", "path", "/api")); got.code != http.StatusServiceUnavailable {
		t.Errorf("/json: got %d %q, want 503", got.code, got.body)
	}
	if took := time.Since(asked); took > 20*time.Second {
		t.Errorf("/json took %v, want an answer at once", took)
	}
	if got := p.postJSON(jsonDescriptor("shop", "path", "/free")); got.code != http.StatusOK {
		t.Errorf("/json without a counter: got %d %q, want 200", got.code, got.body)
	}
	if conn, err := net.Dial("tcp", grpcAddress); err == nil {
		conn.Close()
		t.Errorf("the gRPC port is open without redis")
	}
	p.log.has(t, redis.Addr())

	if err := redis.Restart(); err != nil {
		t.Fatal(err)
	}
	p.address("grpc")
	eventually(t, "healthy", func() bool { return p.get("http", "/healthcheck").code == http.StatusOK })
	if _, err := p.client().ShouldRateLimit(t.Context(), ask("shop", "path=/api")); err != nil {
		t.Error(err)
	}
	if err := p.stop(); err != nil {
		t.Errorf("got %v at the end, want nil", err)
	}
}

func TestStopWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	address, _ := freeAddress(t)
	p := launch(t, shopRules, environ{"REDIS_SOCKET_TYPE": "tcp", "REDIS_URL": address})
	p.address("http")
	if err := p.stop(); err != nil {
		t.Errorf("got %v, want nil", err)
	}
}

func TestStartGivesUpOnRedis(t *testing.T) {
	t.Parallel()
	address, _ := freeAddress(t)
	nobody, _ := freeAddress(t)
	redis := environ{
		"REDIS_SOCKET_TYPE": "tcp", "REDIS_URL": "redis://joe:hunter2@" + address,
		"REDIS_STARTUP_INITIAL_INTERVAL": "20ms", "REDIS_STARTUP_MAX_ELAPSED_TIME": "200ms",
	}
	for name, more := range map[string]environ{
		"with rules":                      {},
		"while the rules are awaited too": {"CONFIG_TYPE": "GRPC_XDS_SOTW", "CONFIG_GRPC_XDS_SERVER_URL": nobody},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			maps.Copy(more, redis)
			p := launch(t, shopRules, more)
			p.wait()
			if p.err == nil || !strings.Contains(p.err.Error(), address) {
				t.Errorf("got %v, want an error with the address", p.err)
			}
			if shown := p.log.String() + p.err.Error(); strings.Contains(shown, "hunter2") {
				t.Errorf("the password is shown in\n%s", shown)
			}
		})
	}
}

func TestStartWaitsForTheFirstRules(t *testing.T) {
	t.Parallel()
	nobody, _ := freeAddress(t)
	p := launch(t, "", environ{"CONFIG_TYPE": "GRPC_XDS_SOTW", "CONFIG_GRPC_XDS_SERVER_URL": nobody})
	if got := p.get("debug", "/healthz").code; got != http.StatusOK {
		t.Errorf("/healthz: got %d, want 200", got)
	}
	if got := p.get("debug", "/readyz").code; got != http.StatusInternalServerError {
		t.Errorf("/readyz: got %d, want 500", got)
	}
	if got := p.get("debug", "/rlconfig"); got.code != http.StatusOK || got.body != "" {
		t.Errorf("/rlconfig: got %d %q, want 200 and nothing", got.code, got.body)
	}
	if p.open("http") != "" || p.open("grpc") != "" {
		t.Errorf("got HTTP at %q and gRPC at %q, want both closed without rules", p.open("http"), p.open("grpc"))
	}
	if err := p.stop(); err != nil {
		t.Errorf("got %v at the end, want nil", err)
	}
}

func TestForcedStartWithoutRules(t *testing.T) {
	t.Parallel()
	nobody, _ := freeAddress(t)
	p := start(t, "", environ{
		"CONFIG_TYPE": "grpc_xds_sotw", "CONFIG_GRPC_XDS_SERVER_URL": nobody, "FORCE_START_WITHOUT_INITIAL_CONFIG": "true",
	})
	_, err := p.client().ShouldRateLimit(t.Context(), ask("shop", "path=/api"))
	if got := status.Convert(err); got.Code() != codes.Unknown || got.Message() != "no rate limit configuration loaded" {
		t.Errorf("got %v, want Unknown, no rate limit configuration loaded", err)
	}
	if got := p.postJSON(jsonDescriptor("shop", "path", "/api")); got.code != http.StatusServiceUnavailable {
		t.Errorf("got %d %q, want 503", got.code, got.body)
	}
	checkHealth(t, p, true)
}

func TestStartWithARejectedSet(t *testing.T) {
	t.Parallel()
	p := start(t, "domain: shop\ndescriptors: [{key: a, rate_limit: {unit: fortnight}}]\n", nil)
	_, err := p.client().ShouldRateLimit(t.Context(), ask("shop", "a=b"))
	if got := status.Convert(err).Message(); got != "no rate limit configuration loaded" {
		t.Errorf("got %q, want that no configuration is loaded", got)
	}
	p.write("rules.yaml", shopRules)
	eventually(t, "a good set is used", func() bool {
		_, err := p.client().ShouldRateLimit(t.Context(), ask("shop", "a=b"))
		return err == nil
	})
}

func TestNothingIsWritten(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	var names []string
	entries, err := os.ReadDir(filepath.Dir(p.rules))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if len(names) != 1 || names[0] != "config" {
		t.Errorf("got %q beside the rules, want nothing: no data folder is needed", names)
	}
}
