package rls

import (
	"slices"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"

	"stoa/ratelimit"
)

// wireUnits is the units by Envoy's numbers. Overrides have no week.
var wireUnits = [...]ratelimit.Unit{
	1: ratelimit.Second, 2: ratelimit.Minute, 3: ratelimit.Hour, 4: ratelimit.Day, 5: ratelimit.Month, 6: ratelimit.Year,
}

// read views the message as a request. The texts are borrowed from the message.
func (x *exchange) read(r *rlsv3.RateLimitRequest) *ratelimit.Request {
	total := 0
	for _, d := range r.GetDescriptors() {
		total += len(d.GetEntries())
	}
	x.entries = slices.Grow(x.entries[:0], total)
	x.request.Domain, x.request.Hits = r.GetDomain(), r.GetHitsAddend()
	x.request.Descriptors = slices.Grow(x.request.Descriptors[:0], len(r.GetDescriptors()))
	for _, d := range r.GetDescriptors() {
		start := len(x.entries)
		for _, e := range d.GetEntries() {
			x.entries = append(x.entries, ratelimit.Entry{Key: e.GetKey(), Value: e.GetValue()})
		}
		x.request.Descriptors = append(x.request.Descriptors, ratelimit.Descriptor{
			Entries:  x.entries[start:len(x.entries):len(x.entries)],
			Override: override(d.GetLimit()),
			Hits:     d.GetHitsAddend().GetValue(),
			OwnHits:  d.GetHitsAddend() != nil,
			GiveBack: d.GetIsNegativeHits(),
		})
	}
	return &x.request
}

// override is the limit of a descriptor; one without a known unit is none.
func override(o *rlcommonv3.RateLimitDescriptor_RateLimitOverride) ratelimit.Limit {
	unit := int(o.GetUnit())
	if unit < 0 || unit >= len(wireUnits) {
		return ratelimit.Limit{}
	}
	return ratelimit.Limit{
		Requests:   o.GetRequestsPerUnit(),
		Unit:       wireUnits[unit],
		Multiplier: max(o.GetUnitMultiplier().GetValue(), 1),
	}
}
