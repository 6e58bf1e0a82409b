package app_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"stoa/ratelimit/redis/redistest"
)

func TestRefusalsOverGRPC(t *testing.T) {
	t.Parallel()
	good := start(t, shopRules, nil)
	rejected := start(t, "domain: \"\"\n", nil)
	for _, test := range []struct {
		name    string
		process *process
		request *rlsv3.RateLimitRequest
		want    string
	}{
		{"empty request", good, &rlsv3.RateLimitRequest{}, "rate limit domain must not be empty"},
		{"empty domain", good, ask("", "path=/api"), "rate limit domain must not be empty"},
		{"no descriptors", good, ask("shop"), "rate limit descriptor list must not be empty"},
		{"no rules", rejected, ask("shop", "path=/api"), "no rate limit configuration loaded"},
		{"empty domain goes before no rules", rejected, ask("", "path=/api"), "rate limit domain must not be empty"},
		{"no descriptors goes before no rules", rejected, ask("shop"), "rate limit descriptor list must not be empty"},
	} {
		_, err := test.process.client().ShouldRateLimit(t.Context(), test.request)
		if got := status.Convert(err); got.Code() != codes.Unknown || got.Message() != test.want {
			t.Errorf("%s: got %v %q, want Unknown %q", test.name, got.Code(), got.Message(), test.want)
		}
	}
	if got := good.stats()["ratelimit.service.call.should_rate_limit.service_error"]; got != 3 {
		t.Errorf("got service_error %v, want 3", got)
	}
}

func TestRefusalsOverJSON(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	const entries = `"entries":[{"key":"path","value":"/api"}]`
	for _, test := range []struct {
		name, body string
		want       string // in the reason
	}{
		{"empty body", "", ""},
		{"half an object", `{"domain":"shop"`, ""},
		{"no object", `[]`, ""},
		{"null", `null`, ""},
		{"text", `hello`, ""},
		{"unknown field", `{"domain":"shop","descriptors":[{` + entries + `}],"colour":"red"}`, "colour"},
		{"unknown field of a descriptor", `{"domain":"shop","descriptors":[{` + entries + `,"colour":"red"}]}`, "colour"},
		{"number for the domain", `{"domain":5,"descriptors":[{` + entries + `}]}`, ""},
		{"object for the descriptors", `{"domain":"shop","descriptors":{}}`, ""},
		{"negative addend", `{"domain":"shop","hitsAddend":-1,"descriptors":[{` + entries + `}]}`, ""},
		{"addend above 32 bits", `{"domain":"shop","hitsAddend":4294967296,"descriptors":[{` + entries + `}]}`, ""},
		{"descriptor addend above 64 bits", `{"domain":"shop","descriptors":[{` + entries + `,"hitsAddend":"18446744073709551616"}]}`, ""},
		{"negative descriptor addend", `{"domain":"shop","descriptors":[{` + entries + `,"hitsAddend":-1}]}`, ""},
		{"unit without such a name", `{"domain":"shop","descriptors":[{` + entries + `,"limit":{"unit":"FORTNIGHT","requestsPerUnit":1}}]}`, ""},
		{"field twice", `{"domain":"shop","domain":"shop","descriptors":[{` + entries + `}]}`, "domain"},
		{"word after the object", `{"domain":"shop","descriptors":[{` + entries + `}]} x`, ""},
		{"object after the object", `{"domain":"shop","descriptors":[{` + entries + `}]}{}`, ""},
		{"invalid UTF-8", "{\"domain\":\"sh\xffp\",\"descriptors\":[{" + entries + "}]}", ""},
		{"half a surrogate pair", `{"domain":"\ud800","descriptors":[{` + entries + `}]}`, ""},
		{"empty domain", `{"domain":"","descriptors":[{` + entries + `}]}`, "rate limit domain must not be empty"},
		{"no domain", `{"descriptors":[{` + entries + `}]}`, "rate limit domain must not be empty"},
		{"no descriptors", `{"domain":"shop"}`, "rate limit descriptor list must not be empty"},
		{"deeply nested", strings.Repeat(`{"descriptors":[`, 20000), ""},
	} {
		got := p.postJSON(test.body)
		first, reason, _ := strings.Cut(got.body, "\n")
		if got.code != http.StatusBadRequest || first != "Bad Request" || strings.TrimSpace(reason) == "" || !strings.Contains(reason, test.want) {
			t.Errorf("%s: got %d %q, want 400, Bad Request and a reason with %q", test.name, got.code, got.body, test.want)
		}
		if kind := got.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain") {
			t.Errorf("%s: got content type %q, want text/plain", test.name, kind)
		}
	}
	if got := p.postJSON(jsonDescriptor("shop", "path", "/api")); !strings.Contains(got.body, `"limitRemaining":1`) {
		t.Errorf("got %q after the refusals, want that none of them was counted", got.body)
	}
}

