package video_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/video"
)

// aired is a live stream with a broadcast whose rows and files a test has put there, as
// another process would have.
type aired struct {
	s         *site
	id        string // of the stream
	broadcast string
	video     string
	segments  int
	parts     int // of the open segment
}

// plantBroadcast begins a broadcast of which there is nothing yet.
func (s *site) plantBroadcast(more ...object) *aired {
	s.t.Helper()
	stream := s.newLiveStream("On air", more...)
	a := &aired{s: s, id: stream["liveStreamId"].(string)}
	a.broadcast, a.video = "br"+a.id[2:], "vi"+a.id[2:]
	now := time.Now()
	a.exec(`INSERT INTO live_broadcasts (id, live_stream_id, project, video_id, run, on_air, ended, recorded, version, title, public, player_id,
		started_at, seen_at, left_at, ended_at) VALUES ($1, $2, $3, $4, 1, TRUE, FALSE, FALSE, 1, '', TRUE, '', $5, $6, 0, 0)`,
		a.broadcast, a.id, video.DefaultProject, a.video, db.Micros(now), db.Micros(now.Add(time.Hour))) // no process has to tell that it lives
	return a
}

// exec changes rows, and the version of the broadcast with them.
func (a *aired) exec(text string, args ...any) {
	a.s.t.Helper()
	err := a.s.DB.InTx(a.s.t.Context(), func(tx *db.Tx) error {
		if _, err := tx.Exec(a.s.t.Context(), text, args...); err != nil {
			return err
		}
		_, err := tx.Exec(a.s.t.Context(), `UPDATE live_broadcasts SET version = version + 1 WHERE id = $1`, a.broadcast)
		return err
	})
	if err != nil {
		a.s.t.Fatal(err)
	}
	if err := a.s.DB.Notify(a.s.t.Context(), "live", a.broadcast); err != nil {
		a.s.t.Fatal(err)
	}
}

var clocks = map[string]int64{"360p": 90_000, "audio": 48_000}

// begin stores the heads of a picture and of sound.
func (a *aired) begin() *aired {
	a.s.t.Helper()
	for track, clock := range clocks {
		width, height, codec := 640, 360, "avc1.64001e"
		if track == "audio" {
			width, height, codec = 0, 0, "mp4a.40.2"
		}
		a.put(fmt.Sprintf("hls/%s/init.mp4", track), "head of "+track)
		a.exec(`INSERT INTO live_heads (broadcast_id, track, number, codec, clock, width, height) VALUES ($1, $2, 0, $3, $4, $5, $6)`,
			a.broadcast, track, codec, clock, width, height)
	}
	return a
}

// part stores the next part of both tracks, of 400 ms.
func (a *aired) part() *aired {
	a.s.t.Helper()
	for track, clock := range clocks {
		a.put(fmt.Sprintf("live/%s/%d.%d.m4s", track, a.segments, a.parts), fmt.Sprintf("%s %d.%d;", track, a.segments, a.parts))
		a.exec(`INSERT INTO live_parts (broadcast_id, track, segment, number, duration, independent) VALUES ($1, $2, $3, $4, $5, $6)`,
			a.broadcast, track, a.segments, a.parts, clock*4/10, a.parts == 0)
	}
	a.parts++
	return a
}

// segment stores the open segment of both tracks, of two seconds.
func (a *aired) segment() *aired {
	a.s.t.Helper()
	for track, clock := range clocks {
		content := fmt.Sprintf("%s %d", track, a.segments)
		a.put(fmt.Sprintf("hls/%s/%d.m4s", track, a.segments), content)
		a.exec(`INSERT INTO live_segments (broadcast_id, track, number, head, broken, start, duration, at, parts, frames, size, first_frame)
			VALUES ($1, $2, $3, 0, FALSE, $4, $5, $6, $7, 50, $8, 3)`,
			a.broadcast, track, a.segments, int64(a.segments)*2*clock, 2*clock, db.Micros(time.Now()), a.parts, len(content))
	}
	a.segments, a.parts = a.segments+1, 0
	return a
}

