package wire_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/polls/internal/wire"
)

// identify returns the id of an answer, after a look at its other headers, and
// the id that the handler saw.
func identify(t *testing.T, header string) (answered, seen string) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("X-Request-Id", header)
	wire.Headers(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = wire.RequestID(r.Context()) })).ServeHTTP(w, r)
	if got := w.Header().Get("X-Content-Type-Options"); got != "nosniff" {
		t.Errorf("got X-Content-Type-Options %q, want nosniff", got)
	}
	return w.Header().Get("X-Request-Id"), seen
}

func TestRequestIDOfTheCallerIsKept(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"a", "4bf92f35-77b3.4da6_A3", strings.Repeat("x", 64)} {
		if answered, seen := identify(t, id); answered != id || seen != id {
			t.Errorf("got %q answered and %q seen, want %q", answered, seen, id)
		}
	}
}

func TestRequestIDIsMadeWhenThereIsNoGoodOne(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"": true}
	for _, id := range []string{"", "", "a b", "a\nb", "é", `a"b`, "a=b", strings.Repeat("x", 65)} {
		answered, seen := identify(t, id)
		if known[answered] || answered == id || answered != seen {
			t.Errorf("%q: got %q answered and %q seen, want a new one", id, answered, seen)
		}
		known[answered] = true
	}
}

func TestRequestIDOutsideARequest(t *testing.T) {
	t.Parallel()
	if got := wire.RequestID(t.Context()); got != "" {
		t.Errorf("got %q, want none", got)
	}
}
