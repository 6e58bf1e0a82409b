package app_test

import (
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"stoa/ratelimit/memcache/memcachetest"
	"stoa/ratelimit/redis/redistest"
)

const shopRules = `domain: shop
descriptors:
  - key: path
    value: /api
    rate_limit: {unit: year, requests_per_unit: 2, name: api}
    descriptors:
      - key: user
        rate_limit: {unit: week, requests_per_unit: 10}
  - key: path
    value: /five
    rate_limit: {unit: minute, unit_multiplier: 5, requests_per_unit: 100}
  - key: path
    value: /free
    rate_limit: {unlimited: true}
  - key: path
    value: /none
    rate_limit: {unit: year, requests_per_unit: 0}
  - key: path
    value: /try
    rate_limit: {unit: year, requests_per_unit: 1}
    shadow_mode: true
  - key: path
    value: /any*
    rate_limit: {unit: year, requests_per_unit: 1}
    share_threshold: true
`

// backends is the same app on each backend that counts exactly.
func backends(t *testing.T, test func(t *testing.T, set environ)) {
	t.Run("memory", func(t *testing.T) { t.Parallel(); test(t, environ{"BACKEND_TYPE": "memory"}) })
	t.Run("redis", func(t *testing.T) { t.Parallel(); test(t, onRedis(redistest.Start(t))) })
	t.Run("memcache", func(t *testing.T) {
		t.Parallel()
		test(t, environ{"BACKEND_TYPE": "memcache", "MEMCACHE_HOST_PORT": memcachetest.Start(t).Addr})
	})
}

func onRedis(server *redistest.Server) environ {
	return environ{"BACKEND_TYPE": "redis", "REDIS_SOCKET_TYPE": "tcp", "REDIS_URL": server.Addr()}
}

func TestDecisionOverGRPC(t *testing.T) {
	t.Parallel()
	backends(t, func(t *testing.T, set environ) {
		p := start(t, shopRules, set)
		client := p.client()
		const over, ok = rlsv3.RateLimitResponse_OVER_LIMIT, rlsv3.RateLimitResponse_OK
		for _, step := range []struct {
			name      string
			request   *rlsv3.RateLimitRequest
			code      rlsv3.RateLimitResponse_Code
			limit     *rlsv3.RateLimitResponse_RateLimit
			remaining uint32
		}{
			{"first of two", ask("shop", "path=/api"), ok, limit(2, rlsv3.RateLimitResponse_RateLimit_YEAR, "api"), 1},
			{"nested", ask("shop", "path=/api,user=u1"), ok, limit(10, rlsv3.RateLimitResponse_RateLimit_WEEK, ""), 9},
			{"nested, other value", ask("shop", "path=/api,user=u2"), ok, limit(10, rlsv3.RateLimitResponse_RateLimit_WEEK, ""), 9},
			{"too deep", ask("shop", "path=/api,user=u1,x=y"), ok, nil, 0},
			{"no rule", ask("shop", "colour=red"), ok, nil, 0},
			{"no such domain", ask("garage", "path=/api"), ok, nil, 0},
			{"unlimited", ask("shop", "path=/free"), ok, nil, math.MaxUint32},
			{"zero", ask("shop", "path=/none"), over, limit(0, rlsv3.RateLimitResponse_RateLimit_YEAR, ""), 0},
			{"shared by a pattern", ask("shop", "path=/any1"), ok, limit(1, rlsv3.RateLimitResponse_RateLimit_YEAR, ""), 0},
		} {
			got, err := client.ShouldRateLimit(t.Context(), step.request)
			if err != nil {
				t.Fatalf("%s: %v", step.name, err)
			}
			want := &rlsv3.RateLimitResponse{
				OverallCode: step.code,
				Statuses: []*rlsv3.RateLimitResponse_DescriptorStatus{
					{Code: step.code, CurrentLimit: step.limit, LimitRemaining: step.remaining},
				},
			}
			checkResets(t, step.name, got)
			if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
				t.Errorf("%s: want(-) got(+):\n%s", step.name, diff)
			}
		}
		for _, step := range []struct {
			name, path string
			want       rlsv3.RateLimitResponse_Code
		}{
			{"at the limit", "path=/api", ok},
			{"over", "path=/api", over},
			{"other value of a shared pattern", "path=/any2", over},
			{"shadow mode", "path=/try", ok},
			{"over in shadow mode", "path=/try", ok},
		} {
			var got *rlsv3.RateLimitResponse
			eventually(t, step.name, func() bool { // memcached is written after the answer
				var err error
				if got, err = client.ShouldRateLimit(t.Context(), ask("shop", step.path)); err != nil {
					t.Fatal(err)
				}
				return got.OverallCode == step.want
			})
			if step.want == over && got.Statuses[0].LimitRemaining != 0 {
				t.Errorf("%s: got %d remaining, want 0", step.name, got.Statuses[0].LimitRemaining)
			}
		}
	})
}