// ends ends the broadcast.
func (a *aired) ends(ago, lasted time.Duration) {
	a.s.t.Helper()
	at := time.Now().Add(-ago)
	a.exec(`UPDATE live_broadcasts SET ended = TRUE, recorded = TRUE, on_air = FALSE, started_at = $2, ended_at = $3 WHERE id = $1`,
		a.broadcast, db.Micros(at.Add(-lasted)), db.Micros(at))
}

func (a *aired) put(name, content string) {
	a.s.t.Helper()
	if _, err := a.s.Blobs.Put(a.s.t.Context(), "video/"+a.video+"/"+name, strings.NewReader(content), ""); err != nil {
		a.s.t.Fatal(err)
	}
}

// path is an address of a track.
func (a *aired) path(track, file string) string {
	return "/live/" + a.id + "/" + a.broadcast + "/" + track + "/" + file
}

// token is a new private token, as the API gives it out.
func (a *aired) token() string {
	a.s.t.Helper()
	player := a.s.call("GET", "/live-streams/"+a.id, nil).want(200)["assets"].(object)["player"].(string)
	_, token, found := strings.Cut(player, "?token=")
	if !found {
		a.s.t.Fatalf("got %q want a token in it", player)
	}
	return token
}

// eventuallyHas asks again and again until the answer has a text in it.
func (s *site) eventuallyHas(path, text string) {
	s.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; {
		a := s.fetch("GET", path)
		if strings.Contains(string(a.body), text) {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%s: got %s still, want %s", path, a.body, text)
		}
	}
}

func TestALiveStreamIsThereWhileItIsOnAir(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		a := s.plantBroadcast()
		master := "/live/" + a.id + ".m3u8"
		s.fetch("GET", master).wantStatus(404).wantHeader("Cache-Control", "no-store").wantHeader("Access-Control-Allow-Origin", "*")
		a.begin()
		s.fetch("GET", "/live/li0000000000000000000000.m3u8").wantStatus(404)
		a.part()
		s.eventually(master, 200)
		answer := s.fetch("GET", master).wantHeader("Content-Type", "application/vnd.apple.mpegurl").
			wantHeader("Cache-Control", "no-cache").wantHeader("Access-Control-Allow-Origin", "*")
		for _, want := range []string{a.id + "/" + a.broadcast + "/360p/manifest.m3u8", a.id + "/" + a.broadcast + "/audio/manifest.m3u8", `CODECS="avc1.64001e,mp4a.40.2"`, "RESOLUTION=640x360"} {
			if !strings.Contains(string(answer.body), want) {
				t.Errorf("got %s want %s in it", answer.body, want)
			}
		}
		list := s.fetch("GET", a.path("360p", "manifest.m3u8")).wantStatus(200).wantHeader("Cache-Control", "no-cache")
		for _, want := range []string{`URI="0.0.m4s"`, `EXT-X-PRELOAD-HINT:TYPE=PART,URI="0.1.m4s"`, "CAN-BLOCK-RELOAD=YES", `EXT-X-MAP:URI="head0.mp4"`,
			`EXT-X-RENDITION-REPORT:URI="../audio/manifest.m3u8",LAST-MSN=0,LAST-PART=0`} {
			if !strings.Contains(string(list.body), want) {
				t.Errorf("got %s want %s in it", list.body, want)
			}
		}
		for file, want := range map[string]string{"head0.mp4": "head of 360p", "0.0.m4s": "360p 0.0;"} {
			if got := string(s.fetch("GET", a.path("360p", file)).wantStatus(200).wantHeader("Content-Type", "video/mp4").body); got != want {
				t.Errorf("%s: got %q want %q", file, got, want)
			}
		}
	})
}

