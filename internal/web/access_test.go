package web_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stoa/internal/stats"
	"stoa/internal/web"
)

// counted serves routes behind an Access.
func counted(log io.Writer, routes web.Routes) (http.Handler, *stats.Registry) {
	registry := stats.NewRegistry()
	access := web.NewAccess(web.AccessOptions{
		Room: "polls", Environment: "production", Routes: routes, Stats: registry, Log: slog.New(slog.NewJSONHandler(log, nil)),
	})
	return access.Before(web.NewMux(routes, web.MuxOptions{
		NotFound:         http.NotFoundHandler(),
		MethodNotAllowed: func(w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(http.StatusMethodNotAllowed) },
		Error: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, err.Error(), http.StatusBadGateway)
		},
		Matched: access.Matched,
	})), registry
}

func tags(pairs ...string) (all []stats.Tag) {
	all = []stats.Tag{{Key: "room", Value: "polls"}, {Key: "environment", Value: "production"}}
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, stats.Tag{Key: pairs[i], Value: pairs[i+1]})
	}
	return all
}

func TestAccessCountsByRouteAndStatus(t *testing.T) {
	t.Parallel()
	inFlight := int64(-1)
	var registry *stats.Registry
	handler, registry := counted(io.Discard, web.Routes{
		"GET /polls/{id}": func(w http.ResponseWriter, _ *http.Request) error {
			inFlight = registry.Gauge("stoa.http.in_flight", tags()...).Value()
			_, err := io.WriteString(w, "hello")
			return err
		},
		"GET /fails":  func(http.ResponseWriter, *http.Request) error { return errors.New("as told") },
		"GET /silent": func(http.ResponseWriter, *http.Request) error { return nil },
		"GET /hints": func(w http.ResponseWriter, _ *http.Request) error {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusFound)
			return nil
		},
	})
	var timed []time.Duration
	registry.WatchTimers(func(timer *stats.Timer) func(time.Duration) {
		return func(d time.Duration) { timed = append(timed, d) }
	})
	asked := []string{"GET /polls/1", "GET /polls/2", "GET /fails", "GET /silent", "GET /hints", "GET /nowhere", "POST /silent"}
	for _, line := range asked {
		method, path, _ := strings.Cut(line, " ")
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, path, nil))
	}
	for _, want := range []struct {
		route, status string
		n             uint64
	}{
		{"GET /polls/{id}", "2xx", 2}, {"GET /fails", "5xx", 1}, {"GET /silent", "2xx", 1}, {"GET /hints", "3xx", 1}, {"unknown", "4xx", 2},
	} {
		if got := registry.Counter("stoa.http.requests", tags("route", want.route, "status", want.status)...).Total(); got != want.n {
			t.Errorf("%s %s: got %d requests, want %d", want.route, want.status, got, want.n)
		}
	}
	if got := registry.Counter("stoa.http.sent_bytes", tags("route", "GET /polls/{id}")...).Total(); got != 2*5 {
		t.Errorf("got %d bytes, want 10", got)
	}
	if len(timed) != len(asked) || inFlight != 1 || registry.Gauge("stoa.http.in_flight", tags()...).Value() != 0 {
		t.Errorf("got %d timed, %d in flight meanwhile, want %d and 1, and none afterwards", len(timed), inFlight, len(asked))
	}
}

func TestAccessTellsOfAPanic(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	handler, registry := counted(&log, web.Routes{
		"GET /breaks": func(http.ResponseWriter, *http.Request) error { panic("a bug") },
	})
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/breaks", nil)
	r.Header.Set("X-Request-Id", "mine")
	func() {
		defer func() {
			if got := recover(); got != http.ErrAbortHandler {
				t.Errorf("got %v, want that the connection is cut", got)
			}
		}()
		handler.ServeHTTP(w, r)
	}()
	for _, want := range []string{`"request_id":"mine"`, `"panic":"a bug"`, `"route":"GET /breaks"`, "access_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has no %s: %s", want, &log)
		}
	}
	if got := registry.Counter("stoa.http.requests", tags("route", "GET /breaks", "status", "5xx")...).Total(); got != 1 {
		t.Errorf("got %d counted, want 1", got)
	}
}

// identify returns the id of an answer and the one that the handler saw.
func identify(header string) (answered, seen string) {
	handler, _ := counted(io.Discard, web.Routes{
		"GET /{$}": func(w http.ResponseWriter, _ *http.Request) error { seen = web.RequestID(w); return nil },
	})
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
	r.Header.Set("X-Request-Id", header)
	handler.ServeHTTP(w, r)
	return w.Header().Get("X-Request-Id"), seen
}

func TestRequestIDOfTheCallerIsKept(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"a", "4bf92f35-77b3.4da6_A3", strings.Repeat("x", 64)} {
		if answered, seen := identify(id); answered != id || seen != id {
			t.Errorf("got %q answered and %q seen, want %q", answered, seen, id)
		}
	}
}

func TestRequestIDIsMadeWhenThereIsNoGoodOne(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"": true}
	for _, id := range []string{"", "", "a b", "a\nb", "é", `a"b`, "a=b", strings.Repeat("x", 65)} {
		answered, seen := identify(id)
		if known[answered] || answered == id || answered != seen {
			t.Errorf("%q: got %q answered and %q seen, want a new one", id, answered, seen)
		}
		known[answered] = true
	}
}

// TestFilesAreSentByTheSystem sees that nothing between a handler and its connection
// makes the program read what it sends.
func TestFilesAreSentByTheSystem(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("film"), 0o600); err != nil {
		t.Fatal(err)
	}
	handler, registry := counted(io.Discard, web.Routes{
		"GET /film": func(w http.ResponseWriter, _ *http.Request) error {
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.Copy(w, f)
			return err
		},
		"GET /flushed": func(w http.ResponseWriter, _ *http.Request) error {
			return http.NewResponseController(w).Flush()
		},
	})
	to := &readingWriter{ResponseRecorder: httptest.NewRecorder()}
	handler.ServeHTTP(to, httptest.NewRequest("GET", "/film", nil))
	if to.read != 4 || registry.Counter("stoa.http.sent_bytes", tags("route", "GET /film")...).Total() != 4 {
		t.Errorf("got %d bytes by ReadFrom, want 4, and counted", to.read)
	}
	plain := httptest.NewRecorder() // reads from nothing, as HTTP/2 does
	handler.ServeHTTP(plain, httptest.NewRequest("GET", "/film", nil))
	if plain.Body.String() != "film" {
		t.Errorf("got %q, want film", plain.Body)
	}
	flushed := httptest.NewRecorder()
	handler.ServeHTTP(flushed, httptest.NewRequest("GET", "/flushed", nil))
	if !flushed.Flushed {
		t.Error("got no flush")
	}
}

type readingWriter struct {
	*httptest.ResponseRecorder
	read int64
}

func (w *readingWriter) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(w.ResponseRecorder, r)
	w.read += n
	return n, err
}

// TestAccessCostsTwoAllocations holds the price of a request: its id, and what is
// counted of it.
func TestAccessCostsTwoAllocations(t *testing.T) {
	access := web.NewAccess(web.AccessOptions{Room: "polls", Environment: "production", Stats: stats.NewRegistry()})
	handler := access.Before(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
	if got := testing.AllocsPerRun(100, func() { handler.ServeHTTP(w, r) }); got > 2 {
		t.Errorf("got %v allocations, want at most 2", got)
	}
}
