package video_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
)

// fetch asks for a path as anybody; headers come in pairs.
func (s *site) fetch(method, path string, headers ...string) *answer {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return s.send(r)
}

// wantStatus checks the status alone.
func (a *answer) wantStatus(status int) *answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("got %d %s want %d", a.status, a.body, status)
	}
	return a
}

func (a *answer) wantHeader(name, want string) *answer {
	a.t.Helper()
	if got := a.header.Get(name); got != want {
		a.t.Errorf("%s: got %q want %q", name, got, want)
	}
	return a
}

// listed are the addresses in a playlist, relative as they are written.
func (a *answer) listed() (addresses []string) {
	for line := range strings.Lines(string(a.body)) {
		line = strings.TrimSpace(line)
		if uri := regexp.MustCompile(`URI="([^"]*)"`).FindStringSubmatch(line); uri != nil {
			addresses = append(addresses, uri[1])
		} else if line != "" && !strings.HasPrefix(line, "#") {
			addresses = append(addresses, line)
		}
	}
	return addresses
}

func TestThePlaylistIs202UntilTheVideoPlays(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("without a source")
		p := s.plantVideo()
		for _, path := range []string{"/vod/" + id + "/hls/manifest.m3u8", p.path("hls/manifest.m3u8")} {
			a := s.fetch("GET", path).wantStatus(202).wantHeader("Content-Type", "").wantHeader("Access-Control-Allow-Origin", "*").
				wantHeader("X-Encoding", "")
			if len(a.body) > 0 {
				t.Errorf("got %q want nothing", a.body)
			}
		}
		p.chunk(0, 1, false)
		s.fetch("GET", p.path("hls/manifest.m3u8")).wantStatus(202)
		s.fetch("GET", p.path("hls/360p/manifest.m3u8")).wantStatus(404)
		p.sound(1)
		p.state(encoding, true)
		s.fetch("GET", p.path("hls/manifest.m3u8")).wantStatus(200).wantHeader("Content-Type", "application/vnd.apple.mpegurl")
		s.fetch("GET", p.path("hls/360p/manifest.m3u8")).wantStatus(200)
	})
}

func TestPlaylistsGrow(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantVideo()
		p.sound(2)
		media := p.path("hls/240p/manifest.m3u8")
		count := func() int { return len(s.fetch("GET", media).wantStatus(200).listed()) - 1 } // the head is one
		for _, step := range []struct {
			what string
			do   func()
			want int
		}{
			{"the first segments", func() { p.chunk(0, 2, false); p.state(encoding, true) }, 2},
			{"a chunk beyond a gap", func() { p.chunk(1, p.size(1), true) }, 2},
			{"more of the first chunk", func() { p.chunk(0, 3, false) }, 3},
			{"the gap is closed", func() { p.chunk(0, p.size(0), true) }, p.size(0) + p.size(1)},
			{"the next chunk begins", func() { p.chunk(2, 1, false) }, p.size(0) + p.size(1) + 1},
			{"the next chunk is done", func() { p.chunk(2, p.size(2), true) }, p.size(0) + p.size(1) + p.size(2)},
		} {
			step.do()
			if got := count(); got != step.want {
				t.Errorf("%s: got %d segments want %d", step.what, got, step.want)
			}
			a := s.fetch("GET", media).wantHeader("Cache-Control", "no-cache")
			if text := string(a.body); !strings.Contains(text, "PLAYLIST-TYPE:EVENT") || strings.Contains(text, "ENDLIST") {
				t.Errorf("%s: got %s want an open list", step.what, text)
			}
		}
		for n := range p.plan.Chunks() {
			p.chunk(n, p.size(n), true)
		}
		p.state(encoded, true)
		if got, want := count(), p.plan.Segments(); got != want {
			t.Errorf("got %d segments want %d", got, want)
		}
		a := s.fetch("GET", media).wantHeader("Cache-Control", "max-age=1")
		if text := string(a.body); !strings.Contains(text, "PLAYLIST-TYPE:VOD") || !strings.Contains(text, "ENDLIST") {
			t.Errorf("got %s want an ended list", text)
		}
	})
}

