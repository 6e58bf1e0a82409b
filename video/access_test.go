package video_test

import (
	"net/http"
	"strings"
	"testing"

	"stoa/internal/db"
	"stoa/video"
)

// bearer calls with an access token.
func (s *site) bearer(token, method, path string) *answer {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return s.send(r)
}

func TestKeysAreExchangedForTokens(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		pair := s.callAs("", "POST", "/auth/api-key", object{"apiKey": s.key}).want(200)
		if pair["token_type"] != "Bearer" || pair["expires_in"] != float64(3600) {
			t.Errorf("got %v want a bearer token for an hour", pair)
		}
		s.bearer(pair["access_token"].(string), "GET", "/videos").want(200)
		s.bearer(pair["refresh_token"].(string), "GET", "/videos").refused(401, "authentication-invalid-access-token", "")

		next := s.callAs("", "POST", "/auth/refresh", object{"refreshToken": pair["refresh_token"]}).want(200)
		s.bearer(next["access_token"].(string), "GET", "/videos").want(200)
		s.callAs("", "POST", "/auth/refresh", object{"refreshToken": pair["refresh_token"]}).
			refused(400, "authentication-invalid-user-credentials", "")
	})
}

func TestWhoMayNotCall(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		s.callAs("", "GET", "/videos", nil).refused(401, "authentication-missing-authorization-header", "")
		s.callAs("wrong", "GET", "/videos", nil).refused(401, "authentication-invalid-api-key", "")
		s.bearer("wrong", "GET", "/videos").refused(401, "authentication-invalid-access-token", "")
		s.callAs("", "POST", "/auth/api-key", object{"apiKey": "wrong"}).refused(400, "authentication-invalid-user-credentials", "")
		s.callAs("", "POST", "/auth/api-key", object{}).refused(400, "attribute-required", "apiKey")
		s.callAs("", "POST", "/auth/api-key", nil).refused(400, "invalid-payload", "")
		s.callAs("", "POST", "/auth/api-key", object{"apiKey": strings.Repeat("x", 10_000)}).refused(400, "invalid-payload", "")
		s.callAs("", "GET", "/nothing", nil).refused(404, "unrecognized-request-url", "")
		s.callAs("", "PUT", "/videos", nil).refused(405, "method-not-allowed", "")

		r, _ := http.NewRequestWithContext(t.Context(), "GET", s.url+"/videos", nil)
		r.Header.Set("Authorization", "Digest x")
		s.send(r).refused(401, "authentication-invalid-authorization-header-value", "")
	})
}

func TestSuspendedAndDeletedKeys(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		token := s.callAs("", "POST", "/auth/api-key", object{"apiKey": s.key}).want(200)["access_token"].(string)
		if err := s.SuspendKey(t.Context(), "tests", true); err != nil {
			t.Fatal(err)
		}
		s.call("GET", "/videos", nil).refused(403, "authorization-suspended-account", "")
		s.bearer(token, "GET", "/videos").refused(403, "authorization-suspended-account", "")
		if err := s.SuspendKey(t.Context(), "tests", false); err != nil {
			t.Fatal(err)
		}
		s.bearer(token, "GET", "/videos").want(200)
		if err := s.DeleteKey(t.Context(), "tests"); err != nil {
			t.Fatal(err)
		}
		s.call("GET", "/videos", nil).refused(401, "authentication-invalid-api-key", "")
		s.bearer(token, "GET", "/videos").refused(401, "authentication-invalid-access-token", "")
	})
}

func TestKeyNames(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		for _, name := range []string{"", "a b", "../x", strings.Repeat("x", 65), "tests"} {
			if _, err := s.CreateKey(t.Context(), name, video.DefaultProject, video.Limits{}); err == nil {
				t.Errorf("%q: got a key, want a refusal", name)
			}
		}
		if err := s.SuspendKey(t.Context(), "nobody", true); err == nil {
			t.Error("got no error for a key that is not there")
		}
		if key, err := s.FirstKey(t.Context()); key != "" || err != nil {
			t.Errorf("got %q, %v, want no first key where there is one", key, err)
		}
	})
}
