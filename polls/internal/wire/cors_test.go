package wire_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/polls/internal/wire"
)

// around asks a middleware whose next handler answers 202.
func around(middleware func(http.Handler) http.Handler, method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })
	middleware(next).ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

func TestPreflightsAreAnsweredEverywhereInTheAPI(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"Access-Control-Allow-Origin":  "*",
		"Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
		"Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key",
		"Access-Control-Max-Age":       "86400",
		"Access-Control-Expose-Headers": "Link, Location, X-Total-Count, X-Page, X-Per-Page, Retry-After, " +
			"RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id, ETag",
	}
	for _, path := range []string{"/api/v4", "/api/v4/", "/api/v4/polls", "/api/v4/nothing", "/storage/uploads"} {
		w := around(wire.CORS, "OPTIONS", path)
		got := map[string]string{}
		for name := range w.Header() {
			got[name] = w.Header().Get(name)
		}
		if w.Code != http.StatusNoContent || w.Body.Len() > 0 || !maps.Equal(got, want) {
			t.Errorf("%s: got %d %v, want 204 %v", path, w.Code, got, want)
		}
	}
}

func TestAnswersOfTheAPIAreOpenToEveryOrigin(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"GET", "POST", "DELETE"} {
		w := around(wire.CORS, method, "/api/v4/polls")
		if h := w.Header(); w.Code != 202 || h.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(h.Get("Access-Control-Expose-Headers"), "X-Total-Count") {
			t.Errorf("%s: got %d %v, want the handler's answer, open to all", method, w.Code, h)
		}
	}
}

func TestOtherPathsStayClosed(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/815", "/api", "/api/v3/polls", "/api/v40", "/api/operator/users", "/storages", "/images/x"} {
		for _, method := range []string{"GET", "OPTIONS"} {
			if w := around(wire.CORS, method, path); w.Code != 202 || len(w.Header()) > 0 {
				t.Errorf("%s %s: got %d %v, want nothing added", method, path, w.Code, w.Header())
			}
		}
	}
}