func limit(n uint32, unit rlsv3.RateLimitResponse_RateLimit_Unit, name string) *rlsv3.RateLimitResponse_RateLimit {
	return &rlsv3.RateLimitResponse_RateLimit{RequestsPerUnit: n, Unit: unit, Name: name}
}

// checkResets looks at the resets and takes them out: they are there exactly with
// a limit, and lead to the end of a window that began at a multiple of its length.
func checkResets(t *testing.T, name string, r *rlsv3.RateLimitResponse) {
	t.Helper()
	seconds := map[string]int64{"SECOND": 1, "MINUTE": 60, "HOUR": 3600, "DAY": 86400, "WEEK": 604800, "MONTH": 2592000, "YEAR": 31536000}
	for i, s := range r.Statuses {
		if (s.CurrentLimit == nil) != (s.DurationUntilReset == nil) {
			t.Errorf("%s: status %d: got limit %v and reset %v, want both or none", name, i, s.CurrentLimit, s.DurationUntilReset)
		}
		if s.CurrentLimit == nil {
			continue
		}
		window := seconds[s.CurrentLimit.Unit.String()] * int64(max(s.CurrentLimit.UnitMultiplier.GetValue(), 1))
		latest := window - time.Now().Unix()%window
		got := s.DurationUntilReset
		if got.Nanos != 0 || got.Seconds < latest || got.Seconds > min(latest+2, window) {
			t.Errorf("%s: status %d: got reset %v, want %d s", name, i, got, latest)
		}
		s.DurationUntilReset = nil
	}
}

func TestWindowOfSeveralUnits(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	got, err := p.client().ShouldRateLimit(t.Context(), ask("shop", "path=/five"))
	if err != nil {
		t.Fatal(err)
	}
	checkResets(t, "five minutes", got)
	want := &rlsv3.RateLimitResponse_RateLimit{RequestsPerUnit: 100, Unit: rlsv3.RateLimitResponse_RateLimit_MINUTE, UnitMultiplier: wrapperspb.UInt32(5)}
	if diff := cmp.Diff(want, got.Statuses[0].CurrentLimit, protocmp.Transform()); diff != "" {
		t.Errorf("want(-) got(+):\n%s", diff)
	}
}

