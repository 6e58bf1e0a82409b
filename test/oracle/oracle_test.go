//go:build oracle

package oracle

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/testing/protocmp"
)

var (
	binary   = flag.String("oracle", "", "Envoy's rate limit service, built")
	seed     = flag.Uint64("seed", 1, "of rules and requests")
	requests = flag.Int("requests", 1500, "per set of rules")
)

// errTurned ends an attempt in which a second turned between two calls.
var errTurned = fmt.Errorf("the second turned between two calls")

func TestSameAnswers(t *testing.T) {
	if *binary == "" {
		t.Fatal("name Envoy's service with -oracle, see the package's comment")
	}
	for i, mode := range []struct {
		name string
		set  map[string]string
	}{
		{"plain", nil},
		{"headers", map[string]string{"LIMIT_RESPONSE_HEADERS_ENABLED": "true", "LIMIT_RESET_HEADER": "X-Reset"}},
		{"shadow mode", map[string]string{"SHADOW_MODE": "true", "LIMIT_RESPONSE_HEADERS_ENABLED": "true"}},
		{"quota mode", map[string]string{"QUOTA_MODE": "true", "LIMIT_RESPONSE_HEADERS_ENABLED": "true"}},
		{"metadata", map[string]string{"RESPONSE_DYNAMIC_METADATA": "true"}},
		{"local cache", map[string]string{"LOCAL_CACHE_SIZE_IN_BYTES": "1000000"}},
		{"stop increment", map[string]string{"STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT": "true"}},
		{"stop increment with local cache", map[string]string{"STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT": "true", "LOCAL_CACHE_SIZE_IN_BYTES": "1000000"}},
		{"names and ratio", map[string]string{"CACHE_KEY_PREFIX": "pre:", "NEAR_LIMIT_RATIO": "0.3"}},
		{"per second", map[string]string{"REDIS_PERSECOND": "true"}},
	} {
		for round := range uint64(2) {
			t.Run(fmt.Sprintf("%s/%d", mode.name, round), func(t *testing.T) {
				var err error
				for attempt := range 4 {
					random := rand.New(rand.NewPCG(*seed+round, uint64(i)))
					if err = compare(t, random, mode.set); err == nil || t.Failed() {
						break
					}
					t.Logf("attempt %d: %v", attempt, err)
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// compare asks both the same, request for request.
func compare(t *testing.T, random *rand.Rand, set map[string]string) error {
	rules := newRules(random)
	text := rules.yaml()
	theirs, ours := startTheirs(t, text, set), startOurs(t, text, set)
	defer theirs.stop()
	defer ours.stop()
	defer func() {
		if t.Failed() {
			t.Logf("rules:\n%s", text)
		}
	}()

	if diff := cmp.Diff(theirs.rlconfig(t), ours.rlconfig(t)); diff != "" {
		t.Errorf("/rlconfig: theirs(-) ours(+):\n%s", diff)
	}
	skipped := map[string]int{}
	for n := range *requests {
		request := rules.request(random)
		if why := different(request, rules); why != "" {
			skipped[why]++
			continue
		}
		awaitRoom()
		before := time.Now().Unix()
		var diff string
		if random.IntN(3) == 0 {
			diff = compareJSON(t, theirs, ours, request)
		} else {
			diff = compareGRPC(t, theirs, ours, request)
		}
		if time.Now().Unix() != before {
			return errTurned
		}
		if diff != "" {
			t.Errorf("request %d, %v: theirs(-) ours(+):\n%s", n, request, diff)
			if n > 20 {
				return nil // what follows has other counts
			}
		}
	}
	t.Logf("skipped: %v", skipped)
	if diff := cmp.Diff(theirs.counters(t), ours.counters(t)); diff != "" {
		t.Errorf("counters in redis: theirs(-) ours(+):\n%s", diff)
	}
	return compareStats(t, theirs, ours)
}

// awaitRoom returns when a second is not about to turn.
func awaitRoom() {
	if late := time.Duration(time.Now().Nanosecond()); late > 950*time.Millisecond {
		time.Sleep(time.Second - late)
	}
}

func compareGRPC(t *testing.T, theirs, ours *server, r *rlsv3.RateLimitRequest) string {
	t.Helper()
	ask := func(s *server) (*rlsv3.RateLimitResponse, string) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		response, err := s.client.ShouldRateLimit(ctx, r)
		if err != nil {
			return nil, status.Convert(err).String()
		}
		return oneBlank(response), ""
	}
	one, oneErr := ask(theirs)
	other, otherErr := ask(ours)
	return cmp.Diff(oneErr, otherErr) + cmp.Diff(one, other, protocmp.Transform())
}

// oneBlank undoes what the library varies on purpose in the text of overrides.
func oneBlank(r *rlsv3.RateLimitResponse) *rlsv3.RateLimitResponse {
	for _, d := range r.GetDynamicMetadata().GetFields()["descriptors"].GetListValue().GetValues() {
		fields := d.GetStructValue().GetFields()
		if limit := fields["limit"]; limit != nil {
			text := strings.Join(strings.Fields(limit.GetStringValue()), " ")
			*fields["limit"] = *structText(text)
		}
	}
	return r
}

func compareJSON(t *testing.T, theirs, ours *server, r *rlsv3.RateLimitRequest) string {
	t.Helper()
	body := marshal(t, r)
	oneCode, one := theirs.post(t, body)
	otherCode, other := ours.post(t, body)
	if oneCode == 400 && otherCode == 400 { // ours adds the reason
		return cmp.Diff("Bad Request\n", one) + cmp.Diff("Bad Request\n", other[:min(len(other), 12)])
	}
	decode := func(text string) (v any) {
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			return text
		}
		return blankless(v)
	}
	return cmp.Diff(oneCode, otherCode) + cmp.Diff(decode(one), decode(other))
}

// blankless is oneBlank for JSON.
func blankless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = blankless(v[k])
		}
	case []any:
		for i := range v {
			v[i] = blankless(v[i])
		}
	case string:
		return strings.Join(strings.Fields(v), " ")
	}
	return v
}

// compareStats waits for the last flush of both.
func compareStats(t *testing.T, theirs, ours *server) error {
	t.Helper()
	var diff string
	for range 50 {
		one, other := theirs.statsd.figures(), ours.statsd.figures()
		if diff = cmp.Diff(one, other); diff == "" {
			t.Logf("%d statistics are the same", len(one))
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("statistics: theirs(-) ours(+):\n%s", diff)
	return nil
}

func sortedLines(text string) []string {
	return slices.Sorted(maps.Keys(maps.Collect(func(yield func(string, bool) bool) {
		for line := range strings.Lines(text) {
			if !yield(strings.TrimSpace(line), true) {
				return
			}
		}
	})))
}