// What was made before an encoding failed still plays, and ends there.
func TestAFailedVideoEndsWhereItDid(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantVideo()
		p.sound(2)
		p.chunk(0, 2, false)
		p.state(failed, true)
		if a := s.fetch("GET", p.path("hls/360p/manifest.m3u8")).wantStatus(200); !strings.Contains(string(a.body), "ENDLIST") {
			t.Errorf("got %s want an ended list", a.body)
		}
		p.state(failed, false)
		a := s.fetch("GET", p.path("hls/manifest.m3u8")).wantStatus(202).wantHeader("X-Encoding", "failed")
		if exposed := a.header.Values("Access-Control-Expose-Headers"); !slices.Contains(exposed, "X-Encoding") {
			t.Errorf("got %q exposed want X-Encoding too", exposed)
		}
	})
}

func TestPlaylistsListWhatIsThere(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		public, private := s.plantWhole(), s.plantWhole(object{"public": false})
		for _, p := range []*plant{public, private} {
			s.sendFile("/videos/"+p.id+"/captions/fr", "a.vtt", []byte(vtt)).want(200)
		}
		hls := s.call("GET", "/videos/"+private.id, nil).want(200)["assets"].(object)["hls"].(string)
		for _, master := range []string{public.path("hls/manifest.m3u8"), strings.TrimPrefix(hls, s.url)} {
			// Playlists of the two sizes and their key frames, of sound and of captions; the
			// file of these; three heads; segments.
			if got, want := s.walk(master), 1+2*2+1+1+1+3+2*25+3; got != want {
				t.Errorf("%s: got %d addresses want %d", master, got, want)
			}
		}
	})
}

// walk fetches everything that a playlist leads to, without a cookie, and counts it.
func (s *site) walk(path string) int {
	s.t.Helper()
	seen := map[string]bool{}
	for todo := []string{path}; len(todo) > 0; {
		path, todo = todo[0], todo[1:]
		if seen[path] {
			continue
		}
		seen[path] = true
		a := s.fetch("GET", path).wantStatus(200)
		if a.header.Get("Content-Type") != "application/vnd.apple.mpegurl" {
			continue
		}
		base, _ := http.NewRequest("GET", s.url+path, nil)
		for _, address := range a.listed() {
			next, err := base.URL.Parse(address)
			if err != nil {
				s.t.Fatal(err)
			}
			todo = append(todo, next.RequestURI())
		}
	}
	return len(seen)
}

func TestTheMasterNamesEverything(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantWhole()
		s.sendFile("/videos/"+p.id+"/captions/fr", "a.vtt", []byte(vtt)).want(200)
		s.call("PATCH", "/videos/"+p.id+"/captions/fr", object{"default": true}).want(200)
		text := string(s.fetch("GET", p.path("hls/manifest.m3u8")).wantStatus(200).body)
		for _, want := range []string{
			"RESOLUTION=640x360", "RESOLUTION=426x240", `CODECS="avc1.64001e,mp4a.40.2"`, "BANDWIDTH=", "TYPE=AUDIO", "TYPE=SUBTITLES",
			`LANGUAGE="fr"`, `NAME="Français"`, "DEFAULT=YES", "360p/manifest.m3u8", "360p/iframes.m3u8", "subtitles/fr.m3u8",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("got %s want %s in it", text, want)
			}
		}
		s.call("DELETE", "/videos/"+p.id+"/captions/fr", nil).want(204)
		if text := string(s.fetch("GET", p.path("hls/manifest.m3u8")).body); strings.Contains(text, "SUBTITLES") {
			t.Errorf("got %s want no captions", text)
		}
	})
}

