package analytics

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/web"
	"stoa/video/internal/problem"
)

// noon is the time of most tests: a day after clocks were changed in Europe.
var noon = time.Date(2026, 3, 30, 12, 34, 56, 0, time.UTC)

// stand is a service with a clock that tests move.
type stand struct {
	*Service
	t       testing.TB
	handler http.Handler

	mu    sync.Mutex
	clock time.Time
}

var testMedia = map[string]Media{
	"vi1": {Project: "one", Tags: []string{"News", "sport"}},
	"vi2": {Project: "one", Tags: []string{"news"}},
	"vi3": {Project: "one"},
	"li1": {Project: "one", Live: true, Tags: []string{"News"}},
	"vi9": {Project: "other", Tags: []string{"News"}},
}

func findTestMedia(_ context.Context, ids []string) (map[string]Media, error) {
	found := map[string]Media{}
	for _, id := range ids {
		if m, known := testMedia[id]; known {
			found[id] = m
		}
	}
	return found, nil
}

// each runs fn on both engines, with a service that is not running.
func each(t *testing.T, fn func(*testing.T, *stand)) {
	t.Parallel()
	dbtest.Each(t, Room, Migrations(), func(t *testing.T, d *db.DB) { fn(t, newStand(t, d)) })
}

// onSQLite is for what does not depend on the engine.
func onSQLite(t testing.TB) *stand {
	d := dbtest.Open(t, dbtest.SQLite(t))
	if err := d.Migrate(t.Context(), Room, Migrations()); err != nil {
		t.Fatal(err)
	}
	return newStand(t, d)
}

func newStand(t testing.TB, d *db.DB) *stand {
	t.Helper()
	service, err := New(Options{
		DB: d, Log: slog.New(slog.DiscardHandler), Countries: twoCountries(t), Media: findTestMedia,
		ClientAddress: func(r *http.Request) netip.Addr { return netip.MustParseAddr(r.Header.Get("X-Address")) },
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &stand{Service: service, t: t, clock: noon}
	s.Service.now = s.time
	routes := service.CollectorRoutes()
	for pattern, ask := range map[string]func(http.ResponseWriter, *http.Request, string) error{
		"GET /data/metrics/{metric}/{aggregation}": s.Metric, "GET /data/buckets/{metric}/{breakdown}": s.Buckets,
		"GET /data/timeseries/{metric}": s.Timeseries, "GET /analytics/videos/plays": s.VideoPlays, "GET /analytics/live-streams/plays": s.LivePlays,
	} {
		routes[pattern] = func(w http.ResponseWriter, r *http.Request) error { return ask(w, r, "one") }
	}
	s.handler = web.NewMux(routes, web.MuxOptions{
		NotFound: http.NotFoundHandler(),
		Error: func(w http.ResponseWriter, _ *http.Request, err error) {
			if problem.Write(w, err) >= http.StatusInternalServerError {
				t.Logf("answered for %v", err)
			}
		},
	})
	return s
}

// run runs the service until the test ends.
func (s *stand) run() {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Run(ctx) }()
	s.t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			s.t.Errorf("run: %v", err)
		}
	})
}

func (s *stand) time() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock
}

func (s *stand) set(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = t
}

const (
	chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
	iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"
	linux  = "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0"
)

func (s *stand) post(path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", path, strings.NewReader(body))
	r.Header.Set("X-Address", "10.1.2.3")
	r.Header.Set("User-Agent", chrome)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// get asks and decodes the answer.
func (s *stand) get(path string) (status int, answer map[string]any) {
	s.t.Helper()
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		s.t.Fatalf("GET %s: got %q want JSON", path, body)
	}
	return w.Code, answer
}

// number is the data of a metric.
func (s *stand) number(path string) float64 {
	s.t.Helper()
	status, answer := s.get(path)
	n, ok := answer["data"].(float64)
	if status != http.StatusOK || !ok {
		s.t.Fatalf("GET %s: got %d %v want a number", path, status, answer)
	}
	return n
}

// write stores batches as if they had been received at these times.
func (s *stand) write(batches ...received) {
	s.t.Helper()
	var group []*entry
	for _, b := range batches {
		parsed, err := parseWatch([]byte(b.body), b.at)
		if err != nil {
			s.t.Fatalf("%s: %v", b.body, err)
		}
		key, err := s.days.of(s.t.Context(), b.at)
		if err != nil {
			s.t.Fatal(err)
		}
		group = append(group, s.newEntry(parsed, key, b.at, netip.MustParseAddr(b.address), b.agent))
	}
	if err := s.recorder.write(s.t.Context(), group); err != nil {
		s.t.Fatal(err)
	}
}

type received struct {
	body, address, agent string
	at                   time.Time
}

// twoCountries is a MaxMind file in which the lower half of all addresses is in
// France and the upper half in Australia.
func twoCountries(t testing.TB) string {
	t.Helper()
	short := func(n byte) string { return string([]byte{5<<5 | 1, n}) }
	text := func(s string) string { return string([]byte{byte(2<<5 | len(s))}) + s }
	pairs := func(kv ...string) string { return string([]byte{byte(7<<5 | len(kv)/2)}) + strings.Join(kv, "") }
	place := func(continent, country string) string {
		return pairs(text("continent"), pairs(text("code"), text(continent)), text("country"), pairs(text("iso_code"), text(country)))
	}
	france, australia := place("EU", "FR"), place("OC", "AU")
	node := make([]byte, 0, 6)
	for _, offset := range []int{0, len(france)} {
		record := binary.BigEndian.AppendUint32(nil, uint32(1+16+offset))
		node = append(node, record[1:]...)
	}
	file := string(node) + strings.Repeat("\x00", 16) + france + australia + "\xab\xcd\xefMaxMind.com" + pairs(
		text("binary_format_major_version"), short(2), text("binary_format_minor_version"), short(0),
		text("build_epoch"), "\x01\x02\x01", text("database_type"), text("Test"), text("description"), pairs(),
		text("ip_version"), short(4), text("languages"), "\x00\x04", text("node_count"), "\xc1\x01", text("record_size"), short(24))
	path := filepath.Join(t.TempDir(), "countries.mmdb")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
