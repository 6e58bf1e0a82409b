package rls

import (
	"strconv"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"stoa/ratelimit"
)

// reply is a response and all its parts in one allocation for a usual request,
// and one for each kind of part for a longer one.
type reply struct {
	response rlsv3.RateLimitResponse
	parts
	few struct {
		statuses [usual]rlsv3.RateLimitResponse_DescriptorStatus
		pointers [usual]*rlsv3.RateLimitResponse_DescriptorStatus
		limits   [usual]rlsv3.RateLimitResponse_RateLimit
		resets   [usual]durationpb.Duration
	}
}

// usual is how many descriptors most requests have at most.
const usual = 2

type parts struct {
	statuses []rlsv3.RateLimitResponse_DescriptorStatus
	limits   []rlsv3.RateLimitResponse_RateLimit
	resets   []durationpb.Duration
}

func newReply(n int) *reply {
	out := new(reply)
	if n <= usual {
		out.parts = parts{out.few.statuses[:n], out.few.limits[:n], out.few.resets[:n]}
		out.response.Statuses = out.few.pointers[:n]
		return out
	}
	out.parts = parts{
		make([]rlsv3.RateLimitResponse_DescriptorStatus, n),
		make([]rlsv3.RateLimitResponse_RateLimit, n),
		make([]durationpb.Duration, n),
	}
	out.response.Statuses = make([]*rlsv3.RateLimitResponse_DescriptorStatus, n)
	return out
}

func (s *Service) response(r *rlsv3.RateLimitRequest, d *ratelimit.Decision) (*rlsv3.RateLimitResponse, error) {
	out := newReply(len(d.Statuses))
	out.response.OverallCode = wireCode(d.Code)
	for i := range d.Statuses {
		out.status(i, &d.Statuses[i])
		out.response.Statuses[i] = &out.statuses[i]
	}
	if s.Headers {
		out.response.ResponseHeadersToAdd = s.headers(d.Tightest())
	}
	if s.DynamicMetadata {
		metadata, err := dynamicMetadata(r, d)
		if err != nil {
			return nil, err
		}
		out.response.DynamicMetadata = metadata
	}
	return &out.response, nil
}

func (out *reply) status(i int, s *ratelimit.Status) {
	wire := &out.statuses[i]
	wire.Code, wire.LimitRemaining = wireCode(s.Code), s.Remaining
	if !s.Limited {
		return
	}
	limit := &out.limits[i]
	limit.RequestsPerUnit, limit.Unit, limit.Name = s.Limit.Requests, wireUnit(s.Limit.Unit), s.Name
	if s.Limit.Multiplier > 1 {
		limit.UnitMultiplier = wrapperspb.UInt32(s.Limit.Multiplier)
	}
	out.resets[i].Seconds = s.Reset
	wire.CurrentLimit, wire.DurationUntilReset = limit, &out.resets[i]
}

func wireCode(c ratelimit.Code) rlsv3.RateLimitResponse_Code {
	switch c {
	case ratelimit.OK:
		return rlsv3.RateLimitResponse_OK
	case ratelimit.OverLimit:
		return rlsv3.RateLimitResponse_OVER_LIMIT
	}
	return rlsv3.RateLimitResponse_UNKNOWN
}

func wireUnit(u ratelimit.Unit) rlsv3.RateLimitResponse_RateLimit_Unit {
	if u == ratelimit.Week {
		return rlsv3.RateLimitResponse_RateLimit_WEEK
	}
	for wire, unit := range wireUnits {
		if unit == u {
			return rlsv3.RateLimitResponse_RateLimit_Unit(wire)
		}
	}
	return rlsv3.RateLimitResponse_RateLimit_UNKNOWN
}

// headers describes one status: limit, remaining, seconds to reset.
func (s *Service) headers(tightest *ratelimit.Status) []*corev3.HeaderValue {
	if tightest == nil {
		return nil
	}
	header := func(key string, value int64) *corev3.HeaderValue {
		return &corev3.HeaderValue{Key: key, Value: strconv.FormatInt(value, 10)}
	}
	return []*corev3.HeaderValue{
		header(s.LimitHeader, int64(tightest.Limit.Requests)),
		header(s.RemainingHeader, int64(tightest.Remaining)),
		header(s.ResetHeader, tightest.Reset),
	}
}
