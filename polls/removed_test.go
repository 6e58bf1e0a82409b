package polls_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// removedRoutes were offered before v3.12.2.
var removedRoutes = []string{
	"/slp/balancesForAddress", "/slp/burnTotal", "/slp/balancesForToken", "/slp/balance", "/slp/transactions",
}

func TestRemovedRoutesAreUnknownPaths(t *testing.T) {
	t.Parallel()
	s := newSite(t, anyDatabase(t))
	for _, path := range removedRoutes {
		for _, prefix := range []string{"", "/v1", "/v2", "/v4", "/rest/v2"} {
			for _, end := range []string{"", "/", "?tokenId=1"} {
				for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
					checkUnknown(t, s, method, prefix+path+end, "")
				}
				checkUnknown(t, s, "POST", prefix+path+end, `{"tokenIds":["a","b"]}`)
			}
		}
		for _, end := range []string{"", "/"} {
			s.send("POST", "/api/v4"+path+end, jsonBody(), strings.NewReader("{}")).refused(http.StatusNotFound, "not_found", "")
			s.send("POST", "/api/v2"+path+end, jsonBody(), strings.NewReader("{}")).refused(http.StatusNotFound, "unknown_version", "")
		}
	}
}

func jsonBody() http.Header {
	return http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer pt_nobody"}}
}

// checkUnknown asks for a path and for one that nobody ever heard of: the answers
// are the same.
func checkUnknown(t *testing.T, s *site, method, path, body string) {
	t.Helper()
	got := s.send(method, path, jsonBody(), strings.NewReader(body))
	want := s.send(method, "/nobody/heard/of", jsonBody(), strings.NewReader(body))
	const text = `{"status":404,"message":"Not Found"}`
	if got.status != http.StatusNotFound || string(got.body) != string(want.body) || string(got.body) != text && method != "HEAD" {
		t.Errorf("%s %s: got %d %s want 404 %s", method, path, got.status, got.body, text)
	}
	if kind := got.header.Get("Content-Type"); kind != "application/json; charset=utf-8" {
		t.Errorf("%s %s: got type %q want JSON", method, path, kind)
	}
	names := slices.Sorted(maps.Keys(got.header))
	if others := slices.Sorted(maps.Keys(want.header)); !slices.Equal(names, others) {
		t.Errorf("%s %s: got headers %q want those of any unknown path, %q", method, path, names, others)
	}
}
