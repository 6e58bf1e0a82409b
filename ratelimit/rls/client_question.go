package rls

import (
	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"stoa/ratelimit"
)

// newQuestion writes a request as a message, the parts of a kind in one
// allocation.
func newQuestion(r *ratelimit.Request) *rlsv3.RateLimitRequest {
	total := 0
	for i := range r.Descriptors {
		total += len(r.Descriptors[i].Entries)
	}
	descriptors := make([]rlcommonv3.RateLimitDescriptor, len(r.Descriptors))
	entries := make([]rlcommonv3.RateLimitDescriptor_Entry, total)
	pointers := make([]*rlcommonv3.RateLimitDescriptor_Entry, total)
	out := &rlsv3.RateLimitRequest{
		Domain: r.Domain, HitsAddend: r.Hits, Descriptors: make([]*rlcommonv3.RateLimitDescriptor, len(descriptors)),
	}
	for i := range descriptors {
		from, to := &r.Descriptors[i], &descriptors[i]
		n := len(from.Entries)
		for j, e := range from.Entries {
			entries[j].Key, entries[j].Value = e.Key, e.Value
			pointers[j] = &entries[j]
		}
		to.Entries = pointers[:n:n]
		entries, pointers = entries[n:], pointers[n:]
		to.Limit, to.IsNegativeHits = newOverride(from.Override), from.GiveBack
		if from.OwnHits {
			to.HitsAddend = wrapperspb.UInt64(from.Hits)
		}
		out.Descriptors[i] = to
	}
	return out
}

// newOverride is nil for a limit that overrides nothing. Overrides have no week
// on the wire, so one goes as seven days.
func newOverride(l ratelimit.Limit) *rlcommonv3.RateLimitDescriptor_RateLimitOverride {
	if !l.Valid() {
		return nil
	}
	if l.Unit == ratelimit.Week {
		l.Unit, l.Multiplier = ratelimit.Day, 7*max(l.Multiplier, 1)
	}
	out := &rlcommonv3.RateLimitDescriptor_RateLimitOverride{
		RequestsPerUnit: l.Requests, Unit: typev3.RateLimitUnit(wireUnit(l.Unit)),
	}
	if l.Multiplier > 1 {
		out.UnitMultiplier = wrapperspb.UInt32(l.Multiplier)
	}
	return out
}
