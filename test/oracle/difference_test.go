//go:build oracle

package oracle

import (
	"math"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
)

// differences is what we do otherwise on purpose. Requests that meet one are not
// sent to either; our own tests say what ours does with them.
var differences = []struct {
	name string
	has  func(d *rlcommonv3.RateLimitDescriptor) bool
}{
	{"an override without a known unit ends their process; ours goes by the rules", func(d *rlcommonv3.RateLimitDescriptor) bool {
		return d.Limit != nil && (d.Limit.Unit < 1 || d.Limit.Unit > 6)
	}},
	{"an addend above 32 bits can make their counter negative; ours counts it as the largest of 32 bits", func(d *rlcommonv3.RateLimitDescriptor) bool {
		return d.HitsAddend.GetValue() > math.MaxUint32
	}},
	{"theirs does not know hits that are given back", func(d *rlcommonv3.RateLimitDescriptor) bool { return d.IsNegativeHits }},
	{"theirs does not know windows of several units", func(d *rlcommonv3.RateLimitDescriptor) bool {
		return d.Limit.GetUnitMultiplier().GetValue() > 1
	}},
	{"theirs lets a pattern run from the value into the key, ours compares them apart", func(d *rlcommonv3.RateLimitDescriptor) bool {
		for _, e := range d.Entries {
			if len(e.Key) > 1 {
				return true
			}
		}
		return false
	}},
}

// Also different, and left out of rules and comparisons:
//
//   - JSON refusals: ours says why, and answers 503 where it is not the caller's fault.
//   - Metadata of rules, and patterns with a * before the end: the version that can be had
//     does not know them yet.
//   - Counters of 0 in redis: theirs makes a key when it only looks.

func different(r *rlsv3.RateLimitRequest, _ *rules) string {
	for _, d := range r.Descriptors {
		for _, known := range differences {
			if known.has(d) {
				return known.name
			}
		}
	}
	return ""
}