func TestFilesAndTheirHeaders(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantWhole()
		p.put("mp4/source.mp4", "a whole film")
		p.put("thumbnail/name.jpg", "a poster")
		p.put("storyboard/0.jpg", "a sheet")
		p.exec(`UPDATE video_encodings SET mp4_size = 12, storyboard = $2 WHERE video_id = $1`, p.id,
			`{"width":160,"height":90,"columns":10,"per_sheet":100,"pictures":20}`)
		p.exec(`UPDATE videos SET thumbnail = 'name' WHERE id = $1`, p.id)
		for _, kind := range []string{"captions", "chapters"} {
			s.sendFile("/videos/"+p.id+"/"+kind+"/fr", "a.vtt", []byte(vtt)).want(200)
		}
		const forever, briefly = "max-age=31536000, immutable", "max-age=1"
		for path, want := range map[string][2]string{
			"hls/360p/init.mp4":          {"video/mp4", forever},
			"hls/360p/24.m4s":            {"video/mp4", forever},
			"hls/audio/0.m4s":            {"audio/mp4", forever},
			"hls/360p/iframes.m3u8":      {"application/vnd.apple.mpegurl", briefly},
			"hls/subtitles/fr.m3u8":      {"application/vnd.apple.mpegurl", briefly},
			"mp4/source.mp4":             {"video/mp4", briefly},
			"thumbnail.jpg":              {"image/jpeg", briefly},
			"captions/fr.vtt":            {"text/vtt; charset=utf-8", briefly},
			"chapters/fr.vtt":            {"text/vtt; charset=utf-8", briefly},
			"storyboard.vtt":             {"text/vtt; charset=utf-8", briefly},
			"storyboard/0.jpg":           {"image/jpeg", forever},
			"token/any/storyboard/0.jpg": {"image/jpeg", forever},
		} {
			a := s.fetch("GET", p.path(path)).wantStatus(200).
				wantHeader("Content-Type", want[0]).wantHeader("Cache-Control", want[1]).
				wantHeader("Access-Control-Allow-Origin", "*").wantHeader("X-Content-Type-Options", "nosniff").
				wantHeader("Content-Disposition", "").wantHeader("Set-Cookie", "").wantHeader("Accept-Ranges", "bytes")
			tag := a.header.Get("ETag")
			head := s.fetch("HEAD", p.path(path)).wantStatus(200).wantHeader("ETag", tag).wantHeader("Content-Length", fmt.Sprint(len(a.body)))
			if tag == "" || len(head.body) > 0 {
				t.Errorf("%s: got the tag %q and %d bytes of a HEAD", path, tag, len(head.body))
			}
			s.fetch("GET", p.path(path), "If-None-Match", tag).wantStatus(304)
			s.fetch("POST", p.path(path)).wantStatus(405)
		}
		s.fetch("GET", p.path("mp4/source.mp4?dl=1")).wantStatus(200).wantHeader("Content-Disposition", "attachment; filename=Planted.mp4")
	})
}

func TestDownloadsAreCalledByTheTitle(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantWhole()
		p.put("mp4/source.mp4", "a whole film")
		p.exec(`UPDATE video_encodings SET mp4_size = 12 WHERE video_id = $1`, p.id)
		for title, want := range map[string]string{
			"../../etc/passwd\r\nX: y": `attachment; filename=".. .. etc passwd  X  y.mp4"`,
			"Été \"1\"":                `attachment; filename*=utf-8''%C3%89t%C3%A9%20%201.mp4`,
		} {
			s.call("PATCH", "/videos/"+p.id, object{"title": title}).want(200)
			s.fetch("GET", p.path("mp4/source.mp4?dl=1")).wantStatus(200).wantHeader("Content-Disposition", want)
		}
	})
}

func TestWhatIsNotThere(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantWhole()
		p.put("hls/360p/25.m4s", "left by a process that was killed")
		for _, path := range []string{
			"hls/360p/25.m4s", "hls/360p/-1.m4s", "hls/360p/00.m4s", "hls/360p/1e3.m4s", "hls/360p/99999999999999999999.m4s", "hls/360p/.m4s",
			"hls/720p/0.m4s", "hls/720p/manifest.m3u8", "hls/audio/iframes.m3u8", "hls/360p/source", "hls/360p/..%2f..%2fsource", "hls/manifest.mpd",
			"hls/subtitles/fr.m3u8", "hls/subtitles/init.mp4", "captions/fr.vtt", "captions/fr", "chapters/fr.vtt", "storyboard.vtt", "storyboard/0.jpg",
			"storyboard/x.jpg", "mp4/source.mp4", "thumbnail.jpg", "source/00001", "nothing",
		} {
			a := s.fetch("GET", p.path(path)).wantStatus(404)
			if cache := a.header.Get("Cache-Control"); strings.Contains(cache, "max-age") {
				t.Errorf("%s: got %q want nothing that lasts", path, cache)
			}
		}
		for _, id := range []string{"vi0000000000000000000000", "li0000000000000000000000", "x", "%00", "vi" + strings.Repeat("9", 500)} {
			for _, path := range []string{"/hls/manifest.m3u8", "/hls/360p/0.m4s", "/thumbnail.jpg", "", "/token/x/session"} {
				s.fetch("GET", "/vod/"+id+path).wantStatus(404)
			}
		}
	})
}

