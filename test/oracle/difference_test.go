//go:build oracle

package oracle

import (
	"math"
	"strings"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
)

// differences is what we do otherwise on purpose. Requests that meet one are not
// sent to either; our own tests say what ours does with them.
var differences = []struct {
	name string
	has  func(d *rlcommonv3.RateLimitDescriptor, s *rules) bool
}{
	{"an override without a known unit ends their process; ours goes by the rules", func(d *rlcommonv3.RateLimitDescriptor, _ *rules) bool {
		return d.Limit != nil && (d.Limit.Unit < 1 || d.Limit.Unit > 6)
	}},
	{"an addend above 32 bits can make their counter negative; ours counts it as the largest of 32 bits", func(d *rlcommonv3.RateLimitDescriptor, _ *rules) bool {
		return d.HitsAddend.GetValue() > math.MaxUint32
	}},
	{"theirs does not know hits that are given back", func(d *rlcommonv3.RateLimitDescriptor, _ *rules) bool { return d.IsNegativeHits }},
	{"theirs does not know windows of several units", func(d *rlcommonv3.RateLimitDescriptor, _ *rules) bool {
		return d.Limit.GetUnitMultiplier().GetValue() > 1
	}},
	{"theirs lets a pattern run from the value into the key, ours compares them apart", func(d *rlcommonv3.RateLimitDescriptor, _ *rules) bool {
		for _, e := range d.Entries {
			if len(e.Key) > 1 {
				return true
			}
		}
		return false
	}},
	{"their pattern * takes an empty value, ours wants a value", func(d *rlcommonv3.RateLimitDescriptor, s *rules) bool {
		for _, e := range d.Entries {
			if e.Value == "" && s.have(e.Key, "*") {
				return true
			}
		}
		return false
	}},
}

// Also different, and left out of rules and comparisons:
//
//   - JSON refusals: ours says why, and answers 503 where it is not the caller's fault.
//   - Counters of 0 in redis: theirs makes a key when it only looks.
//   - An unlimited rule that another replaces: theirs still says that all is remaining.
//   - Headers of a status of which 4294967295 are remaining: theirs has none.
//   - Counters of windows of different length that begin at the same second, and hence
//     share a key: theirs keeps it as long as the last caller asks, ours as the first.
//   - Names of statistics of an override without entries (see plainName).
//   - Quota mode, metadata of rules, and patterns with a * before the end: the version
//     that can be had does not know them yet, or not as later ones do.

func different(r *rlsv3.RateLimitRequest, s *rules) string {
	for _, d := range r.Descriptors {
		for _, known := range differences {
			if known.has(d, s) {
				return known.name
			}
		}
	}
	return ""
}

// plainName undoes that theirs writes two dots for an override of a descriptor
// without entries.
func plainName(name string) string { return strings.ReplaceAll(name, "..", ".") }

// differentFigure leaves out what is split at a line where hits may be spared:
// theirs takes hits that were not added from the count, and goes below zero.
func differentFigure(name string, set map[string]string) bool {
	split := strings.HasSuffix(name, ".near_limit") || strings.HasSuffix(name, ".over_limit") || strings.HasSuffix(name, ".shadow_mode")
	return split && set["STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT"] == "true"
}
