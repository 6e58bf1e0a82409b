package xds

import (
	"testing"

	rules "github.com/envoyproxy/go-control-plane/ratelimit/config/ratelimit/v3"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"

	"stoa/ratelimit"
)

func TestDecodeResource(t *testing.T) {
	metadata, err := structpb.NewStruct(map[string]any{"plan": "free", "level": 2})
	if err != nil {
		t.Fatal(err)
	}
	quota := &rules.RateLimitDescriptor{Key: "user", DetailedMetric: true}
	quota.ProtoReflect().SetUnknown(newer(t, true, metadata))
	got, err := decodeResource(pack(t, &rules.RateLimitConfig{
		Name: "r", Domain: "shop",
		Descriptors: []*rules.RateLimitDescriptor{
			{
				Key: "path", Value: "/a*", ShadowMode: true, Descriptors: []*rules.RateLimitDescriptor{quota},
				RateLimit: &rules.RateLimitPolicy{
					Unit: rules.RateLimitUnit_WEEK, RequestsPerUnit: 7, Name: "weekly",
					Replaces: []*rules.RateLimitReplace{{Name: "daily"}},
				},
			},
			{Key: "free", RateLimit: &rules.RateLimitPolicy{Unlimited: true}},
			{Key: "odd", RateLimit: &rules.RateLimitPolicy{Unit: 42}},
		},
	}), "resource 1")
	if err != nil {
		t.Fatal(err)
	}
	at := ratelimit.Position{Resource: "r"}
	want := ratelimit.DomainSpec{At: at, Domain: "shop", Descriptors: []ratelimit.DescriptorSpec{
		{
			At: at, Key: "path", Value: "/a*", Shadow: true,
			Limit: &ratelimit.LimitSpec{At: at, Unit: "WEEK", Requests: 7, Name: "weekly", Replaces: []string{"daily"}},
			Descriptors: []ratelimit.DescriptorSpec{{
				At: at, Key: "user", Quota: true, DetailedMetric: true,
				Metadata: map[string]any{"plan": "free", "level": 2.0},
			}},
		},
		{At: at, Key: "free", Limit: &ratelimit.LimitSpec{At: at, Unit: "UNKNOWN", Unlimited: true}},
		{At: at, Key: "odd", Limit: &ratelimit.LimitSpec{At: at, Unit: "42"}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +\n%s", diff)
	}
}

// newer is the bytes of quota_mode and metadata, between fields nobody knows.
func newer(t testing.TB, quota bool, metadata *structpb.Struct) []byte {
	t.Helper()
	value, err := proto.Marshal(metadata)
	if err != nil {
		t.Fatal(err)
	}
	b := protowire.AppendTag(nil, 99, protowire.Fixed64Type)
	b = protowire.AppendFixed64(b, 1)
	b = protowire.AppendTag(b, quotaModeField, protowire.VarintType)
	b = protowire.AppendVarint(b, protowire.EncodeBool(quota))
	b = protowire.AppendTag(b, metadataField, protowire.BytesType)
	b = protowire.AppendBytes(b, value)
	b = protowire.AppendTag(b, 100, protowire.BytesType)
	return protowire.AppendBytes(b, []byte("later"))
}

func TestResourceWithoutName(t *testing.T) {
	spec, err := decodeResource(pack(t, &rules.RateLimitConfig{Domain: "d"}), "resource 3")
	if err != nil || spec.At.String() != "resource 3" {
		t.Errorf("got %s, %v, want its place in the response", spec.At, err)
	}
}

func FuzzResource(f *testing.F) {
	metadata, err := structpb.NewStruct(map[string]any{"a": []any{1, true, nil, map[string]any{"b": "c"}}})
	if err != nil {
		f.Fatal(err)
	}
	d := &rules.RateLimitDescriptor{Key: "k"}
	d.ProtoReflect().SetUnknown(newer(f, true, metadata))
	f.Add(pack(f, &rules.RateLimitConfig{Name: "n", Domain: "d", Descriptors: []*rules.RateLimitDescriptor{d}}).GetValue())
	f.Add(domain(f, "x", rules.RateLimitUnit_YEAR).GetValue())
	f.Fuzz(func(t *testing.T, value []byte) {
		spec, err := decodeResource(&anypb.Any{TypeUrl: typeURL, Value: value}, "resource 1")
		if err == nil {
			_, _ = ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false)
		}
	})
}
