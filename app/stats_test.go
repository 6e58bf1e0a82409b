package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// statsd is a StatsD server on TCP that adds up counters.
type statsd struct {
	port string
	mu   sync.Mutex
	sums map[string]int64
	kind map[string]string
	bad  []string
}

func listenStatsD(t *testing.T) *statsd {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	s := &statsd{sums: make(map[string]int64), kind: make(map[string]string)}
	_, s.port, _ = net.SplitHostPort(listener.Addr().String())
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.read(conn)
		}
	}()
	return s
}

var statsdLine = regexp.MustCompile(`^([^:|]+):(-?[0-9]+(?:\.[0-9]+)?)\|(c|g|ms)$`)

func (s *statsd) read(conn net.Conn) {
	defer conn.Close()
	for scanner := bufio.NewScanner(conn); scanner.Scan(); {
		s.take(scanner.Text())
	}
}

func (s *statsd) take(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := statsdLine.FindStringSubmatch(line)
	if m == nil {
		s.bad = append(s.bad, line)
		return
	}
	n, _ := strconv.ParseFloat(m[2], 64)
	if m[3] == "c" {
		s.sums[m[1]] += int64(n)
	} else {
		s.sums[m[1]] = int64(n)
	}
	s.kind[m[1]] = m[3]
}

func (s *statsd) sum(name string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sums[name]
}

func TestStatisticsToStatsD(t *testing.T) {
	t.Parallel()
	server := listenStatsD(t)
	const rules = `domain: shop
descriptors:
  - {key: ten, rate_limit: {unit: year, requests_per_unit: 10}}
  - {key: one, rate_limit: {unit: year, requests_per_unit: 1}}
  - {key: zero, rate_limit: {unit: year, requests_per_unit: 0}, shadow_mode: true}
  - {key: each, rate_limit: {unit: year, requests_per_unit: 10}, detailed_metric: true}
`
	p := start(t, rules, environ{
		"USE_STATSD": "true", "STATSD_HOST": "127.0.0.1", "STATSD_PORT": server.port, "STATS_FLUSH_INTERVAL": "20ms",
	})
	client := p.client()
	hit := func(domain, descriptor string, hits uint32) {
		t.Helper()
		r := ask(domain, descriptor)
		r.HitsAddend = hits
		if _, err := client.ShouldRateLimit(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	hit("shop", "ten=a", 9)
	hit("shop", "ten=a", 5)
	hit("shop", "one=a", 1)
	hit("shop", "zero=a", 3)
	hit("shop", "each=10.0.0.1:80", 8)
	hit("shop", "each=10.0.0.1:80", 1)
	hit("garage", "ten=a", 1)
	if _, err := client.ShouldRateLimit(t.Context(), ask("")); err == nil {
		t.Fatal("got no error without a domain")
	}
	want := map[string]int64{
		ruleStat("shop.ten", "total_hits"): 14, ruleStat("shop.ten", "over_limit"): 4,
		ruleStat("shop.ten", "near_limit"): 2, ruleStat("shop.ten", "within_limit"): 9,
		ruleStat("shop.one", "total_hits"): 1, ruleStat("shop.one", "near_limit"): 1, ruleStat("shop.one", "within_limit"): 1,
		ruleStat("shop.zero", "total_hits"): 3, ruleStat("shop.zero", "over_limit"): 3, ruleStat("shop.zero", "shadow_mode"): 3,
		ruleStat("shop.each_10_0_0_1_80", "total_hits"): 9, ruleStat("shop.each_10_0_0_1_80", "near_limit"): 1,
		ruleStat("shop.each_10_0_0_1_80", "within_limit"):        9,
		"ratelimit.service.rate_limit.garage.domain_not_found":   1,
		"ratelimit.service.call.should_rate_limit.service_error": 1,
		"ratelimit.service.config_load_success":                  1,
		"ratelimit_server.ShouldRateLimit.total_requests":        8,
	}
	for name, n := range want {
		eventually(t, fmt.Sprint(name, " is ", n), func() bool { return server.sum(name) == n })
	}
	server.mu.Lock()
	defer server.mu.Unlock()
	for name, kind := range map[string]string{
		"ratelimit_server.ShouldRateLimit.response_time": "ms", "ratelimit.go.numGoroutine": "g", "ratelimit.memory.keys": "g",
	} {
		if server.kind[name] != kind {
			t.Errorf("%s: got kind %q, want %q", name, server.kind[name], kind)
		}
	}
	for name := range server.sums {
		if _, known := want[name]; !known && server.kind[name] == "c" && strings.HasPrefix(name, "ratelimit.service.") {
			t.Errorf("got %s, want that a counter without an increase is not sent", name)
		}
	}
	if len(server.bad) > 0 {
		t.Errorf("got lines that are no StatsD: %q", server.bad)
	}
}

func TestStatisticsAreFlushedAtTheEnd(t *testing.T) {
	t.Parallel()
	server := listenStatsD(t)
	p := start(t, shopRules, environ{
		"USE_STATSD": "true", "STATSD_HOST": "127.0.0.1", "STATSD_PORT": server.port, "STATS_FLUSH_INTERVAL": "1h", "EXTRA_TAGS": "zone:b,app:a",
	})
	if _, err := p.client().ShouldRateLimit(t.Context(), ask("shop", "path=/api")); err != nil {
		t.Fatal(err)
	}
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	name := ruleStat("shop.path_/api", "total_hits") + ".__app=a.__zone=b"
	eventually(t, name+" is 1", func() bool { return server.sum(name) == 1 })
}

func TestStatisticsOnStandardOutput(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, environ{"STATS_FLUSH_INTERVAL": "20ms"})
	if _, err := p.client().ShouldRateLimit(t.Context(), ask("shop", "path=/api")); err != nil {
		t.Fatal(err)
	}
	p.stdout.has(t, ruleStat("shop.path_/api", "total_hits"))
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	found := false
	for line := range strings.Lines(p.stdout.String()) {
		var got struct {
			Level, TS, Logger, Msg any
			JSON                   struct {
				Name, Type string
				Value      any
			}
		}
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&got); err != nil || got.Level == nil || got.TS == nil || got.Logger == nil || got.Msg == nil || got.JSON.Name == "" {
			t.Fatalf("got line %q, error %v, want level, ts, logger, msg and json", line, err)
		}
		if got.JSON.Name == ruleStat("shop.path_/api", "total_hits") {
			found = true
			if n, _ := strconv.ParseFloat(fmt.Sprint(got.JSON.Value), 64); got.JSON.Type != "counter" || n != 1 {
				t.Errorf("got %+v, want a counter of 1", got.JSON)
			}
		}
	}
	if !found {
		t.Error("the counter is not there")
	}
}

