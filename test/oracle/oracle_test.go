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
	"google.golang.org/protobuf/types/known/structpb"
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
	compareStats(t, theirs, ours, set)
	time.Sleep(1100 * time.Millisecond) // counters of a second are gone then
	if diff := cmp.Diff(theirs.counters(t), ours.counters(t)); diff != "" {
		t.Errorf("counters in redis: theirs(-) ours(+):\n%s", diff)
	}
	return nil
}

// awaitRoom returns when a second is not about to turn, and never in the first
// second of a minute, when windows of different length share a key.
func awaitRoom() {
	now := time.Now()
	if now.Nanosecond() > int(950*time.Millisecond) || now.Unix()%60 == 0 {
		time.Sleep(time.Until(now.Truncate(time.Second).Add(time.Second)))
	}
	if time.Now().Unix()%60 == 0 {
		awaitRoom()
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
		return plainMetadata(response), ""
	}
	one, oneErr := ask(theirs)
	other, otherErr := ask(ours)
	return cmp.Diff(oneErr, otherErr) + cmp.Diff(one, other, protocmp.Transform())
}

// plainMetadata undoes what the library varies on purpose in the text of
// overrides, and leaves out what their version tells of quota mode.
func plainMetadata(r *rlsv3.RateLimitResponse) *rlsv3.RateLimitResponse {
	if r.GetDynamicMetadata() == nil {
		return r
	}
	plain, err := structpb.NewStruct(blankless(r.DynamicMetadata.AsMap()).(map[string]any))
	if err != nil {
		panic(err)
	}
	r.DynamicMetadata = plain
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

// blankless is plainMetadata for JSON.
func blankless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "quotaModeEnabled")
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
func compareStats(t *testing.T, theirs, ours *server, set map[string]string) {
	t.Helper()
	var diff string
	for range 50 {
		one, other := theirs.statsd.figures(set), ours.statsd.figures(set)
		if diff = cmp.Diff(one, other); diff == "" {
			t.Logf("%d statistics are the same", len(one))
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("statistics: theirs(-) ours(+):\n%s", diff)
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
