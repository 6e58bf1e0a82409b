package rls

import (
	"fmt"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/protobuf/types/known/structpb"

	"stoa/ratelimit"
)

// dynamicMetadata repeats the request and adds the metadata of the rules whose
// descriptor passed, for access logs and other filters.
func dynamicMetadata(r *rlsv3.RateLimitRequest, d *ratelimit.Decision) (*structpb.Struct, error) {
	descriptors := make([]any, len(r.GetDescriptors()))
	for i, desc := range r.GetDescriptors() {
		entries := make([]any, len(desc.GetEntries()))
		for j, e := range desc.GetEntries() {
			entries[j] = e.GetKey() + "=" + e.GetValue()
		}
		m := map[string]any{"entries": entries}
		if desc.GetLimit() != nil {
			m["limit"] = CompactText(desc.GetLimit())
		}
		if desc.GetHitsAddend() != nil {
			m["hitsAddend"] = desc.GetHitsAddend().GetValue()
		}
		descriptors[i] = m
	}
	all := map[string]any{"domain": r.GetDomain(), "descriptors": descriptors}
	if r.GetHitsAddend() != 0 {
		all["hitsAddend"] = r.GetHitsAddend()
	}
	if m := d.Metadata(); len(m) > 0 {
		all["metadata"] = m
	}
	metadata, err := structpb.NewStruct(all)
	if err != nil {
		return nil, fmt.Errorf("dynamic metadata: %w", err)
	}
	return metadata, nil
}
