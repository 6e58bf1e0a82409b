package stats_test

import (
	"fmt"
	"net/http/httptest"

	"stoa/internal/stats"
)

func Example() {
	r := stats.NewRegistry()
	hits := r.Counter("shop.ip_10.0.0.1.total_hits") // keep the pointer
	hits.Add(3)
	r.Gauge("shop.open").Set(1)

	page := httptest.NewRecorder()
	stats.Handler(r).ServeHTTP(page, httptest.NewRequest("GET", "/stats", nil))
	fmt.Print(page.Body)
	// Output:
	// shop.ip_10_0_0_1.total_hits: 3
	// shop.open: 1
}