// eventually waits until an address answers with a status.
func (s *site) eventually(path string, status int) {
	s.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; {
		a := s.fetch("GET", path)
		if a.status == status {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%s: got %d still, want %d", path, a.status, status)
		}
	}
}

func TestWhatIsTakenAwayIsGoneAtOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		take := map[string]func(id string){
			"deleted": func(id string) { s.call("DELETE", "/videos/"+id, nil).want(204) },
			"private": func(id string) { s.call("PATCH", "/videos/"+id, object{"public": false}).want(200) },
		}
		for name, take := range take {
			p := s.plantWhole()
			p.put("mp4/source.mp4", "a whole film")
			p.exec(`UPDATE video_encodings SET mp4_size = 12 WHERE video_id = $1`, p.id)
			files := []string{p.path("hls/manifest.m3u8"), p.path("hls/360p/manifest.m3u8"), p.path("mp4/source.mp4"), "/vod/" + p.id}
			quiet := s.plantWhole() // of which nothing is asked for but a segment
			for _, path := range append(files, quiet.path("hls/360p/0.m4s")) {
				s.fetch("GET", path).wantStatus(200)
			}
			take(p.id)
			take(quiet.id)
			for _, path := range files {
				if a := s.fetch("GET", path); a.status != 404 {
					t.Errorf("%s, %s: got %d want 404", name, path, a.status)
				}
			}
			s.eventually(quiet.path("hls/360p/0.m4s"), 404)
		}
	})
}

func TestTheMP4GoesWithItsSupport(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantWhole()
		p.put("mp4/source.mp4", "a whole film")
		p.exec(`UPDATE video_encodings SET mp4_size = 12 WHERE video_id = $1`, p.id)
		s.fetch("GET", p.path("mp4/source.mp4")).wantStatus(200)
		s.call("PATCH", "/videos/"+p.id, object{"mp4Support": false}).want(200)
		s.fetch("GET", p.path("mp4/source.mp4")).wantStatus(404)
	})
}

func TestCaptionsAreServedAtOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("without a source")
		for _, content := range []string{vtt, "<script>", "WEBVTT again"} {
			src := s.sendFile("/videos/"+id+"/captions/fr", "a.vtt", []byte(content)).want(200)["src"].(string)
			a := s.get(src).wantStatus(200).wantHeader("Content-Type", "text/vtt; charset=utf-8").wantHeader("X-Content-Type-Options", "nosniff")
			if string(a.body) != content {
				t.Errorf("got %q want %q", a.body, content)
			}
		}
		s.call("DELETE", "/videos/"+id+"/captions/fr", nil).want(204)
		s.fetch("GET", "/vod/"+id+"/captions/fr.vtt").wantStatus(404)
	})
}

func TestTheStoryboardCutsTheSheets(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantWhole()
		p.exec(`UPDATE video_encodings SET storyboard = $2 WHERE video_id = $1`, p.id,
			text(object{"width": 160, "height": 90, "columns": 2, "per_sheet": 4, "pictures": p.plan.Pictures()}))
		cues := strings.Split(strings.TrimSpace(string(s.fetch("GET", p.path("storyboard.vtt")).wantStatus(200).body)), "\n\n")
		if got, want := len(cues), 1+p.plan.Pictures(); got != want || cues[0] != "WEBVTT" {
			t.Fatalf("got %d blocks want %d: %q", got, want, cues)
		}
		want := []string{
			"00:00:00.000 --> 00:00:05.000\nstoryboard/0.jpg#xywh=0,0,160,90",
			"00:00:05.000 --> 00:00:10.000\nstoryboard/0.jpg#xywh=160,0,160,90",
			"00:00:10.000 --> 00:00:15.000\nstoryboard/0.jpg#xywh=0,90,160,90",
			"00:00:15.000 --> 00:00:20.000\nstoryboard/0.jpg#xywh=160,90,160,90",
			"00:00:20.000 --> 00:00:25.000\nstoryboard/1.jpg#xywh=0,0,160,90",
		}
		if got := cues[1 : 1+len(want)]; !slices.Equal(got, want) {
			t.Errorf("got %q want %q", got, want)
		}
		if last := cues[len(cues)-1]; !strings.Contains(last, "--> 00:01:40.000\n") {
			t.Errorf("got %q want the last until the end", last)
		}
	})
}