func TestStatisticsForPrometheus(t *testing.T) {
	t.Parallel()
	const rules = `domain: shop
descriptors:
  - key: a
    rate_limit: {unit: year, requests_per_unit: 1}
    descriptors:
      - key: b
        descriptors:
          - {key: c, rate_limit: {unit: year, requests_per_unit: 5}}
          - {key: d, rate_limit: {unit: year, requests_per_unit: 5}}
`
	p := start(t, rules, environ{
		"USE_PROMETHEUS": "true", "PROMETHEUS_ADDR": "127.0.0.1:0", "PROMETHEUS_PATH": "/scrape", "EXTRA_TAGS": "zone:b",
	})
	client := p.client()
	for _, d := range []string{"a=1", "a=1", "a=1,b=1,c=1", "a=1,b=1,d=1"} {
		if _, err := client.ShouldRateLimit(t.Context(), ask("shop", d)); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = client.ShouldRateLimit(t.Context(), ask(""))
	text := p.get("prometheus", "/scrape").body
	for metric, want := range map[string]string{
		`ratelimit_service_rate_limit_total_hits{domain="shop",key1="a",zone="b"}`:              "2",
		`ratelimit_service_rate_limit_over_limit{domain="shop",key1="a",zone="b"}`:              "1",
		`ratelimit_service_rate_limit_total_hits{domain="shop",key1="a",key2="b",zone="b"}`:     "2",
		`ratelimit_service_should_rate_limit_error{err_type="service_error",zone="b"}`:          "1",
		`ratelimit_service_total_requests{grpc_method="ShouldRateLimit",zone="b"}`:              "5",
		`ratelimit_service_response_time_seconds_count{grpc_method="ShouldRateLimit",zone="b"}`: "5",
		`ratelimit_service_config_load_success{zone="b"}`:                                       "1",
	} {
		if !strings.Contains(text, metric+" "+want+"\n") {
			t.Errorf("want %s %s", metric, want)
		}
	}
	for _, name := range []string{"go_goroutines", "process_cpu_seconds_total", "ratelimit_service_response_time_seconds_bucket"} {
		if !strings.Contains(text, "\n"+name) {
			t.Errorf("%s is missing", name)
		}
	}
	if t.Failed() {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "ratelimit") {
				t.Log(strings.TrimSpace(line))
			}
		}
	}
	if got := p.get("prometheus", "/metrics").code; got != 404 {
		t.Errorf("/metrics on the scrape port: got %d, want 404: the path is another", got)
	}
}

func TestMetricsOnTheDebugPort(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil) // another sink
	if _, err := p.client().ShouldRateLimit(t.Context(), ask("shop", "path=/api")); err != nil {
		t.Fatal(err)
	}
	want := `ratelimit_service_rate_limit_total_hits{domain="shop",key1="path_/api"} 1`
	if got := p.get("debug", "/metrics").body; !strings.Contains(got, want) {
		t.Errorf("want %s", want)
	}
}

func TestLocalCacheStatistics(t *testing.T) {
	t.Parallel()
	set := environ{"LOCAL_CACHE_SIZE_IN_BYTES": "1000000"}
	backends(t, func(t *testing.T, backend environ) {
		maps.Copy(backend, set)
		p := start(t, shopRules, backend)
		client := p.client()
		for range 3 {
			if _, err := client.ShouldRateLimit(t.Context(), ask("shop", "path=/none")); err != nil {
				t.Fatal(err)
			}
		}
		figures := p.stats()
		got := map[string]float64{}
		for _, stat := range []string{"total_hits", "over_limit", "over_limit_with_local_cache"} {
			got[stat] = figures[ruleStat("shop.path_/none", stat)]
		}
		want := map[string]float64{"total_hits": 3, "over_limit": 3, "over_limit_with_local_cache": 2}
		if backend["BACKEND_TYPE"] == "memory" {
			want["over_limit_with_local_cache"] = 0
		} else if figures["ratelimit.localcache.entryCount"] != 1 || figures["ratelimit.localcache.hitCount"] != 2 {
			t.Errorf("got entryCount %v, hitCount %v, want 1, 2", figures["ratelimit.localcache.entryCount"], figures["ratelimit.localcache.hitCount"])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("want(-) got(+):\n%s", diff)
		}
	})
}
