package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/app"
	"stoa/ratelimit/redis/redistest"
)

func TestDebugIndex(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	lines := strings.Split(strings.TrimSpace(p.get("debug", "/").body), "\n")
	var paths []string
	for _, line := range lines {
		path, help, ok := strings.Cut(line, ": ")
		if !ok || help == "" {
			t.Errorf("got %q, want path: help", line)
		}
		paths = append(paths, path)
	}
	if !slices.IsSorted(paths) {
		t.Errorf("got %q, want it sorted", paths)
	}
	for _, want := range []string{"/debug/pprof/", "/rlconfig", "/stats", "/explain", "/live", "/healthz", "/readyz", "/metrics"} {
		if !slices.Contains(paths, want) {
			t.Errorf("%s is missing in %q", want, paths)
		}
	}
	for _, path := range append(paths, "/debug/pprof/heap", "/debug/pprof/goroutine") {
		if path == "/live/events" || path == "/debug/pprof/profile" || path == "/explain" || path == "/debug/pprof/trace" {
			continue // these take their time, or a question
		}
		if got := p.get("debug", path).code; got != http.StatusOK {
			t.Errorf("%s: got %d, want 200", path, got)
		}
	}
	for _, path := range []string{"/stats.json", "/json", "/nothing"} {
		if got := p.get("debug", path).code; got != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", path, got)
		}
	}
}

// A server that gives up slow senders must not give up those who listen.
func TestTraceOutlivesTheReadTimeout(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(app.DebugPort())
	server.Config.ReadTimeout = 300 * time.Millisecond
	server.Start()
	t.Cleanup(server.Close)
	began := time.Now()
	if got := fetch(t, http.MethodGet, server.URL+"/debug/pprof/trace?seconds=1", ""); got.code != http.StatusOK {
		t.Errorf("got %d, want 200", got.code)
	}
	if took := time.Since(began); took < time.Second {
		t.Errorf("got an answer after %v, want a second of trace", took)
	}
}

