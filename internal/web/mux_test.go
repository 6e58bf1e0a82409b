package web_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"stoa/internal/web"
)

// newMux serves routes whose handlers say which one they are and with which
// path value.
func newMux(matched func(http.ResponseWriter, *http.Request, string), patterns ...string) http.Handler {
	routes := web.Routes{}
	for _, pattern := range patterns {
		routes[pattern] = func(w http.ResponseWriter, r *http.Request) error {
			_, err := io.WriteString(w, r.Pattern+"|"+r.PathValue("id")+r.PathValue("rest"))
			return err
		}
	}
	routes["GET /polls/closed"] = nil
	routes["GET /fails"] = func(http.ResponseWriter, *http.Request) error { return errors.New("as told") }
	return web.NewMux(routes, web.MuxOptions{
		NotFound: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "unknown")
		}),
		MethodNotAllowed: func(w http.ResponseWriter, _ *http.Request, allow string) {
			w.WriteHeader(http.StatusMethodNotAllowed)
			_, _ = io.WriteString(w, allow)
		},
		Error: func(w http.ResponseWriter, _ *http.Request, err error) {
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, err.Error())
		},
		Matched: matched,
	})
}

var patterns = []string{
	"GET /{$}", "GET /polls", "POST /polls", "GET /polls/{id}", "DELETE /polls/{id}",
	"POST /polls/batch", "GET /files/{rest...}", "PUT /files/{rest...}", "/any",
}

func TestMuxFindsRoutes(t *testing.T) {
	t.Parallel()
	mux := newMux(nil, patterns...)
	for _, test := range []struct{ method, path, want string }{
		{"GET", "/", "GET /{$}|"},
		{"GET", "/polls", "GET /polls|"},
		{"GET", "/polls?a=//../", "GET /polls|"},
		{"GET", "/polls/", "GET /polls|"},
		{"GET", "/polls/7", "GET /polls/{id}|7"},
		{"GET", "/polls/7/", "GET /polls/{id}|7"},
		{"DELETE", "/polls/7/", "DELETE /polls/{id}|7"},
		{"GET", "/polls/a%2Fb", "GET /polls/{id}|a/b"},
		{"GET", "/polls/a%2Fb/", "GET /polls/{id}|a/b"},
		{"GET", "/polls/a%2F..%2Fb", "GET /polls/{id}|a/../b"},
		{"GET", "/polls/7%2F", "GET /polls/{id}|7/"},
		{"GET", "/polls/...", "GET /polls/{id}|..."},
		{"GET", "/polls/%FF", "GET /polls/{id}|\xff"},
		{"GET", "/polls/batch", "GET /polls/{id}|batch"},
		{"POST", "/polls/batch", "POST /polls/batch|"},
		{"GET", "/files/a/b", "GET /files/{rest...}|a/b"},
		{"GET", "/files/a/b/", "GET /files/{rest...}|a/b"},
		{"PATCH", "/any", "/any|"},
		{"GET", "/fails", "as told"},
	} {
		got := httptest.NewRecorder()
		mux.ServeHTTP(got, httptest.NewRequest(test.method, test.path, nil))
		if got.Body.String() != test.want {
			t.Errorf("%s %s: got %d %q, want %q", test.method, test.path, got.Code, got.Body, test.want)
		}
	}
}

func TestMuxNeverCleansNorRedirects(t *testing.T) {
	t.Parallel()
	mux := newMux(nil, patterns...)
	for _, path := range []string{
		"//", "//polls", "/polls//", "/polls//7", "/./polls", "/polls/.", "/polls/..", "/polls/../polls", "/x/../polls",
		"/polls/./7", "/polls/%2e", "/polls/%2E%2e", "/polls/%2e%2e/", "/polls/.%2e/polls", "/polls/%2F", "/%2Fpolls", "/%2F",
		"/files", "/files/", "/files/a//b", "/files/a/../b", "/polls/7/votes", "/poll", "/Polls",
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS"} {
			got := httptest.NewRecorder()
			mux.ServeHTTP(got, httptest.NewRequest(method, path, nil))
			if got.Code != http.StatusNotFound {
				t.Errorf("%s %s: got %d %q, want 404", method, path, got.Code, got.Body)
			}
		}
	}
}

func TestMuxTellsAllowedMethods(t *testing.T) {
	t.Parallel()
	mux := newMux(nil, patterns...)
	for _, test := range []struct{ method, path, want string }{
		{"PUT", "/", "GET, HEAD"},
		{"PUT", "/polls", "GET, HEAD, POST"},
		{"PUT", "/polls/", "GET, HEAD, POST"},
		{"POST", "/polls/7", "DELETE, GET, HEAD"},
		{"POST", "/polls/a%2Fb", "DELETE, GET, HEAD"},
		{"PUT", "/polls/batch", "DELETE, GET, HEAD, POST"},
		{"POST", "/files/a", "GET, HEAD, PUT"},
		{"GET", "/polls/closed", "DELETE"},
		{"PUT", "/polls/closed", "DELETE"},
		{"get", "/polls/7", "DELETE, GET, HEAD"},
	} {
		got := httptest.NewRecorder()
		mux.ServeHTTP(got, httptest.NewRequest(test.method, test.path, nil))
		if got.Code != http.StatusMethodNotAllowed || got.Body.String() != test.want {
			t.Errorf("%s %s: got %d %q, want 405 %q", test.method, test.path, got.Code, got.Body, test.want)
		}
	}
}

func TestMuxTakesRequestsWithoutAPath(t *testing.T) {
	t.Parallel()
	mux := newMux(nil, patterns...)
	for _, target := range []string{"*", "http://host"} {
		r := httptest.NewRequest("GET", target, nil)
		r.Method = "OPTIONS"
		got := httptest.NewRecorder()
		mux.ServeHTTP(got, r)
		if got.Code != http.StatusNotFound {
			t.Errorf("OPTIONS %s: got %d, want 404", target, got.Code)
		}
	}
}

func TestMuxTellsThePattern(t *testing.T) {
	t.Parallel()
	var got []string
	mux := newMux(func(_ http.ResponseWriter, _ *http.Request, pattern string) { got = append(got, pattern) }, patterns...)
	for _, path := range []string{"/polls/7/", "/nothing", "//", "/fails"} {
		mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("HEAD", path, nil))
	}
	mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("PUT", "/polls", nil))
	want := []string{"GET /polls/{id}", "", "", "GET /fails", ""}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMuxRefusesPatternsItWouldNeverMatch(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"/", "GET /", "GET /polls/", "GET /polls/{$}"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("got a mux with %q, want a panic", pattern)
				}
			}()
			newMux(nil, pattern)
		}()
	}
}

func BenchmarkMux(b *testing.B) {
	mux := web.NewMux(web.Routes{
		"POST /api/v4/polls/{id}/votes": func(http.ResponseWriter, *http.Request) error { return nil },
	}, web.MuxOptions{})
	r, w := httptest.NewRequest("POST", "/api/v4/polls/815/votes", nil), httptest.NewRecorder()
	b.ReportAllocs()
	for b.Loop() {
		mux.ServeHTTP(w, r)
	}
}
