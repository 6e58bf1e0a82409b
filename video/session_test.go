package video_test

import (
	"net/http"
	"net/http/cookiejar"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/video"
)

// token is a new private token of a video, as the API gives it out.
func (p *plant) token() string {
	p.s.t.Helper()
	player := p.s.call("GET", "/videos/"+p.id, nil).want(200)["assets"].(object)["player"].(string)
	_, token, found := strings.Cut(player, "?token=")
	if !found {
		p.s.t.Fatalf("got %q want a token in it", player)
	}
	return token
}

// open is a new session of a video.
func (p *plant) open() string {
	p.s.t.Helper()
	return p.s.fetch("GET", p.path("token/"+p.token()+"/session")).want(200)["session_token"].(string)
}

func TestPrivateAssets(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p, other := s.plantWhole(object{"public": false}), s.plantWhole(object{"public": false})
		session, spent := p.open(), p.token()
		s.fetch("GET", p.path("token/"+spent+"/hls/360p/0.m4s")).wantStatus(200)
		forged := []byte(p.token())
		forged[len(forged)-1] ^= 1
		now := time.Now()
		for name, test := range map[string]struct {
			path    string
			headers []string
			want    int
		}{
			"nothing":                   {"hls/360p/0.m4s", nil, 404},
			"a fresh token":             {"token/" + p.token() + "/hls/360p/0.m4s", nil, 200},
			"an old token":              {"token/" + s.TokenMadeAt(p.id, now.Add(-31*24*time.Hour)) + "/hls/360p/0.m4s", nil, 404},
			"a spent token":             {"token/" + spent + "/hls/360p/0.m4s", nil, 404},
			"a forged token":            {"token/" + string(forged) + "/hls/360p/0.m4s", nil, 404},
			"a token of another video":  {"token/" + other.token() + "/hls/360p/0.m4s", nil, 404},
			"no token":                  {"token/x/hls/360p/0.m4s", nil, 404},
			"a token as a session":      {"hls/360p/0.m4s?avh=" + p.token(), nil, 404},
			"a session as a token":      {"token/" + session + "/hls/360p/0.m4s", nil, 404},
			"avh":                       {"token/" + spent + "/hls/360p/0.m4s?avh=" + session, nil, 200},
			"avh without a token":       {"hls/360p/0.m4s?avh=" + session, nil, 200},
			"a header":                  {"token/" + spent + "/hls/360p/0.m4s", []string{"X-Token-Session", session}, 200},
			"a cookie":                  {"token/" + spent + "/hls/360p/0.m4s", []string{"Cookie", "stoa_session=" + session}, 200},
			"an old and a good cookie":  {"hls/360p/0.m4s", []string{"Cookie", "stoa_session=x; stoa_session=" + session}, 200},
			"an ended session":          {"hls/360p/0.m4s?avh=" + s.SessionOpenedAt(p.id, now.Add(-24*time.Hour-time.Second)), nil, 404},
			"a session near its end":    {"hls/360p/0.m4s?avh=" + s.SessionOpenedAt(p.id, now.Add(-23*time.Hour)), nil, 200},
			"a session of another":      {"hls/360p/0.m4s?avh=" + other.open(), nil, 404},
			"an ended one, fresh token": {"token/" + p.token() + "/hls/360p/0.m4s?avh=x", nil, 200},
			"a session in other signs":  {"hls/360p/0.m4s?avh=%22" + session + "%0A", nil, 404}, // lists would repeat those
			"a session in braces":       {"hls/360p/0.m4s?avh={" + session + "}", nil, 404},
			"no session":                {"hls/360p/0.m4s?avh=x", []string{"X-Token-Session", "y", "Cookie", "stoa_session=z"}, 404},
		} {
			if a := s.fetch("GET", p.path(test.path), test.headers...); a.status != test.want {
				t.Errorf("%s: got %d want %d", name, a.status, test.want)
			}
		}
	})
}

// One viewer, with a browser that keeps cookies, uses the same link again; another one
// with the same link is refused, whatever it is he asks for.
func TestALinkIsForOneViewer(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantWhole(object{"public": false})
		base := "token/" + p.token()
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		browser := &http.Client{Jar: jar}
		for _, path := range []string{"/hls/manifest.m3u8", "/hls/manifest.m3u8", "/hls/360p/0.m4s", "/hls/360p/manifest.m3u8"} {
			response, err := browser.Get(s.url + p.path(base+path))
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != 200 {
				t.Errorf("%s: got %d want 200 in the browser that opened the link", path, response.StatusCode)
			}
			s.fetch("GET", p.path(base+path)).wantStatus(404)
			s.fetch("GET", p.path(base+"/session")).wantStatus(404)
		}
	})
}

