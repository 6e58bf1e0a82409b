package console_test

import (
	"net/http"
	"strings"
	"testing"

	"stoa/internal/db"
)

func TestOperatorGetsASession(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		got := k.ask("GET", "/session", "").object()
		if got["environment"] != "production" || got["version"] != "1.2.3" || got["videoUrl"] != "http://video.test" {
			t.Errorf("got %v, want what was opened", got)
		}
		if user, _ := got["user"].(object); user["username"] != "operator" {
			t.Errorf("got %v, want the operator", user)
		}
	})
}

func TestAccessToTheVideosIsGoodThere(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		for range 2 { // the key of the first is there for the second
			token, _ := k.ask("POST", "/video/access", `{"project":"default"}`).object()["token"].(string)
			r, w := newRecorded(t, "GET", "/videos")
			r.Header.Set("Authorization", "Bearer "+token)
			k.video.Handler().ServeHTTP(w, r)
			if w.Code != http.StatusOK {
				t.Errorf("got %d %s, want the videos", w.Code, w.Body)
			}
		}
		k.ask("POST", "/video/access", `{"project":"a/b"}`).refused(400, "invalid")
		k.ask("POST", "/video/access", `{"other":1}`).refused(400, "invalid")
		k.ask("POST", "/video/access", ``).refused(400, "invalid")
	})
}

// Every route is closed to everybody else.
func TestOnlyOperatorsGetIn(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		ordinary := k.logIn("ann", false)
		for _, route := range operatorRoutes() {
			k.send(route.method, route.path, http.Header{}, "{}").refused(401, "signed_out")
			k.send(route.method, route.path, http.Header{"Authorization": {"Bearer nonsense"}}, "{}").refused(401, "signed_out")
			k.send(route.method, route.path, http.Header{"Authorization": {"Bearer " + ordinary}}, "{}").refused(403, "not_operator")
		}
	})
}

// The browser sends the cookie along with what other sites ask for.
func TestCookieCountsOnlyFromOurOwnPages(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		cookie := "stoa_session=" + k.token
		for _, c := range []struct {
			name, method, path string
			header             http.Header
			status             int
		}{
			{"our page reads", "GET", "/session", http.Header{"Sec-Fetch-Site": {"same-origin"}}, 200},
			{"our page writes", "POST", "/video/access", http.Header{"Origin": {k.server.URL}}, 200},
			{"another site reads", "GET", "/session", http.Header{"Sec-Fetch-Site": {"cross-site"}}, 401},
			{"another site writes", "POST", "/video/access", http.Header{"Origin": {"https://evil.example"}}, 401},
			{"a page of another port writes", "POST", "/video/access", http.Header{"Sec-Fetch-Site": {"same-site"}, "Origin": {"http://video.test"}}, 401},
			{"nobody says where it comes from", "POST", "/video/access", http.Header{}, 401},
		} {
			c.header.Set("Cookie", cookie)
			if got := k.send(c.method, "/api/operator"+c.path, c.header, `{"project":"default"}`); got.status != c.status {
				t.Errorf("%s: got %d %s, want %d", c.name, got.status, got.body, c.status)
			}
		}
	})
}

func TestRefusalsSpeakOfTheRequest(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		for body, want := range map[string]string{`[]`: "it is a JSON array", `{"project":1}`: "project is a JSON number"} {
			got := k.ask("POST", "/video/access", body)
			got.refused(400, "invalid")
			if !strings.Contains(string(got.body), want) {
				t.Errorf("got %s, want %q", got.body, want)
			}
		}
		k.ask("GET", "/polls?limit=100000", "").refused(400, "invalid") // as the polls refuse it
	})
}