func TestFilesOfABroadcast(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		a, other := s.plantBroadcast().begin().part().segment().segment().part(), s.plantBroadcast().begin().part()
		s.eventually(a.path("audio", "1.m4s"), 200)
		for path, want := range map[string]int{
			a.path("360p", "head0.mp4"): 200, a.path("audio", "0.m4s"): 200, a.path("360p", "2.0.m4s"): 200,
			a.path("360p", "2.m4s"): 404, a.path("360p", "head1.mp4"): 404, a.path("360p", "0.mp4"): 404, a.path("360p", "head00.mp4"): 404,
			a.path("360p", "00.m4s"): 404, a.path("360p", "2.00.m4s"): 404, a.path("360p", "2.0.0.m4s"): 404, a.path("360p", "2.m4s.m4s"): 404,
			a.path("360p", "-1.m4s"): 404, a.path("360p", ".m4s"): 404, a.path("360p", "2..m4s"): 404, a.path("360p", "2.7.m4s"): 404, a.path("360p", "9.0.m4s"): 404,
			a.path("720p", "manifest.m3u8"): 404, a.path("360p", "master.m3u8"): 404, a.path("360p", "99999999999999999999.m4s"): 404,
			"/live/" + a.id + "/" + other.broadcast + "/360p/manifest.m3u8": 404, "/live/" + a.id + "/x/360p/manifest.m3u8": 404,
			"/live/" + other.id + "/" + other.broadcast + "/360p/manifest.m3u8": 200,
			"/live/private/x/" + a.id: 404, "/live/private/x/" + a.id + ".m3u8": 200, // public: no token is looked at
		} {
			if got := s.fetch("GET", path).status; got != want {
				t.Errorf("%s: got %d want %d", path, got, want)
			}
		}
		s.fetch("GET", a.path("360p", "0.m4s")).wantHeader("Cache-Control", "max-age=31536000, immutable")
		s.fetch("GET", a.path("360p", "2.0.m4s")).wantHeader("Cache-Control", "max-age=60")
		if got := string(s.fetch("GET", a.path("audio", "1.m4s"), "Range", "bytes=0-4").wantStatus(206).body); got != "audio" {
			t.Errorf("got %q want the beginning", got)
		}
	})
}

// waited is an answer that comes later.
func (s *site) waited(path string) <-chan *answer {
	later := make(chan *answer, 1)
	go func() {
		response, err := http.Get(s.url + path)
		if err != nil {
			s.t.Error(err)
			close(later)
			return
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			s.t.Error(err)
		}
		later <- &answer{s.t, response.StatusCode, response.Header, body}
	}()
	return later
}

func TestListsWaitForWhatIsAskedFor(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		a := s.plantBroadcast().begin().part().segment().part()
		list := a.path("360p", "manifest.m3u8")
		s.eventually(list+"?_HLS_msn=1&_HLS_part=0", 200)
		s.fetch("GET", list+"?_HLS_msn=1&_HLS_part=0").wantHeader("Cache-Control", "max-age=1")
		for query, want := range map[string]int{
			"_HLS_msn=0": 200, "_HLS_msn=0&_HLS_part=9": 200, "_HLS_skip=YES": 200, "_HLS_skip=v2&_HLS_msn=0": 200,
			"_HLS_msn=4": 400, "_HLS_msn=2147483647": 400, "_HLS_msn=-1": 400, "_HLS_msn=x": 400, "_HLS_msn=": 400, "_HLS_part=0": 400, "_HLS_msn=1&_HLS_part=x": 400,
			"_HLS_msn=99999999999999999999": 400,
		} {
			if got := s.fetch("GET", list+"?"+query).status; got != want {
				t.Errorf("%s: got %d want %d", query, got, want)
			}
		}
		part, whole, hinted := s.waited(list+"?_HLS_msn=1&_HLS_part=1"), s.waited(list+"?_HLS_msn=1"), s.waited(a.path("360p", "1.1.m4s"))
		a.part()
		if got := (<-part).wantStatus(200); !strings.Contains(string(got.body), `URI="1.1.m4s"`) {
			t.Errorf("got %s want the part", got.body)
		}
		if got := string((<-hinted).wantStatus(200).body); got != "360p 1.1;" {
			t.Errorf("got %q want the part", got)
		}
		select {
		case got := <-whole:
			t.Errorf("got %s want to wait for the whole segment", got.body)
		default:
		}
		a.segment()
		if got := (<-whole).wantStatus(200); !strings.Contains(string(got.body), "\n1.m4s\n") {
			t.Errorf("got %s want the segment", got.body)
		}
		last := s.waited(list + "?_HLS_msn=2&_HLS_part=0")
		s.EndStreams()
		if got := (<-last).wantStatus(503).wantHeader("Cache-Control", "no-store"); !strings.Contains(string(got.body), "This server ends.") {
			t.Errorf("got %s want to be sent away", got.body)
		}
		s.fetch("GET", list+"?_HLS_msn=2&_HLS_part=0").wantStatus(503)
		s.fetch("GET", list).wantStatus(200)
	})
}

