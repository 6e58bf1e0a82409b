package video_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	apivideo "github.com/apivideo/api.video-go-client"

	"stoa/internal/db"
	"stoa/video"
)

// watch tells the collector that somebody watches a video, from its beginning for so
// many seconds. It is sent as a browser does, without a key.
func (s *site) watch(videoID, playback string, seconds float64) *answer {
	s.t.Helper()
	now := float64(time.Now().UnixMilli())
	return s.callAs("", "POST", "/watch", object{
		"sat": now, "sid": "s-" + playback, "mid": videoID, "pid": playback, "ref": "https://example.com/", "ver": "0.1.0",
		"eve": []object{
			{"eat": now - 1000*seconds - 2, "typ": 1, "vti": 0},
			{"eat": now - 1000*seconds - 1, "typ": 2, "vti": 0},
			{"eat": now, "typ": 4, "vti": seconds},
		},
	})
}

func TestWatchedVideosAreCountedForTheirProject(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		other := s.newKey("others", "other")
		tagged := s.newVideo("a", object{"tags": []string{"summer", "sea"}})
		plain := s.newVideo("b")
		theirs := s.callAs(other, "POST", "/videos", object{"title": "c"}).want(201)["videoId"].(string)
		for playback, id := range map[string]string{"p1": tagged, "p2": tagged, "p3": plain, "p4": theirs, "p5": "vi" + strings.Repeat("0", 22)} {
			s.watch(id, playback, 6).want(204)
		}
		for question, want := range map[string]float64{
			"/data/metrics/play/count":                                      3,
			"/data/metrics/play/total":                                      3,
			"/data/metrics/play/count?filterBy[tag]=summer":                 2,
			"/data/metrics/view/count?filterBy[mediaId][0]=" + plain:        1,
			"/data/metrics/play/count?filterBy[mediaId]=" + theirs:          0,
			"/data/metrics/watch-time/sum?filterBy[mediaType]=video":        18,
			"/data/metrics/view/count?unique=true&viewDuration=3s":          1,
			"/data/metrics/play/count?filterBy[referrer]=https://else.test": 0,
		} {
			if got := s.call("GET", question, nil).want(200)["data"]; got != want {
				t.Errorf("%s: got %v want %v", question, got, want)
			}
		}
		buckets := s.call("GET", "/data/buckets/play/media-id", nil).want(200)["data"].([]any)
		if len(buckets) != 2 || buckets[0].(object)["dimensionValue"] != tagged || buckets[0].(object)["metricValue"] != 2.0 {
			t.Errorf("got %v want the video with two plays before the other", buckets)
		}
		if got := s.call("GET", "/data/timeseries/play?interval=hour&pageSize=100", nil).want(200)["data"].([]any); len(got) < 24 {
			t.Errorf("got %d hours want those of a day", len(got))
		}
		if got := s.callAs(other, "GET", "/data/metrics/play/count", nil).want(200)["data"]; got != 1.0 {
			t.Errorf("other project: got %v want 1", got)
		}
		s.call("GET", "/data/metrics/play/sum", nil).refused(404, "unrecognized-request-url", "")
		s.call("GET", "/data/metrics/play/count?from=today", nil).refused(400, "request-invalid-query-parameter", "from")
		s.callAs("", "GET", "/data/metrics/play/count", nil).refused(401, "authentication-missing-authorization-header", "")
	})
}

func TestOldPlaysAreFromTheSameCounts(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("a")
		session := s.callAs("", "POST", "/vod", object{
			"emitted_at": time.Now().UTC().Format(time.RFC3339Nano),
			"session":    object{"loaded_at": time.Now().UTC().Format(time.RFC3339Nano), "video_id": id, "referrer": "", "metadata": []object{}},
			"events":     []object{{"emitted_at": time.Now().UTC().Format(time.RFC3339Nano), "type": "play", "at": 0}},
		}).want(200)["session"]
		if session == "" {
			t.Error("got no session want one")
		}
		from := time.Now().AddDate(0, 0, -1).UTC().Format(time.DateOnly)
		plays := s.call("GET", "/analytics/videos/plays?dimension=videoId&from="+from, nil).want(200)["data"].([]any)
		if len(plays) != 1 || plays[0].(object)["value"] != id || plays[0].(object)["plays"] != 1.0 {
			t.Errorf("got %v want one play of %s", plays, id)
		}
		byClient, err := newClient(s).Analytics.GetVideosPlays(apivideo.AnalyticsApiGetVideosPlaysRequest{}.From(from).Dimension("browser").Filter("videoId:" + id))
		if err != nil || len(byClient.Data) != 1 || byClient.Data[0].Plays != 1 {
			t.Errorf("got %+v, %v want one play for the official client", byClient, err)
		}
		if got := s.call("GET", "/analytics/live-streams/plays?dimension=country&from="+from, nil).want(200)["data"].([]any); len(got) != 0 {
			t.Errorf("got %v want no plays of live streams", got)
		}
		s.call("GET", "/analytics/videos/plays?from="+from, nil).refused(400, "request-invalid-query-parameter", "dimension")
	})
}