func TestOneOfManyOpensALink(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantWhole(object{"public": false})
		path := p.path("token/" + p.token() + "/hls/manifest.m3u8")
		var wg sync.WaitGroup
		var in atomic.Int32
		for range 8 {
			wg.Go(func() {
				if s.fetch("GET", path).status == 200 {
					in.Add(1)
				}
			})
		}
		wg.Wait()
		if got := in.Load(); got != 1 {
			t.Errorf("got %d let in, want one", got)
		}
	})
}

func TestTheCookieOfASession(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		for origin, want := range map[string]string{
			"http://videos.test":  "; Path=/vod/ID; Max-Age=86400; HttpOnly; SameSite=Lax",
			"https://videos.test": "; Path=/vod/ID; Max-Age=86400; HttpOnly; Secure; SameSite=None; Partitioned",
		} {
			s := newSite(t, d, func(o *video.Options) { o.Origin = origin })
			p := s.plantWhole(object{"public": false})
			a := s.fetch("GET", p.path("token/"+p.token()+"/hls/360p/0.m4s")).wantStatus(200).
				wantHeader("Cache-Control", "private, max-age=31536000, immutable")
			_, attributes, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
			if got, want := ";"+attributes, strings.Replace(want, "ID", p.id, 1); got != want {
				t.Errorf("got %q want %q", got, want)
			}
			exec(t, d, `DELETE FROM video_keys`) // the next site makes its own
		}
	})
}

// A token is not spent by what gives nothing: uploaders ask for the playlist of a
// private video until it plays, and previews ask for the head of a link.
func TestATokenIsSpentByAnAsset(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantVideo(object{"public": false})
		base := "token/" + p.token()
		for range 2 {
			s.fetch("GET", p.path(base+"/hls/manifest.m3u8")).wantStatus(202)
			s.fetch("GET", p.path(base+"/thumbnail.jpg")).wantStatus(404)
			s.fetch("GET", p.path(base+"/hls/360p/0.m4s")).wantStatus(404)
		}
		p.chunk(0, 1, false)
		p.state(encoding, true)
		for range 2 {
			s.fetch("HEAD", p.path(base+"/hls/manifest.m3u8")).wantStatus(200)
		}
		s.fetch("GET", p.path(base+"/hls/manifest.m3u8")).wantStatus(200)
		s.fetch("HEAD", p.path(base+"/hls/manifest.m3u8")).wantStatus(404)
		s.fetch("GET", p.path(base+"/hls/manifest.m3u8")).wantStatus(404)
	})
}

func TestASessionIsGivenAgain(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantWhole(object{"public": false})
		path := p.path("token/" + p.token() + "/session")
		first := s.fetch("GET", path).wantHeader("Cache-Control", "private, no-store").want(200)["session_token"].(string)
		if again := s.fetch("GET", path, "X-Token-Session", first).want(200)["session_token"]; again != first {
			t.Errorf("got %v want %v again", again, first)
		}
		s.fetch("GET", path).refused(404, "resource-not-found", "videoId")
	})
}

// What the operator of a public video has handed out with a token goes on working.
func TestTokensOfAPublicVideo(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantWhole(object{"public": false})
		token := p.token()
		session := s.fetch("GET", p.path("token/"+token+"/session")).want(200)["session_token"].(string)
		s.call("PATCH", "/videos/"+p.id, object{"public": true}).want(200)
		a := s.fetch("GET", p.path("token/"+token+"/hls/manifest.m3u8?avh="+session)).wantStatus(200).wantHeader("Cache-Control", "max-age=1")
		if strings.Contains(string(a.body), "avh=") {
			t.Errorf("got %s want no session in it", a.body)
		}
		s.call("PATCH", "/videos/"+p.id, object{"public": false}).want(200)
		s.fetch("GET", p.path("token/"+token+"/hls/manifest.m3u8?avh="+session)).wantStatus(200)
		s.fetch("GET", p.path("token/"+token+"/hls/manifest.m3u8")).wantStatus(404)
	})
}