func TestABroadcastThatHasEnded(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		a := s.plantBroadcast().begin().part().segment().segment()
		list := a.path("360p", "manifest.m3u8")
		later := s.waited(list + "?_HLS_msn=2")
		a.ends(0, time.Hour)
		if got := (<-later).wantStatus(200); !strings.Contains(string(got.body), "#EXT-X-ENDLIST") {
			t.Errorf("got %s want an ended list", got.body)
		}
		s.eventuallyHas("/live/"+a.id+"/air", `{"state":"ended","broadcast":"`+a.broadcast+`"}`)
		s.fetch("GET", "/live/"+a.id+".m3u8").wantStatus(200)
		a.ends(10*time.Minute, 9*time.Minute)
		s.fetch("GET", "/live/"+a.id+".m3u8").wantStatus(404)
		s.eventually(list, 404)
	})
}

func TestPrivateLiveStreams(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		a := s.plantBroadcast(object{"public": false}).begin().part().segment().part()
		token := a.token()
		spent := "/live/private/" + token + "/" + a.id
		s.eventually("/live/"+a.id+"/air?avh="+s.SessionOpenedAt(a.id, time.Now()), 200)
		for _, path := range []string{"/live/" + a.id + ".m3u8", a.path("360p", "manifest.m3u8"), a.path("360p", "0.m4s"), "/live/" + a.id + "/air",
			"/live/" + a.id + "/thumbnail.jpg", "/live/private/x/" + a.id + ".m3u8", "/live/private/" + s.TokenMadeAt("li0", time.Now()) + "/" + a.id + ".m3u8"} {
			s.fetch("GET", path).refused(404, "resource-not-found", "liveStreamId")
		}
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		browser := &http.Client{Jar: jar}
		get := func(c *http.Client, path string) *http.Response {
			t.Helper()
			response, err := c.Get(s.url + path)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			return response
		}
		for _, path := range []string{spent + ".m3u8", spent + ".m3u8", a.path("360p", "0.m4s")} {
			if got := get(browser, path); got.StatusCode != 200 || !strings.HasPrefix(got.Header.Get("Cache-Control"), "private, ") {
				t.Errorf("%s: got %d %v want 200, for one alone", path, got.StatusCode, got.Header)
			}
		}
		if got := get(http.DefaultClient, spent+".m3u8"); got.StatusCode != 404 {
			t.Errorf("another viewer: got %d want 404", got.StatusCode)
		}
		session := s.fetch("GET", "/live/private/"+a.token()+"/"+a.id+"/session").want(200)["session_token"].(string)
		list := string(s.fetch("GET", a.path("360p", "manifest.m3u8")+"?avh="+session).wantStatus(200).body)
		for _, want := range []string{"head0.mp4", "0.m4s", "1.0.m4s", "1.1.m4s", "../audio/manifest.m3u8"} {
			if !strings.Contains(list, want+"?avh="+session) {
				t.Errorf("got %s want a session after %s", list, want)
			}
		}
		a.ends(0, time.Hour)
		s.eventuallyHas(a.path("360p", "manifest.m3u8")+"?avh="+session, "ENDLIST")
		s.eventuallyHas(a.path("audio", "manifest.m3u8")+"?avh="+session, "ENDLIST")
		if got, want := s.walk(spent+".m3u8?avh="+session), 1+2*(1+1+1); got != want {
			t.Errorf("got %d addresses want %d without a cookie", got, want)
		}
	})
}
