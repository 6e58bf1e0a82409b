package rls_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/ratelimit/rls"
)

// FuzzJSON holds that no body makes the decision handler panic or blame itself.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"domain":"shop","descriptors":[{"entries":[{"key":"path","value":"/api"}]}]}`,
		`{"domain":"shop","hits_addend":3,"descriptors":[{"entries":[{"key":"path","value":"/a"}],"hitsAddend":"18446744073709551615"}]}`,
		`{"domain":"shop","descriptors":[{"entries":[{"key":"x"}],"limit":{"requestsPerUnit":4294967295,"unit":"YEAR","unitMultiplier":4294967295}}]}`,
		`{"domain":"shop","descriptors":[{"entries":[{"key":"path","value":"/api"}],"limit":{"unit":-1},"isNegativeHits":true}]}`,
		`{"domain":"shop","descriptors":[{},{"entries":[{}]}]}`,
		`{"domain":"\u0000\ud83d\ude00","descriptors":[{"entries":[{"key":"a.b:c|d","value":"10.0.0.1"}]}]}`,
		`{"domain":"shop","descriptors":[null]}`, `{"domain":"shop"`, `[]`, ``, "{\"domain\":\"\xff\"}",
	} {
		f.Add(seed)
	}
	service := newService(f, rls.Config{
		Headers: true, LimitHeader: "l", RemainingHeader: "r", ResetHeader: "t", DynamicMetadata: true,
	}, `domain: shop
descriptors:
  - key: path
    value: /a*
    rate_limit: {unit: second, requests_per_unit: 3, name: a}
    share_threshold: true
    metadata: {a: {b: [1, x]}}
    descriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: 0, replaces: [{name: a}]}, quota_mode: true}]
  - {key: "*", rate_limit: {unit: week, requests_per_unit: 1}, value_to_metric: true, shadow_mode: true}
`)
	var handler http.HandlerFunc
	for _, r := range service.HTTPRoutes() {
		if r.Path == "/json" {
			handler = r.Serve
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		w := httptest.NewRecorder()
		handler(w, httptest.NewRequest(http.MethodPost, "/json", strings.NewReader(body)))
		switch w.Code {
		case http.StatusOK, http.StatusTooManyRequests, http.StatusBadRequest, http.StatusServiceUnavailable:
		default:
			t.Errorf("got %d %q for %q", w.Code, w.Body, body)
		}
	})
}
