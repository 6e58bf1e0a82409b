package polls_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkVote is one voter who changes their mind, without the network.
func BenchmarkVote(b *testing.B) {
	d := openSQLite(b)
	s, poll := newSite(b, d), plantPoll(b, d)
	id, handler := s.service.Mint(), s.service.Handler()
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		body := fmt.Sprintf(`{"option":%d,"anonymous_user_id":%q}`, 1+n%2, id)
		r, w := httptest.NewRequest("POST", "/api/v4"+votes(poll), strings.NewReader(body)), httptest.NewRecorder()
		r.Header.Set("Content-Type", "application/json")
		handler.ServeHTTP(w, r)
		if w.Code != 200 && w.Code != 201 {
			b.Fatalf("got %d %s, want that it is counted", w.Code, w.Body)
		}
	}
}
