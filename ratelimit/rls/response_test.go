package rls_test

import (
	"fmt"
	"strings"
	"testing"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"

	"stoa/ratelimit/rls"
)

func request(descriptors ...string) *rlsv3.RateLimitRequest {
	r := &rlsv3.RateLimitRequest{Domain: "shop"}
	for _, key := range descriptors {
		r.Descriptors = append(r.Descriptors, &rlcommonv3.RateLimitDescriptor{
			Entries: []*rlcommonv3.RateLimitDescriptor_Entry{{Key: key, Value: "v"}},
		})
	}
	return r
}

func TestUnitsOfTheResponse(t *testing.T) {
	units := map[string]rlsv3.RateLimitResponse_RateLimit_Unit{
		"second": 1, "minute": 2, "hour": 3, "day": 4, "month": 5, "year": 6, "week": 7,
	}
	var rules strings.Builder
	rules.WriteString("domain: shop\ndescriptors:\n")
	for name := range units {
		rules.WriteString("  - {key: " + name + ", rate_limit: {unit: " + name + ", requests_per_unit: 4294967295, name: my " + name + "}}\n")
	}
	service := newService(t, rls.Config{}, rules.String())
	for name, want := range units {
		got, err := service.ShouldRateLimit(t.Context(), request(name))
		if err != nil {
			t.Fatal(err)
		}
		limit := got.Statuses[0].CurrentLimit
		if limit.Unit != want || limit.Name != "my "+name || limit.UnitMultiplier != nil || limit.RequestsPerUnit != 4294967295 {
			t.Errorf("%s: got %v, want unit %d, its name and no multiplier", name, limit, want)
		}
		if name == "second" && got.Statuses[0].DurationUntilReset.GetSeconds() != 1 {
			t.Errorf("got reset %v of a second, want 1 s, never 0", got.Statuses[0].DurationUntilReset)
		}
	}
}

// Each limit is told from the others by its number.
func TestHeadersDescribeOneStatus(t *testing.T) {
	service := newService(t, rls.Config{Headers: true, LimitHeader: "L", RemainingHeader: "M", ResetHeader: "R"}, `domain: shop
descriptors:
  - {key: seven, rate_limit: {unit: year, requests_per_unit: 700}}
  - {key: eight, rate_limit: {unit: month, requests_per_unit: 800}}
  - {key: also7, rate_limit: {unit: day, requests_per_unit: 700}}
  - {key: zero, rate_limit: {unit: year, requests_per_unit: 0}}
  - {key: one, rate_limit: {unit: month, requests_per_unit: 1}}
  - {key: quota, rate_limit: {unit: week, requests_per_unit: 0}, quota_mode: true}
  - {key: free, rate_limit: {unlimited: true}}
`)
	if _, err := service.ShouldRateLimit(t.Context(), request("one")); err != nil { // from now on it is over
		t.Fatal(err)
	}
	for _, test := range []struct {
		name        string
		descriptors string
		want        int // which status; -1 for none
	}{
		{"fewest remaining", "eight seven", 1},
		{"order does not matter", "seven eight", 0},
		{"without a limit is passed over", "none free eight", 2},
		{"none has a limit", "none free", -1},
		{"the last refused wins", "one zero eight", 1},
		{"refused wins over what comes later", "zero quota", 0},
		{"refused wins over quota before it", "quota one", 1},
		{"quota over has the fewest remaining", "seven quota", 1},
	} {
		got, err := service.ShouldRateLimit(t.Context(), request(strings.Fields(test.descriptors)...))
		if err != nil {
			t.Fatal(err)
		}
		var want, have []string
		if test.want >= 0 {
			s := got.Statuses[test.want]
			want = headerTexts(s)
		}
		for _, h := range got.ResponseHeadersToAdd {
			have = append(have, h.Key+"="+h.Value)
		}
		if strings.Join(have, " ") != strings.Join(want, " ") {
			t.Errorf("%s: got %q, want %q", test.name, have, want)
		}
	}
}

func TestFirstOfEquallyTightStatusesHasTheHeaders(t *testing.T) {
	service := newService(t, rls.Config{Headers: true, LimitHeader: "L", RemainingHeader: "M", ResetHeader: "R"}, `domain: shop
descriptors:
  - {key: a, rate_limit: {unit: year, requests_per_unit: 7}}
  - {key: b, rate_limit: {unit: day, requests_per_unit: 7}}
`)
	for _, order := range [][]string{{"a", "b"}, {"b", "a"}} {
		got, err := service.ShouldRateLimit(t.Context(), request(order...))
		if err != nil {
			t.Fatal(err)
		}
		if want := headerTexts(got.Statuses[0]); got.ResponseHeadersToAdd[2].Value != strings.TrimPrefix(want[2], "R=") {
			t.Errorf("%v: got reset %v, want %s, that of the first", order, got.ResponseHeadersToAdd[2], want[2])
		}
	}
}

func headerTexts(s *rlsv3.RateLimitResponse_DescriptorStatus) []string {
	return []string{
		fmt.Sprint("L=", s.CurrentLimit.RequestsPerUnit), fmt.Sprint("M=", s.LimitRemaining), fmt.Sprint("R=", s.DurationUntilReset.Seconds),
	}
}