func TestRLConfig(t *testing.T) {
	t.Parallel()
	const rules = `domain: shop
descriptors:
  - key: path
    value: /a*
    rate_limit: {unit: hour, requests_per_unit: 5}
    shadow_mode: true
    descriptors:
      - {key: user, rate_limit: {unit: Week, requests_per_unit: 7}, quota_mode: true}
  - {key: free, rate_limit: {unlimited: true}}
  - {key: five, rate_limit: {unit: minute, unit_multiplier: 5, requests_per_unit: 100}}
  - {key: level, descriptors: [{key: deep, value: 1, rate_limit: {unit: second}}]}
`
	p := start(t, rules, nil)
	got := strings.Split(strings.TrimSpace(p.get("debug", "/rlconfig").body), "\n")
	want := []string{
		"shop.path_/a*: unit=HOUR requests_per_unit=5, shadow_mode: true, quota_mode: false",
		"shop.path_/a*.user: unit=WEEK requests_per_unit=7, shadow_mode: false, quota_mode: true",
		"shop.free: unit=UNKNOWN requests_per_unit=0, shadow_mode: false, quota_mode: false",
		"shop.five: unit=MINUTE requests_per_unit=100, shadow_mode: false, quota_mode: false, unit_multiplier: 5",
		"shop.level.deep_1: unit=SECOND requests_per_unit=0, shadow_mode: false, quota_mode: false",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestStatsPage(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	if _, err := p.client().ShouldRateLimit(t.Context(), ask("shop", "path=/api")); err != nil {
		t.Fatal(err)
	}
	text := p.get("debug", "/stats").body
	for name, want := range map[string]float64{
		ruleStat("shop.path_/api", "total_hits"):               1,
		ruleStat("shop.path_/api", "within_limit"):             1,
		"ratelimit.service.config_load_success":                1,
		"ratelimit_server.ShouldRateLimit.total_requests":      1,
		"ratelimit.memory.keys":                                1,
		"ratelimit.service.call.should_rate_limit.redis_error": 0,
	} {
		if got, ok := p.stats()[name]; got != want || !ok {
			t.Errorf("%s: got %v (there: %v), want %v", name, got, ok, want)
		}
		if line := fmt.Sprintf("%s: %v\n", name, want); !strings.Contains(text, line) {
			t.Errorf("the text lacks %q", line)
		}
	}
	if p.stats()["ratelimit.go.numGoroutine"] < 1 {
		t.Error("got no figures of the process")
	}
}

func TestStatsPageWithStatisticsOff(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, environ{"DISABLE_STATS": "true"})
	if _, err := p.client().ShouldRateLimit(t.Context(), ask("shop", "path=/api")); err != nil {
		t.Fatal(err)
	}
	figures := p.stats()
	if len(figures) == 0 {
		t.Error("got nothing, want the figures of the process")
	}
	for name := range figures {
		if !strings.HasPrefix(name, "ratelimit.go.") {
			t.Errorf("got %s, want figures of the process alone", name)
		}
	}
	if got := p.stdout.String(); got != "" {
		t.Errorf("got %q on standard output, want nothing", got)
	}
}

// explanation is the parts of an explanation that tests look at.
type explanation struct {
	Domain      string
	DomainKnown bool
	OverallCode string
	Backend     string
	Descriptors []struct {
		Result, Reason, Key, Code, ResetsAt, DurationUntilReset, ReplacedBy, CountError string
		Count, Hits, LimitRemaining                                                     *uint64
		Rule                                                                            *struct{ Path, File string }
	}
}

func explain(t *testing.T, got answer) explanation {
	t.Helper()
	var e explanation
	if got.code != http.StatusOK {
		t.Fatalf("got %d %q, want 200", got.code, got.body)
	}
	if err := json.Unmarshal([]byte(got.body), &e); err != nil {
		t.Fatalf("%v in %q", err, got.body)
	}
	return e
}

func TestExplainChangesNothing(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	set := maps.Clone(onRedis(redis))
	set["LOCAL_CACHE_SIZE_IN_BYTES"] = "1000000"
	p := start(t, shopRules, set)
	keys := func() string {
		out, err := redis.Command("DBSIZE")
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out)
	}
	unchanged := func() map[string]float64 {
		figures := p.stats()
		maps.DeleteFunc(figures, func(name string, _ float64) bool {
			return strings.HasPrefix(name, "ratelimit.go.") || strings.HasPrefix(name, "ratelimit.redis_pool.")
		})
		return figures
	}
	before := unchanged()
	body := `{"domain":"shop","descriptors":[{"entries":[{"key":"path","value":"/api"}]},{"entries":[{"key":"path","value":"/none"}]},{"entries":[{"key":"x","value":"y"}]}]}`
	for range 3 {
		e := explain(t, fetch(t, http.MethodPost, "http://"+p.address("debug")+"/explain", body))
		d := e.Descriptors
		if e.Domain != "shop" || !e.DomainKnown || e.Backend != "redis" || e.OverallCode != "OVER_LIMIT" || len(d) != 3 {
			t.Fatalf("got %+v", e)
		}
		if d[0].Result != "limit" || *d[0].Count != 0 || *d[0].Hits != 1 || d[0].Code != "OK" || *d[0].LimitRemaining != 1 || d[0].Rule.Path != "shop.path_/api" {
			t.Errorf("got %+v for a first call", d[0])
		}
		if d[1].Code != "OVER_LIMIT" || d[2].Result != "no_rule" || d[2].Rule != nil || d[2].Count != nil {
			t.Errorf("got %+v and %+v", d[1], d[2])
		}
		e = explain(t, p.get("debug", "/explain?domain=garage&descriptors=path%3D/api&descriptors=a%3Db,c%3Dd"))
		if e.DomainKnown || len(e.Descriptors) != 2 || e.Descriptors[1].Result != "unknown_domain" {
			t.Errorf("got %+v for an unknown domain", e)
		}
	}
	if got := keys(); got != "0" {
		t.Errorf("got %s keys in redis, want none", got)
	}
	if after := unchanged(); !maps.Equal(before, after) {
		t.Errorf("statistics changed from %v to %v", before, after)
	}
	for range 3 {
		p.postJSON(jsonDescriptor("shop", "path", "/api"))
	}
	e := explain(t, p.get("debug", "/explain?domain=shop&descriptors=path%3D/api"))
	d := e.Descriptors[0]
	if e.OverallCode != "OVER_LIMIT" || *d.Count != 3 || d.Code != "OVER_LIMIT" || *d.LimitRemaining != 0 || d.Reason == "" {
		t.Errorf("got %+v for a key that is over", d)
	}
	window := time.Now().Unix() / 31536000 * 31536000
	if want := fmt.Sprint("shop_path_/api_", window); d.Key != want {
		t.Errorf("got key %q, want %q", d.Key, want)
	}
	if want := time.Unix(window+31536000, 0).UTC().Format(time.RFC3339); d.ResetsAt != want {
		t.Errorf("got reset at %q, want %q", d.ResetsAt, want)
	}
	if d.Rule.File != "rules.yaml" {
		t.Errorf("got file %q, want rules.yaml", d.Rule.File)
	}
}

