package app_test

import (
	"strconv"
	"testing"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

func TestResponseHeaders(t *testing.T) {
	t.Parallel()
	const rules = `domain: shop
descriptors:
  - {key: five, rate_limit: {unit: year, requests_per_unit: 5}}
  - {key: nine, rate_limit: {unit: year, requests_per_unit: 9}}
  - {key: also5, rate_limit: {unit: year, requests_per_unit: 5}}
  - {key: zero, rate_limit: {unit: year, requests_per_unit: 0}}
  - {key: quota, rate_limit: {unit: year, requests_per_unit: 0}, quota_mode: true}
  - {key: shadow, rate_limit: {unit: year, requests_per_unit: 0}, shadow_mode: true}
  - {key: free, rate_limit: {unlimited: true}}
`
	set := environ{
		"LIMIT_RESPONSE_HEADERS_ENABLED": "true",
		"LIMIT_LIMIT_HEADER":             "X-Limit", "LIMIT_REMAINING_HEADER": "X-Remaining", "LIMIT_RESET_HEADER": "X-Reset",
	}
	p := start(t, rules, set)
	for _, test := range []struct {
		name        string
		descriptors []string
		limit       string // "" for no headers
		remaining   string
	}{
		{"one", []string{"five=1"}, "5", "4"},
		{"fewest remaining", []string{"nine=2", "five=2"}, "5", "4"},
		{"no limit applies", []string{"none=3", "free=3"}, "", ""},
		{"one without limit is passed over", []string{"none=4", "nine=4"}, "9", "8"},
		{"refused takes its place", []string{"zero=5", "five=5"}, "0", "0"},
		{"shadow is not refused, and has the fewest", []string{"shadow=6", "five=6"}, "0", "0"},
		{"quota is not refused, and has the fewest", []string{"quota=7", "five=7"}, "0", "0"},
		{"unknown domain", nil, "", ""},
	} {
		domain := "shop"
		if test.descriptors == nil {
			domain, test.descriptors = "garage", []string{"five=1"}
		}
		got, err := p.client().ShouldRateLimit(t.Context(), ask(domain, test.descriptors...))
		if err != nil {
			t.Fatal(err)
		}
		if test.limit == "" {
			if len(got.ResponseHeadersToAdd) != 0 {
				t.Errorf("%s: got %v, want no headers", test.name, got.ResponseHeadersToAdd)
			}
			continue
		}
		var pairs [][2]string
		for _, h := range got.ResponseHeadersToAdd {
			pairs = append(pairs, [2]string{h.Key, h.Value})
		}
		reset := ""
		for _, s := range got.Statuses {
			if s.DurationUntilReset != nil {
				reset = strconv.FormatInt(s.DurationUntilReset.Seconds, 10)
			}
		}
		want := [][2]string{{"X-Limit", test.limit}, {"X-Remaining", test.remaining}, {"X-Reset", reset}}
		if diff := cmp.Diff(want, pairs); diff != "" {
			t.Errorf("%s: want(-) got(+):\n%s", test.name, diff)
		}
	}
}

func TestNoHeadersNorMetadataUnlessAsked(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	got, err := p.client().ShouldRateLimit(t.Context(), ask("shop", "path=/api"))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.ResponseHeadersToAdd) != 0 || got.DynamicMetadata != nil {
		t.Errorf("got %v and %v, want neither", got.ResponseHeadersToAdd, got.DynamicMetadata)
	}
}

func TestDynamicMetadata(t *testing.T) {
	t.Parallel()
	const rules = `domain: shop
descriptors:
  - key: plain
    rate_limit: {unit: year, requests_per_unit: 100}
    metadata: {who: plain, deep: {a: 1, list: [x, 2, true, null]}}
  - key: detailed
    rate_limit: {unit: year, requests_per_unit: 100}
    detailed_metric: true
    metadata: {who: detailed, deep: {a: 9, b: 2}, tier: gold}
  - key: valued
    rate_limit: {unit: year, requests_per_unit: 100}
    value_to_metric: true
    metadata: {valued: 1}
  - key: zero
    rate_limit: {unit: year, requests_per_unit: 0}
    metadata: {refused: true}
`
	p := start(t, rules, environ{"RESPONSE_DYNAMIC_METADATA": "true"})
	type object = map[string]any
	list := func(v ...any) []any { return v }
	override := ask("shop", "a=b")
	override.HitsAddend = 3
	override.Descriptors[0].Limit = &rlcommonv3.RateLimitDescriptor_RateLimitOverride{RequestsPerUnit: 5, Unit: 2}
	override.Descriptors[0].HitsAddend = wrapperspb.UInt64(0)
	for _, test := range []struct {
		name    string
		request *rlsv3.RateLimitRequest
		want    object
	}{
		{"no metadata", ask("shop", "none=1,x="), object{
			"domain": "shop", "descriptors": list(object{"entries": list("none=1", "x=")})}},
		{"merged in order, the first stays, maps are joined", ask("shop", "plain=1", "detailed=1", "zero=1"), object{
			"domain": "shop", "descriptors": list(
				object{"entries": list("plain=1")}, object{"entries": list("detailed=1")}, object{"entries": list("zero=1")}),
			"metadata": object{"who": "plain", "deep": object{"a": 1.0, "b": 2.0, "list": list("x", 2.0, true, nil)}, "tier": "gold"}}},
		{"of a rule named by its value", ask("shop", "valued=1"), object{
			"domain": "shop", "descriptors": list(object{"entries": list("valued=1")}), "metadata": object{"valued": 1.0}}},
		{"override and addends", override, object{
			"domain": "shop", "hitsAddend": 3.0,
			"descriptors": list(object{"entries": list("a=b"), "limit": "requests_per_unit:5 unit:MINUTE", "hitsAddend": 0.0})}},
		{"unknown domain", ask("garage", "a=b"), object{
			"domain": "garage", "descriptors": list(object{"entries": list("a=b")})}},
	} {
		got, err := p.client().ShouldRateLimit(t.Context(), test.request)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got.DynamicMetadata.AsMap()); diff != "" {
			t.Errorf("%s: want(-) got(+):\n%s", test.name, diff)
		}
	}
}
