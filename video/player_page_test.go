package video_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"stoa/internal/db"
)

// page is the player page of a video.
func (p *plant) page(query string) string {
	p.s.t.Helper()
	a := p.s.fetch("GET", "/vod/"+p.id+query).wantStatus(200).
		wantHeader("Content-Type", "text/html; charset=utf-8").wantHeader("Cache-Control", "no-store").wantHeader("X-Frame-Options", "")
	if policy := a.header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors *") {
		p.s.t.Errorf("got the policy %q want frames anywhere", policy)
	}
	return html.UnescapeString(string(a.body))
}

func TestThePlayerPage(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		player := s.call("POST", "/players", object{"trackPlayed": "rgba(1, 2, 3, 1)", "hideTitle": true}).want(201)["playerId"].(string)
		p := s.plantWhole(object{"playerId": player, "title": "</script><script>alert(1)</script>", "description": "A <b>film</b>"})
		p.put("mp4/source.mp4", "a whole film")
		p.exec(`UPDATE video_encodings SET mp4_size = 12, storyboard = $2 WHERE video_id = $1`, p.id,
			`{"width":160,"height":90,"columns":10,"per_sheet":100,"pictures":20}`)
		p.exec(`UPDATE videos SET thumbnail = 'name' WHERE id = $1`, p.id)
		s.sendFile("/videos/"+p.id+"/captions/fr", "a.vtt", []byte(vtt)).want(200)
		s.sendFile("/videos/"+p.id+"/chapters/de", "a.vtt", []byte(vtt)).want(200)
		s.sendFile("/players/"+player+"/logo", "logo.png", pngFile(t, 8, 8), "link", "https://example.com/").want(201)
		page := p.page("")
		for _, want := range []string{
			s.url + p.path("hls/manifest.m3u8"), s.url + p.path("mp4/source.mp4"), s.url + p.path("thumbnail.jpg"), s.url + p.path("storyboard.vtt"),
			s.url + p.path("captions/fr.vtt"), s.url + p.path("chapters/de.vtt"), "Français", "--track-played:rgba(1,2,3,1)", s.url + "/logo/" + player, "https://example.com/",
		} {
			if !strings.Contains(strings.ReplaceAll(page, `\/`, "/"), want) {
				t.Errorf("got %s want %q in it", page, want)
			}
		}
		raw := string(s.fetch("GET", "/vod/"+p.id).body)
		if strings.Contains(raw, "<script>alert") || strings.Contains(raw, "<b>") {
			t.Errorf("got %s want no markup of the user's", raw)
		}
		script := regexp.MustCompile(`"(/player/[^"]+/player\.js)"`).FindStringSubmatch(raw)
		if script == nil {
			t.Fatalf("got %s want a script", raw)
		}
		s.fetch("GET", script[1]).wantStatus(200).wantHeader("Content-Type", "text/javascript; charset=utf-8")
		s.fetch("GET", "/player/x/nothing.js").wantStatus(404)
	})
}

func TestPagesOfVideosThatDoNotPlay(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantVideo()
		fresh := &plant{s: s, id: s.newVideo("without a source")}
		for _, p := range []*plant{fresh, p} {
			if page := p.page(""); !strings.Contains(page, "Almost ready") || !strings.Contains(page, "manifest.m3u8") {
				t.Errorf("got %s want a page that waits", page)
			}
		}
		p.state(failed, false)
		if page := p.page(""); !strings.Contains(page, "cannot be played") {
			t.Errorf("got %s want the failure told", page)
		}
		s.call("DELETE", "/videos/"+p.id, nil).want(204)
		if a := s.fetch("GET", "/vod/"+p.id).wantStatus(404); !strings.Contains(string(a.body), "There is no video here") {
			t.Errorf("got %s want words for people", a.body)
		}
	})
}

func TestPrivatePages(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantWhole(object{"public": false, "title": "secret title"})
		refused := func(query string) {
			t.Helper()
			a := s.fetch("GET", "/vod/"+p.id+query).wantStatus(404).wantHeader("Set-Cookie", "")
			if page := string(a.body); !strings.Contains(page, "This video is private") || strings.Contains(page, "secret") || strings.Contains(page, "m3u8") {
				t.Errorf("%q: got %s want only that it is private", query, page)
			}
		}
		token := p.token()
		refused("")
		refused("?token=x")
		refused("?token=" + s.plantVideo(object{"public": false}).token())
		page := p.page("?token=" + token)
		refused("?token=" + token) // another viewer
		address := regexp.MustCompile(`/vod/` + p.id + `/hls/manifest\.m3u8\?avh=[0-9a-f-]{36}`).FindString(strings.ReplaceAll(page, `\/`, "/"))
		if address == "" {
			t.Fatalf("got %s want an address with a session", page)
		}
		if got, want := s.walk(address), 1+2*2+1+3+2*25+3; got != want {
			t.Errorf("got %d addresses want %d without a cookie", got, want)
		}
		_, session, _ := strings.Cut(address, "?avh=")
		p.page("?avh=" + session)
		p.page("?token=" + token + "&avh=" + session)
	})
}