func TestExplainRefusesAsJSONDoes(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	base := "http://" + p.address("debug") + "/explain"
	for _, test := range []struct{ name, method, url, body, want string }{
		{"nothing asked", "GET", base, "", "rate limit domain must not be empty"},
		{"no descriptors", "GET", base + "?domain=shop", "", "rate limit descriptor list must not be empty"},
		{"item without =", "GET", base + "?" + url.Values{"domain": {"shop"}, "descriptors": {"path"}}.Encode(), "", "path"},
		{"bad JSON", "POST", base, "{", ""},
		{"empty domain", "POST", base, `{"descriptors":[{}]}`, "rate limit domain must not be empty"},
	} {
		got := fetch(t, test.method, test.url, test.body)
		if got.code != http.StatusBadRequest || !strings.HasPrefix(got.body, "Bad Request\n") || !strings.Contains(got.body, test.want) {
			t.Errorf("%s: got %d %q, want 400 with %q", test.name, got.code, got.body, test.want)
		}
	}
	if got := p.stats()["ratelimit.service.call.should_rate_limit.service_error"]; got != 0 {
		t.Errorf("got service_error %v, want 0: no statistic changes", got)
	}
}

func TestExplainWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	p := start(t, shopRules, onRedis(redis))
	redis.Kill()
	e := explain(t, p.get("debug", "/explain?domain=shop&descriptors=path%3D/api"))
	d := e.Descriptors[0]
	if d.CountError == "" || d.Count != nil || d.Code != "" || d.LimitRemaining != nil || e.OverallCode != "" {
		t.Errorf("got %+v, overall %q, want the error instead of a count and what follows from it", d, e.OverallCode)
	}
}

func TestLivePage(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	page := p.get("debug", "/live")
	if got := page.header.Get("Content-Type"); !strings.HasPrefix(got, "text/html") {
		t.Errorf("got content type %q, want text/html", got)
	}
	policy := page.header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("got policy %q, want %s in it", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(page.body, "http://") || strings.Contains(page.body, "https://") {
		t.Errorf("the page allows or names something from elsewhere")
	}
	for _, want := range []string{"shop.path_/api", "memory"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestLiveEvents(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.address("debug")+"/live/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if got := response.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("got content type %q, want text/event-stream", got)
	}
	client := p.client()
	for range 5 {
		if _, err := client.ShouldRateLimit(t.Context(), ask("shop", "path=/api")); err != nil {
			t.Fatal(err)
		}
	}
	var hits, refused float64
	scanner := bufio.NewScanner(response.Body)
	for hits < 5 && scanner.Scan() {
		data, ok := strings.CutPrefix(scanner.Text(), "data: ")
		if !ok {
			continue
		}
		var moment struct {
			Healthy       bool
			Hits, Refused float64
			Rules, Keys   []struct {
				Name string
				Hits float64
			}
		}
		if err := json.Unmarshal([]byte(data), &moment); err != nil {
			t.Fatal(err)
		}
		if !moment.Healthy {
			t.Error("got an unhealthy moment")
		}
		if moment.Hits > 0 && (len(moment.Rules) != 1 || moment.Rules[0].Name != "shop.path_/api" || len(moment.Keys) != 1) {
			t.Errorf("got %+v, want the rule and its key", moment)
		}
		hits += moment.Hits
		refused += moment.Refused
	}
	if hits != 5 || refused != 3 {
		t.Errorf("got %v hits, %v refused, want 5, 3", hits, refused)
	}
}
