package web_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"stoa/internal/stats"
	"stoa/internal/web"
)

// BenchmarkAccess is what a request pays for its id and its figures.
func BenchmarkAccess(b *testing.B) {
	access := web.NewAccess(web.AccessOptions{Room: "polls", Environment: "production", Stats: stats.NewRegistry()})
	handler := access.Before(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { access.Matched(w, r, "") }))
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
	b.ReportAllocs()
	for b.Loop() {
		handler.ServeHTTP(w, r)
	}
}