func TestVideosThatAreGoneAreNotCounted(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("a")
		s.call("DELETE", "/videos/"+id, nil).want(204)
		s.watch(id, "p1", 6).want(204)
		if got := s.call("GET", "/data/metrics/play/count", nil).want(200)["data"]; got != 0.0 {
			t.Errorf("got %v want 0", got)
		}
	})
}

func TestViewersAreToldApartBehindATrustedProxy(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, func(o *video.Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
		id := s.newVideo("a")
		for i, address := range []string{"192.0.2.1", "192.0.2.2"} {
			now := float64(time.Now().UnixMilli())
			body := object{"sat": now, "sid": "s", "mid": id, "pid": string(rune('a' + i)), "eve": []object{
				{"eat": now - 6000, "typ": 2, "vti": 0}, {"eat": now, "typ": 4, "vti": 6},
			}}
			r := s.request("", http.MethodPost, "/watch", body)
			r.Header.Set("X-Forwarded-For", address)
			s.send(r).want(204)
		}
		if got := s.call("GET", "/data/metrics/view/count?unique=true", nil).want(200)["data"]; got != 2.0 {
			t.Errorf("got %v viewers want 2", got)
		}
	})
}

func TestTheSandboxCountsForADay(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		s.watch(s.newVideo("a"), "p1", 6).want(204)
		ago := int64(30 * time.Hour / time.Microsecond)
		exec(t, d, `UPDATE analytics_playbacks SET impression_at = impression_at - $1, anchor_at = anchor_at - $1`, ago)
		exec(t, d, `UPDATE analytics_hours SET hour = hour - 30`)
		exec(t, d, `UPDATE analytics_days SET day = (SELECT hour / 24 FROM analytics_hours)`)
		question := "/data/metrics/play/count?from=" + time.Now().Add(-48*time.Hour).UTC().Format(time.RFC3339)
		if got := s.call("GET", question, nil).want(200)["data"]; got != 1.0 {
			t.Errorf("got %v plays of yesterday want 1", got)
		}
		exec(t, d, `DELETE FROM video_keys`) // the next site makes its own
		sandbox := newSite(t, d, func(o *video.Options) { o.Environment = "staging" })
		if got := sandbox.call("GET", question, nil).want(200)["data"]; got != 0.0 {
			t.Errorf("sandbox: got %v plays of yesterday want none", got)
		}
	})
}

func TestViewersOfLiveStreamsAreCounted(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		other := s.newKey("others", "other")
		mine := s.newLiveStream("a")["liveStreamId"].(string)
		theirs := s.callAs(other, "POST", "/live-streams", object{"name": "b"}).want(200)["liveStreamId"].(string)
		recording := s.newVideo("c")
		now, from := time.Now().UTC().Format(time.RFC3339Nano), time.Now().AddDate(0, 0, -1).UTC().Format(time.DateOnly)
		for playback, id := range map[string]string{"p1": mine, "p2": mine, "p3": theirs, "p4": recording, "p5": "li" + strings.Repeat("0", 22)} {
			s.watch(id, playback, 6).want(204)
		}
		s.callAs("", "POST", "/live", object{
			"emitted_at": now, "session": object{"loaded_at": now, "live_stream_id": mine, "referrer": ""},
			"events": []object{{"emitted_at": now, "type": "play", "at": 0}},
		}).want(200)
		for question, want := range map[string]float64{
			"/data/metrics/play/count?filterBy[mediaType]=live-stream":           3,
			"/data/metrics/play/count?filterBy[mediaType]=video":                 1,
			"/data/metrics/play/total?filterBy[mediaId]=" + mine:                 3,
			"/data/metrics/play/count?filterBy[mediaId]=" + theirs:               0,
			"/data/metrics/ccv/peak?filterBy[mediaType]=live-stream":             3,
			"/data/metrics/ccv/peak?unique=true&filterBy[mediaType]=live-stream": 1,
		} {
			if got := s.call("GET", question, nil).want(200)["data"]; got != want {
				t.Errorf("%s: got %v want %v", question, got, want)
			}
		}
		plays := s.call("GET", "/analytics/live-streams/plays?dimension=liveStreamId&from="+from, nil).want(200)["data"].([]any)
		if len(plays) != 1 || plays[0].(object)["value"] != mine || plays[0].(object)["plays"] != 3.0 {
			t.Errorf("got %v want three plays of %s", plays, mine)
		}
	})
}
