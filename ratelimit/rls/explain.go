package rls

import (
	"encoding/json"
	"net/http"
	"strings"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"

	"stoa/internal/fault"
	"stoa/ratelimit"
)

// explain answers why a request would pass or not.
func (s *Service) explain(w http.ResponseWriter, r *http.Request) error {
	request, err := explainRequest(w, r)
	if err != nil {
		return err
	}
	var x exchange
	explanation, err := s.Limiter.Explain(r.Context(), x.read(request))
	if err != nil {
		return err
	}
	explanation.Backend = s.Backend
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(explanation)
}

func explainRequest(w http.ResponseWriter, r *http.Request) (*rlsv3.RateLimitRequest, error) {
	if r.Method == http.MethodPost {
		return readJSON(w, r)
	}
	request := &rlsv3.RateLimitRequest{Domain: r.FormValue("domain")}
	for _, text := range r.Form["descriptors"] {
		d, err := ParseDescriptor(text)
		if err != nil {
			return nil, err
		}
		request.Descriptors = append(request.Descriptors, d)
	}
	return request, nil
}

// ParseDescriptor reads k=v,k=v. Each item is cut at its first =.
func ParseDescriptor(text string) (*rlcommonv3.RateLimitDescriptor, error) {
	d := new(rlcommonv3.RateLimitDescriptor)
	for item := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(item, "=")
		if !ok {
			return nil, fault.New(fault.Invalid, "descriptor %q: want key=value,key=value, got %q without =", text, item)
		}
		d.Entries = append(d.Entries, &rlcommonv3.RateLimitDescriptor_Entry{Key: key, Value: value})
	}
	return d, nil
}

// ExplainOffline is Explain by the rules alone, for a request that has no server.
func ExplainOffline(rules *ratelimit.Rules, r *rlsv3.RateLimitRequest) (*ratelimit.Explanation, error) {
	var x exchange
	return rules.Explain(x.read(r))
}
