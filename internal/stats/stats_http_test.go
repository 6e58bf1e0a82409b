package stats_test

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/stats"
)

func someStats() *stats.Registry {
	r := stats.NewRegistry()
	r.Counter("zebra").Add(1<<63 + 1)
	r.Counter("apple", stats.Tag{Key: "code", Value: "ok"}).Add(2)
	r.Counter("never")
	r.Gauge("level").Set(-3)
	r.Timer("took").Observe(1)
	return r
}

func TestStatsPageListsNamesInOrder(t *testing.T) {
	w := httptest.NewRecorder()
	stats.Handler(someStats()).ServeHTTP(w, httptest.NewRequest("GET", "/stats", nil))
	want := "apple.__code=ok: 2\nlevel: -3\nnever: 0\nzebra: 9223372036854775809\n"
	if diff := cmp.Diff(want, w.Body.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := w.Header().Get("Content-Type"); got != "text/plain; charset=utf-8" {
		t.Errorf("content type: got %q", got)
	}
}

func TestStatsPageAsJSON(t *testing.T) {
	w := httptest.NewRecorder()
	stats.Handler(someStats()).ServeHTTP(w, httptest.NewRequest("GET", "/stats?format=json", nil))
	got := map[string]json.Number{}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]json.Number{"apple.__code=ok": "2", "level": "-3", "never": "0", "zebra": "9223372036854775809"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := w.Header().Get("Content-Type"); got != "application/json" {
		t.Errorf("content type: got %q", got)
	}
}