func TestJSONWithoutRulesIsUnavailable(t *testing.T) {
	t.Parallel()
	p := start(t, "domain: \"\"\n", nil)
	got := p.postJSON(jsonDescriptor("shop", "path", "/api"))
	if got.code != http.StatusServiceUnavailable || strings.TrimSpace(got.body) != "no rate limit configuration loaded" {
		t.Errorf("got %d %q, want 503 and the reason", got.code, got.body)
	}
}

func TestPathsOfTheHTTPPort(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	for path, want := range map[string]int{
		"/": 404, "/json/": 404, "/JSON": 404, "/json/x": 404, "/healthcheck/": 404, "/metrics": 404, "/debug/pprof/": 404, "/healthcheck": 200,
	} {
		if got := p.get("http", path).code; got != want {
			t.Errorf("%s: got %d, want %d", path, got, want)
		}
	}
}

func TestLargeRequests(t *testing.T) {
	t.Parallel()
	const most = 4 << 20
	p := start(t, shopRules, nil)
	body := jsonDescriptor("shop", "path", "/api")
	if got := p.postJSON(body + strings.Repeat(" ", most-len(body))); got.code != http.StatusOK {
		t.Errorf("JSON of 4 MiB: got %d %q, want 200", got.code, got.body)
	}
	if got := p.postJSON(body + strings.Repeat(" ", most+1-len(body))); got.code != http.StatusRequestEntityTooLarge || got.body == "" {
		t.Errorf("JSON of 4 MiB + 1: got %d %q, want 413 and a reason", got.code, got.body)
	}
	_, err := p.client().ShouldRateLimit(t.Context(), ask(strings.Repeat("x", most+1), "path=/api"))
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("gRPC of more than 4 MiB: got %v, want ResourceExhausted", err)
	}
}

func TestManyDescriptors(t *testing.T) {
	t.Parallel()
	backends(t, func(t *testing.T, set environ) {
		p := start(t, "domain: shop\ndescriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 1}}]\n", set)
		var descriptors []string
		for i := range 10_000 {
			descriptors = append(descriptors, fmt.Sprint("user=", i))
		}
		got, err := p.client().ShouldRateLimit(t.Context(), ask("shop", descriptors...))
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Statuses) != 10_000 || got.OverallCode != rlsv3.RateLimitResponse_OK {
			t.Errorf("got %d statuses and %v, want 10000 and OK", len(got.Statuses), got.OverallCode)
		}
	})
}

func TestHugeAddends(t *testing.T) {
	t.Parallel()
	backends(t, func(t *testing.T, set environ) {
		p := start(t, "domain: shop\ndescriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 4294967295}}]\n", set)
		for _, addend := range []string{"4294967296", `"9223372036854775808"`, "9223372036854775808", `"18446744073709551615"`} {
			user := strings.Trim(addend, `"`) + fmt.Sprint(len(addend))
			body := fmt.Sprintf(`{"domain":"shop","descriptors":[{"entries":[{"key":"user","value":%q}],"hitsAddend":%s}]}`, user, addend)
			if got := p.postJSON(body); got.code != http.StatusOK || strings.Contains(got.body, "limitRemaining") {
				t.Errorf("addend %s: got %d %s, want 200 with nothing remaining: it counts as 4294967295", addend, got.code, got.body)
			}
			request := ask("shop", "user="+user)
			eventually(t, "the counter is still usable and full", func() bool {
				got, err := p.client().ShouldRateLimit(t.Context(), request)
				if err != nil {
					t.Fatal(err)
				}
				return got.OverallCode == rlsv3.RateLimitResponse_OVER_LIMIT
			})
		}
	})
}

func TestOverrideOfAnUndefinedUnitInJSON(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	for _, unit := range []string{"0", "99", "-1", `"UNKNOWN"`} {
		got := p.postJSON(`{"domain":"shop","descriptors":[{"entries":[{"key":"path","value":"/none"}],"limit":{"requestsPerUnit":5,"unit":` + unit + `}}]}`)
		if got.code != http.StatusTooManyRequests {
			t.Errorf("unit %s: got %d %s, want the decision of the rule", unit, got.code, got.body)
		}
	}
}

// raw sends bytes as they are.
type raw struct{ encoding.Codec }

func (raw) Name() string                  { return "proto" }
func (raw) Marshal(v any) ([]byte, error) { return v.([]byte), nil }
func (raw) Unmarshal([]byte, any) error   { return nil }
func (c raw) invoke(ctx context.Context, conn *grpc.ClientConn, method, body string) error {
	return conn.Invoke(ctx, method, []byte(body), new([]byte), grpc.ForceCodec(c))
}

const decisionMethod = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit"

