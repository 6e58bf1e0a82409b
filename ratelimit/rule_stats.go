package ratelimit

import (
	"math"

	"stoa/internal/stats"
)

// ruleStats is the statistics of one name: a rule, or what stands for it.
type ruleStats struct {
	total, over, near, within, shadow, overKnown *stats.Counter
}

const rulePrefix = "ratelimit.service.rate_limit."

func newRuleStats(r *stats.Registry, path string) *ruleStats {
	counter := func(stat string) *stats.Counter { return r.Counter(rulePrefix + path + "." + stat) }
	return &ruleStats{
		total: counter("total_hits"), over: counter("over_limit"), near: counter("near_limit"),
		within: counter("within_limit"), shadow: counter("shadow_mode"),
		overKnown: counter("over_limit_with_local_cache"),
	}
}

func (s *ruleStats) counters() []*stats.Counter {
	return []*stats.Counter{s.total, s.over, s.near, s.within, s.shadow, s.overKnown}
}

// knownOver counts hits that were refused from memory.
func (s *ruleStats) knownOver(ch *check) {
	s.overLimit(ch, uint64(ch.hits))
	s.overKnown.Add(uint64(ch.hits))
}

// judge splits the hits of a call into over, near and within the limit, given the
// count after it. Hits that cross a line are split at the line.
func (s *ruleStats) judge(ch *check, count uint64, nearRatio float32) {
	limit, near := int64(ch.limit.Requests), nearLimit(ch.limit.Requests, nearRatio)
	after, hits := int64(count), int64(ch.hits)
	before := after - hits
	switch {
	case after > limit && before >= limit:
		s.overLimit(ch, uint64(hits))
	case after > limit:
		s.overLimit(ch, uint64(after-limit))
		s.near.Add(uint64(limit - max(near, before)))
	default:
		s.within.Add(uint64(hits))
		if after > near {
			s.near.Add(uint64(after - max(near, before)))
		}
	}
}

func (s *ruleStats) overLimit(ch *check, hits uint64) {
	s.over.Add(hits)
	if ch.rule != nil && ch.rule.Shadow {
		s.shadow.Add(hits)
	}
}

// nearLimit is computed in 32-bit floats, as dashboards built on Envoy's service
// expect. They round a large limit, also up: near never lies above the limit.
func nearLimit(limit uint32, ratio float32) int64 {
	return min(int64(math.Floor(float64(float32(limit)*ratio))), int64(limit))
}
