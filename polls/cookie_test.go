package polls_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/internal/db"
	"stoa/polls"
	"stoa/polls/internal/credential"
)

// cookies are those that our pages set.
func (s *site) cookies(token, anonymous string) []*http.Cookie {
	w := httptest.NewRecorder()
	s.service.Welcome(w, token, anonymous)
	return w.Result().Cookies()
}

// with is the header of a request with cookies.
func with(cookies []*http.Cookie, more ...string) http.Header {
	h := http.Header{}
	for _, c := range cookies {
		h.Add("Cookie", c.Name+"="+c.Value)
	}
	for i := 0; i < len(more); i += 2 {
		h.Set(more[i], more[i+1])
	}
	return h
}

func TestCookiesSpeakForOurOwnPagesOnly(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		cookies := s.cookies(ann.token, s.service.Mint())
		const me = "/api/v4/users/me"
		for _, own := range [][]string{
			nil, {"Sec-Fetch-Site", "same-origin"}, {"Origin", s.service.Origin}, {"Referer", s.service.Origin + "/5"},
		} {
			shows(t, s.send("GET", me, with(cookies, own...), nil).object(), object{"username": "ann", "authToken": ann.token})
		}
		for _, foreign := range [][]string{
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "none"}, {"Origin", "https://evil.test"},
			{"Referer", s.service.Origin + ".evil.test/"}, {"Origin", "null"},
		} {
			if o := s.send("GET", me, with(cookies, foreign...), nil).object(); o["anonymousUserID"] == nil || o["anonymousUserID"] == cookies[1].Value {
				t.Errorf("%v: got %v want a stranger", foreign, o)
			}
		}
		s.send("POST", "/api/v4/users/sign_out", with(cookies), nil).refused(401, "authentication_required", "auth_token")
		id := s.service.Mint()
		shows(t, s.send("GET", me+"?anonymous_user_id="+id, with(cookies), nil).object(), object{"anonymousUserID": id})
		shows(t, s.send("GET", me, with(cookies[1:]), nil).object(), object{"anonymousUserID": cookies[1].Value})
	})
}

func TestStaleCookiesAreClearedAndIgnored(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		good := s.service.Mint()
		a := s.send("GET", "/api/v4/users/me", with(s.cookies(credential.NewToken(), good)), nil)
		shows(t, a.object(), object{"anonymousUserID": good})
		if got := a.header["Set-Cookie"]; len(got) != 1 || !strings.HasPrefix(got[0], "stoa_session=;") || !strings.Contains(got[0], "Max-Age=0") {
			t.Errorf("got cookies %q want the session cleared", got)
		}
		a = s.send("GET", "/api/v4/users/me", with(s.cookies("", "nonsense")), nil)
		if got := a.header["Set-Cookie"]; a.status != 200 || len(got) != 2 || !strings.HasPrefix(got[1], "stoa_viewer=;") {
			t.Errorf("got %d, cookies %q want 200, both cleared", a.status, got)
		}
	})
}

func TestCookieAttributes(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		for _, test := range []struct{ environment, origin, session, viewer, secure string }{
			{polls.Production, "http://polls.test", "stoa_session", "stoa_viewer", ""},
			{polls.Production, "https://polls.test", "__Host-stoa_session", "__Host-stoa_viewer", " Secure;"},
			{"staging", "https://polls.test", "__Host-stoa_session_staging", "__Host-stoa_viewer_staging", " Secure;"},
		} {
			s := newSite(t, d, func(o *polls.Options) { o.Environment, o.Origin = test.environment, test.origin })
			w := httptest.NewRecorder()
			s.service.Welcome(w, "pt_x", "ab")
			rest := "; Path=/; Max-Age=34560000; HttpOnly;" + test.secure + " SameSite=Lax"
			got, want := strings.Join(w.Header()["Set-Cookie"], "\n"), test.session+"=pt_x"+rest+"\n"+test.viewer+"=ab"+rest
			if got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		}
	})
}
