package video_test

import (
	"html"
	"net/http"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/video"
)

// page is the player page of a live stream.
func (a *aired) page(query string) string {
	a.s.t.Helper()
	got := a.s.fetch("GET", "/live/"+a.id+query).wantStatus(200).
		wantHeader("Content-Type", "text/html; charset=utf-8").wantHeader("Cache-Control", "no-store")
	return strings.ReplaceAll(html.UnescapeString(string(got.body)), `\/`, "/")
}

func TestPagesOfLiveStreams(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		player := s.call("POST", "/players", object{"trackPlayed": "rgba(1, 2, 3, 1)"}).want(201)["playerId"].(string)
		a := s.plantBroadcast(object{"name": "</script>Bread", "playerId": player})
		wants := func(texts ...string) {
			t.Helper()
			page := a.page("")
			for _, text := range texts {
				if !strings.Contains(page, text) {
					t.Errorf("got %s want %q in it", page, text)
				}
			}
		}
		wants("Not live yet", s.url+"/live/"+a.id+".m3u8", s.url+"/live/"+a.id+"/air", `"live":true`, `"waiting":true`, "--track-played:rgba(1,2,3,1)")
		if raw := string(s.fetch("GET", "/live/"+a.id).body); strings.Contains(raw, "</script>Bread") {
			t.Errorf("got %s want no markup of the user's", raw)
		}
		a.begin().part()
		s.eventually("/live/"+a.id+".m3u8", 200)
		wants(`"waiting":false`, `"broadcast":"`+a.broadcast+`"`)
		a.ends(0, time.Hour)
		wants(`"ended":true`, `"waiting":false`)
		a.ends(time.Hour, time.Minute)
		wants("Not live yet")
		s.call("DELETE", "/live-streams/"+a.id, nil).want(204)
		if got := s.fetch("GET", "/live/"+a.id).wantStatus(404); !strings.Contains(string(got.body), "There is no live stream here") {
			t.Errorf("got %s want words for people", got.body)
		}
		s.fetch("GET", "/live/"+a.id+".m3u8").wantStatus(404)
	})
}

func TestPagesOfPrivateLiveStreams(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		a := s.plantBroadcast(object{"public": false, "name": "secret name"}).begin().part()
		token := a.token()
		page := a.page("?token=" + token)
		if !strings.Contains(page, "/live/"+a.id+".m3u8?avh=") || !strings.Contains(page, "/live/"+a.id+"/air?avh=") {
			t.Errorf("got %s want addresses with a session", page)
		}
		for _, query := range []string{"", "?token=x", "?token=" + token} {
			got := s.fetch("GET", "/live/"+a.id+query).wantStatus(404).wantHeader("Set-Cookie", "")
			if text := string(got.body); !strings.Contains(text, "This live stream is private") || strings.Contains(text, "secret") || strings.Contains(text, "m3u8") {
				t.Errorf("%q: got %s want only that it is private", query, text)
			}
		}
	})
}

func TestWhatALiveStreamDoes(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		a := s.plantBroadcast()
		does := func(want string) {
			t.Helper()
			s.eventuallyHas("/live/"+a.id+"/air", `"state":"`+want+`"`)
		}
		does("waiting")
		a.begin().part()
		does("live")
		a.exec(`UPDATE live_broadcasts SET on_air = FALSE WHERE id = $1`, a.broadcast)
		does("away")
		a.exec(`UPDATE live_broadcasts SET on_air = TRUE WHERE id = $1`, a.broadcast)
		does("live")
		a.ends(0, time.Minute)
		does("ended")
		s.fetch("GET", "/live/li0/air").wantStatus(404)
	})
}

func TestLiveStreamsOnSitesThatAreNotWanted(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, func(o *video.Options) { o.Referrers = []string{"good.example"} })
		a := s.plantBroadcast().begin().part()
		for path, want := range map[string]int{"/live/" + a.id: 200, "/live/" + a.id + ".m3u8": 200, a.path("360p", "manifest.m3u8"): 200, a.path("360p", "head0.mp4"): 200} {
			s.eventually(path, http.StatusOK)
			for referrer, want := range map[string]int{"https://good.example/x": want, "https://bad.example/": 403} {
				if got := s.fetch("GET", path, "Referer", referrer).status; got != want {
					t.Errorf("%s on %s: got %d want %d", path, referrer, got, want)
				}
			}
		}
	})
}

func TestThumbnailsOfLiveStreamsForViewers(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		a := s.plantBroadcast()
		path := "/live/" + a.id + "/thumbnail.jpg"
		s.fetch("GET", path).wantStatus(404)
		a.begin().part() // no picture can be made of these bytes
		s.fetch("GET", path).wantStatus(404).wantHeader("Cache-Control", "no-store")
		s.sendFile("/live-streams/"+a.id+"/thumbnail", "a.png", pngFile(t, 32, 18)).want(201)
		s.fetch("GET", path).wantStatus(200).wantHeader("Content-Type", "image/jpeg").wantHeader("Cache-Control", "max-age=1")
		s.call("DELETE", "/live-streams/"+a.id+"/thumbnail", nil).want(200)
		s.fetch("GET", path).wantStatus(404)
	})
}
