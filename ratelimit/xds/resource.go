package xds

import (
	"cmp"
	"fmt"

	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	rules "github.com/envoyproxy/go-control-plane/ratelimit/config/ratelimit/v3"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"

	"stoa/ratelimit"
)

// deepest bounds descriptors within descriptors, and metadata within metadata.
const deepest = 500

// decode reads a response. Whether the rules make sense is not looked at.
func decode(r *discovery.DiscoveryResponse) ([]ratelimit.DomainSpec, error) {
	if url := r.GetTypeUrl(); url != "" && url != typeURL {
		return nil, fmt.Errorf("a response of type %q, want %q", url, typeURL)
	}
	specs := make([]ratelimit.DomainSpec, len(r.GetResources()))
	for i, resource := range r.GetResources() {
		spec, err := decodeResource(resource, fmt.Sprintf("resource %d", i+1))
		if err != nil {
			return nil, err
		}
		specs[i] = spec
	}
	return specs, nil
}

// decodeResource reads one resource. place is how messages call one without a name.
func decodeResource(resource *anypb.Any, place string) (ratelimit.DomainSpec, error) {
	var domain rules.RateLimitConfig
	options := proto.UnmarshalOptions{RecursionLimit: deepest}
	if err := anypb.UnmarshalTo(resource, &domain, options); err != nil {
		return ratelimit.DomainSpec{}, fmt.Errorf("%s: %w", place, err)
	}
	at := ratelimit.Position{Resource: cmp.Or(domain.GetName(), place)}
	descriptors, err := descriptors(at, domain.GetDescriptors())
	if err != nil {
		return ratelimit.DomainSpec{}, fmt.Errorf("%s: %w", at, err)
	}
	return ratelimit.DomainSpec{At: at, Domain: domain.GetDomain(), Descriptors: descriptors}, nil
}

func descriptors(at ratelimit.Position, list []*rules.RateLimitDescriptor) ([]ratelimit.DescriptorSpec, error) {
	var specs []ratelimit.DescriptorSpec
	for _, d := range list {
		spec := ratelimit.DescriptorSpec{
			At: at, Key: d.GetKey(), Value: d.GetValue(), Limit: limit(at, d.GetRateLimit()),
			Shadow: d.GetShadowMode(), DetailedMetric: d.GetDetailedMetric(),
		}
		if err := newerFields(&spec, d.ProtoReflect().GetUnknown()); err != nil {
			return nil, err
		}
		below, err := descriptors(at, d.GetDescriptors())
		if err != nil {
			return nil, err
		}
		spec.Descriptors = below
		specs = append(specs, spec)
	}
	return specs, nil
}

func limit(at ratelimit.Position, p *rules.RateLimitPolicy) *ratelimit.LimitSpec {
	if p == nil {
		return nil
	}
	spec := &ratelimit.LimitSpec{
		At: at, Unit: p.GetUnit().String(), Requests: p.GetRequestsPerUnit(),
		Unlimited: p.GetUnlimited(), Name: p.GetName(),
	}
	for _, r := range p.GetReplaces() {
		spec.Replaces = append(spec.Replaces, r.GetName())
	}
	return spec
}

// Fields of a descriptor that the published types do not have yet.
const (
	quotaModeField = 7
	metadataField  = 8
)

// newerFields reads those fields from the bytes that the types left over.
func newerFields(spec *ratelimit.DescriptorSpec, left []byte) error {
	var metadata *structpb.Struct
	for len(left) > 0 {
		number, kind, n := protowire.ConsumeTag(left)
		if n < 0 {
			return protowire.ParseError(n)
		}
		left = left[n:]
		switch {
		case number == quotaModeField && kind == protowire.VarintType:
			var value uint64
			value, n = protowire.ConsumeVarint(left)
			spec.Quota = protowire.DecodeBool(value)
		case number == metadataField && kind == protowire.BytesType:
			var value []byte
			value, n = protowire.ConsumeBytes(left)
			if metadata == nil {
				metadata = &structpb.Struct{}
			}
			options := proto.UnmarshalOptions{Merge: true, RecursionLimit: deepest}
			if err := options.Unmarshal(value, metadata); err != nil {
				return fmt.Errorf("error parsing metadata: %w", err)
			}
		default:
			n = protowire.ConsumeFieldValue(number, kind, left)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		left = left[n:]
	}
	if metadata != nil {
		spec.Metadata = metadata.AsMap()
	}
	return nil
}
