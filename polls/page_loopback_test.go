package polls_test

import (
	"net/http"
	"strings"
	"testing"

	"stoa/internal/db/dbtest"
	"stoa/polls"
)

func TestPagesAreOpenedAtOneNameOfThisMachine(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.SQLite(t))
	if err := d.Migrate(t.Context(), polls.Room, polls.Migrations()); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, d)
	port := s.server.URL[strings.LastIndex(s.server.URL, ":"):]
	for host, want := range map[string]string{
		"localhost" + port:      s.service.Origin + "/join?next=%2Fnew",
		"127.0.0.2" + port:      s.service.Origin + "/join?next=%2Fnew",
		"localhost:1":           "", // a tunnel
		"polls.example" + port:  "", // a proxy
		"127.0.0.1" + port:      "",
		"localhost.evil" + port: "",
	} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", s.server.URL+"/join?next=%2Fnew", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = w.Body.Close()
		if got := w.Header.Get("Location"); got != want {
			t.Errorf("%s: got %d to %q want %q", host, w.StatusCode, got, want)
		}
	}
}