func TestBrokenMessagesOverGRPC(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	conn := p.conn()
	for name, body := range map[string]string{
		"invalid UTF-8":  "\x0a\x03sh\xff",
		"cut off":        "\x0a\x7f",
		"wrong wiretype": "\x08\x01\xff\xff",
		"noise":          "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
	} {
		if err := new(raw).invoke(t.Context(), conn, decisionMethod, body); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	if _, err := rlsv3.NewRateLimitServiceClient(conn).ShouldRateLimit(t.Context(), ask("shop", "path=/api")); err != nil {
		t.Errorf("after broken messages: %v", err)
	}
}

func TestOlderProtocolIsUnimplemented(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	err := new(raw).invoke(t.Context(), p.conn(), "/envoy.service.ratelimit.v2.RateLimitService/ShouldRateLimit", "")
	if status.Code(err) != codes.Unimplemented {
		t.Errorf("got %v, want Unimplemented", err)
	}
}

func TestLostRedisFailsTheCallOnly(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	p := start(t, shopRules, onRedis(redis))
	client := p.client()
	redis.Kill()
	_, err := client.ShouldRateLimit(t.Context(), ask("shop", "path=/api"))
	if got := status.Convert(err); got.Code() != codes.Unknown || got.Message() == "" {
		t.Errorf("gRPC: got %v, want Unknown with the cause", err)
	}
	if got := p.postJSON(jsonDescriptor("shop", "path", "/api")); got.code != http.StatusServiceUnavailable || got.body == "" {
		t.Errorf("JSON: got %d %q, want 503 with the cause", got.code, got.body)
	}
	if got := p.stats()["ratelimit.service.call.should_rate_limit.redis_error"]; got != 2 {
		t.Errorf("got redis_error %v, want 2", got)
	}
	for _, free := range []*rlsv3.RateLimitRequest{ask("shop", "x=y"), ask("shop", "path=/free"), ask("garage", "x=y")} {
		if _, err := client.ShouldRateLimit(t.Context(), free); err != nil {
			t.Errorf("%v needs no counter: got %v", free, err)
		}
	}
	if err := redis.Restart(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "redis is used again", func() bool {
		_, err := client.ShouldRateLimit(t.Context(), ask("shop", "path=/api"))
		return err == nil
	})
}

func TestLostMemcachedLetsCallsPass(t *testing.T) {
	t.Parallel()
	address, _ := freeAddress(t)
	p := start(t, shopRules, environ{"BACKEND_TYPE": "memcache", "MEMCACHE_HOST_PORT": address})
	for range 3 {
		if got := p.postJSON(jsonDescriptor("shop", "path", "/api")); got.code != http.StatusOK {
			t.Errorf("got %d %q, want 200", got.code, got.body)
		}
	}
	eventually(t, "the failure is counted", func() bool {
		return p.stats()["ratelimit.service.call.should_rate_limit.redis_error"] >= 3
	})
}

func TestFullMemoryRefusesNewKeys(t *testing.T) {
	t.Parallel()
	p := start(t, "domain: shop\ndescriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 9}}]\n", environ{"MEMORY_MAX_KEYS": "1"})
	client := p.client()
	for _, step := range []struct{ user, want string }{{"one", ""}, {"two", "counter memory is full"}, {"one", ""}} {
		_, err := client.ShouldRateLimit(t.Context(), ask("shop", "user="+step.user))
		if got := status.Convert(err).Message(); got != step.want {
			t.Errorf("user %s: got %q, want %q", step.user, got, step.want)
		}
	}
	figures := p.stats()
	if figures["ratelimit.service.call.should_rate_limit.redis_error"] != 1 || figures["ratelimit.memory.keys"] != 1 {
		t.Errorf("got redis_error %v, keys %v, want 1, 1",
			figures["ratelimit.service.call.should_rate_limit.redis_error"], figures["ratelimit.memory.keys"])
	}
}

func TestNothingIsValidatedBeyondTheContract(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	for name, d := range map[string]*rlcommonv3.RateLimitDescriptor{
		"no entries":      {},
		"empty entry":     {Entries: []*rlcommonv3.RateLimitDescriptor_Entry{{}}},
		"empty value":     {Entries: []*rlcommonv3.RateLimitDescriptor_Entry{{Key: "path"}}},
		"zero hits":       {Entries: []*rlcommonv3.RateLimitDescriptor_Entry{{Key: "path"}}, HitsAddend: wrapperspb.UInt64(0)},
		"override alone":  {Limit: &rlcommonv3.RateLimitDescriptor_RateLimitOverride{RequestsPerUnit: 1, Unit: 2}},
		"give back alone": {IsNegativeHits: true},
	} {
		_, err := p.client().ShouldRateLimit(t.Context(), &rlsv3.RateLimitRequest{Domain: "shop", Descriptors: []*rlcommonv3.RateLimitDescriptor{d}})
		if err != nil {
			t.Errorf("%s: got %v, want a decision", name, err)
		}
	}
}