func TestStatusesKeepTheOrderOfDescriptors(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	request := ask("shop", "path=/none", "path=/free", "colour=red", "path=/api")
	request.HitsAddend = 2
	got, err := p.client().ShouldRateLimit(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, s := range got.Statuses {
		codes = append(codes, s.Code.String())
	}
	if want := []string{"OVER_LIMIT", "OK", "OK", "OK"}; !cmp.Equal(codes, want) || got.OverallCode != rlsv3.RateLimitResponse_OVER_LIMIT {
		t.Errorf("got %v, overall %v, want %v, overall OVER_LIMIT", codes, got.OverallCode, want)
	}
}

func TestHitsOfADescriptor(t *testing.T) {
	t.Parallel()
	p := start(t, "domain: shop\ndescriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 100}}]\n", nil)
	client := p.client()
	hits := func(request uint32, own *wrapperspb.UInt64Value, back bool) uint32 {
		t.Helper()
		r := ask("shop", "user=u")
		r.HitsAddend, r.Descriptors[0].HitsAddend, r.Descriptors[0].IsNegativeHits = request, own, back
		got, err := client.ShouldRateLimit(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return 100 - got.Statuses[0].LimitRemaining
	}
	for _, step := range []struct {
		name    string
		request uint32
		own     *wrapperspb.UInt64Value
		back    bool
		want    uint32 // count after the call
	}{
		{"none is one", 0, nil, false, 1},
		{"of the request", 5, nil, false, 6},
		{"of the descriptor", 5, wrapperspb.UInt64(10), false, 16},
		{"zero only looks", 5, wrapperspb.UInt64(0), false, 16},
		{"given back", 5, wrapperspb.UInt64(6), true, 10},
		{"never below zero", 5, wrapperspb.UInt64(1000), true, 0},
	} {
		if got := hits(step.request, step.own, step.back); got != step.want {
			t.Errorf("%s: got count %d, want %d", step.name, got, step.want)
		}
	}
}

func TestOverride(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	client := p.client()
	override := func(domain string, unit typev3.RateLimitUnit, n uint32, multiplier *wrapperspb.UInt32Value) *rlsv3.RateLimitResponse_DescriptorStatus {
		t.Helper()
		r := ask(domain, "colour=blue")
		r.Descriptors[0].Limit = &rlcommonv3.RateLimitDescriptor_RateLimitOverride{RequestsPerUnit: n, Unit: unit, UnitMultiplier: multiplier}
		got, err := client.ShouldRateLimit(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		checkResets(t, "override", got)
		return got.Statuses[0]
	}
	for _, test := range []struct {
		name       string
		domain     string
		unit       typev3.RateLimitUnit
		n          uint32
		multiplier *wrapperspb.UInt32Value
		want       *rlsv3.RateLimitResponse_RateLimit
	}{
		{"second", "shop", typev3.RateLimitUnit_SECOND, 7, nil, limit(7, rlsv3.RateLimitResponse_RateLimit_SECOND, "")},
		{"month", "shop", typev3.RateLimitUnit_MONTH, 7, nil, limit(7, rlsv3.RateLimitResponse_RateLimit_MONTH, "")},
		{"year", "shop", typev3.RateLimitUnit_YEAR, 7, wrapperspb.UInt32(0), limit(7, rlsv3.RateLimitResponse_RateLimit_YEAR, "")},
		{"several units", "shop", typev3.RateLimitUnit_DAY, 7, wrapperspb.UInt32(2), &rlsv3.RateLimitResponse_RateLimit{
			RequestsPerUnit: 7, Unit: rlsv3.RateLimitResponse_RateLimit_DAY, UnitMultiplier: wrapperspb.UInt32(2)}},
		{"over 100 years", "shop", typev3.RateLimitUnit_YEAR, 7, wrapperspb.UInt32(101), nil},
		{"unknown unit", "shop", typev3.RateLimitUnit_UNKNOWN, 7, nil, nil},
		{"undefined unit", "shop", 99, 7, nil, nil},
		{"undefined for overrides", "shop", 7, 7, nil, nil},
		{"negative unit", "shop", -1, 7, nil, nil},
		{"unknown domain", "garage", typev3.RateLimitUnit_DAY, 0, nil, nil},
	} {
		got := override(test.domain, test.unit, test.n, test.multiplier)
		if diff := cmp.Diff(test.want, got.CurrentLimit, protocmp.Transform()); diff != "" {
			t.Errorf("%s: want(-) got(+):\n%s", test.name, diff)
		}
	}
	if got := override("shop", typev3.RateLimitUnit_HOUR, 0, nil); got.Code != rlsv3.RateLimitResponse_OVER_LIMIT {
		t.Errorf("override of 0: got %v, want OVER_LIMIT", got.Code)
	}
}

func TestDecisionOverJSON(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	type object = map[string]any
	status := func(fields object) object { return object{"overallCode": fields["code"], "statuses": []any{fields}} }
	api := object{"requestsPerUnit": 2.0, "unit": "YEAR", "name": "api"}
	for _, step := range []struct {
		name, body string
		code       int
		want       object
	}{
		{"camel case", jsonDescriptor("shop", "path", "/api"), 200, status(object{"code": "OK", "currentLimit": api, "limitRemaining": 1.0})},
		{"original names", `{"domain":"shop","hits_addend":1,"descriptors":[{"entries":[{"key":"path","value":"/api"}]}]}`, 200,
			status(object{"code": "OK", "currentLimit": api})},
		{"over", jsonDescriptor("shop", "path", "/api"), 429, status(object{"code": "OVER_LIMIT", "currentLimit": api})},
		{"no rule", jsonDescriptor("shop", "x", "y"), 200, status(object{"code": "OK"})},
		{"unlimited", jsonDescriptor("shop", "path", "/free"), 200, status(object{"code": "OK", "limitRemaining": 4294967295.0})},
		{"empty entries", `{"domain":"shop","descriptors":[{}]}`, 200, status(object{"code": "OK"})},
		{"empty key and value", jsonDescriptor("shop", "", ""), 200, status(object{"code": "OK"})},
		{"addend as a number", `{"domain":"shop","descriptors":[{"entries":[{"key":"path","value":"/five"}],"hitsAddend":7}]}`, 200, status(object{
			"code": "OK", "currentLimit": object{"requestsPerUnit": 100.0, "unit": "MINUTE", "unitMultiplier": 5.0}, "limitRemaining": 93.0})},
		{"addend as a string", `{"domain":"shop","descriptors":[{"entries":[{"key":"path","value":"/five"}],"hitsAddend":"3"}]}`, 200, status(object{
			"code": "OK", "currentLimit": object{"requestsPerUnit": 100.0, "unit": "MINUTE", "unitMultiplier": 5.0}, "limitRemaining": 90.0})},
	} {
		got := p.postJSON(step.body)
		var decoded object
		if err := json.Unmarshal([]byte(got.body), &decoded); err != nil {
			t.Fatalf("%s: %v in %q", step.name, err, got.body)
		}
		for _, s := range decoded["statuses"].([]any) {
			s := s.(object)
			if reset, _ := s["durationUntilReset"].(string); (s["currentLimit"] != nil) != strings.HasSuffix(reset, "s") {
				t.Errorf("%s: got reset %q beside limit %v", step.name, reset, s["currentLimit"])
			}
			delete(s, "durationUntilReset")
		}
		if diff := cmp.Diff(step.want, decoded); diff != "" || got.code != step.code {
			t.Errorf("%s: got code %d, want %d; want(-) got(+):\n%s", step.name, got.code, step.code, diff)
		}
		if got := got.header.Get("Content-Type"); got != "application/json" {
			t.Errorf("%s: got content type %q, want application/json", step.name, got)
		}
	}
}

func TestJSONTakesAnyMethod(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodPatch, http.MethodDelete, "FROB"} {
		got := fetch(t, method, "http://"+p.address("http")+"/json", jsonDescriptor("shop", "x", "y"))
		if got.code != http.StatusOK || !strings.Contains(got.body, `"overallCode":"OK"`) {
			t.Errorf("%s: got %d %q, want a decision", method, got.code, got.body)
		}
	}
}

func TestGlobalModes(t *testing.T) {
	t.Parallel()
	const rules = `domain: shop
descriptors:
  - {key: a, rate_limit: {unit: year, requests_per_unit: 0}}
  - {key: b, rate_limit: {unit: year, requests_per_unit: 9}}
`
	for _, test := range []struct {
		name        string
		set         environ
		descriptors []string
		want        int
		wantFirst   string
	}{
		{"plain", nil, []string{"a=1", "b=1"}, 429, "OVER_LIMIT"},
		{"shadow mode keeps the status", environ{"SHADOW_MODE": "true"}, []string{"a=1"}, 200, "OVER_LIMIT"},
		{"quota mode passes while one has room", environ{"QUOTA_MODE": "true"}, []string{"a=1", "b=1"}, 200, "OVER_LIMIT"},
		{"quota mode counts a descriptor without rule", environ{"QUOTA_MODE": "true"}, []string{"a=1", "none=1"}, 200, "OVER_LIMIT"},
		{"quota mode refuses when all are over", environ{"QUOTA_MODE": "true"}, []string{"a=1", "a=2"}, 429, "OVER_LIMIT"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, rules, test.set)
			got, err := p.client().ShouldRateLimit(t.Context(), ask("shop", test.descriptors...))
			if err != nil {
				t.Fatal(err)
			}
			want := map[int]string{200: "OK", 429: "OVER_LIMIT"}[test.want]
			if got.OverallCode.String() != want || got.Statuses[0].Code.String() != test.wantFirst {
				t.Errorf("got %v, first status %v, want %s, %s", got.OverallCode, got.Statuses[0].Code, want, test.wantFirst)
			}
		})
	}
}
