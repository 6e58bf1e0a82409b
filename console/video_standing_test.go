package console_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/internal/db"
	"stoa/video"
)

func TestStandingsOfVideos(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		key, err := k.video.CreateKey(t.Context(), "tests", video.DefaultProject, video.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/videos", strings.NewReader(`{"title":"Film"}`))
		r.SetBasicAuth(key, "")
		w := httptest.NewRecorder()
		k.video.Handler().ServeHTTP(w, r)
		id, _ := answer{t, http.StatusOK, w.Header(), w.Body.Bytes()}.object()["videoId"].(string)

		videos, _ := k.ask("GET", "/video/standings?project=default&id=viNone&id="+id, "").object()["videos"].([]any)
		if len(videos) != 1 || videos[0].(object)["videoId"] != id || videos[0].(object)["state"] != "empty" {
			t.Errorf("got %v, want the video, which is empty", videos)
		}
		if got := k.ask("GET", "/video/standings?project=other&id="+id, "").object(); len(got["videos"].([]any)) != 0 || got["restore"] != false {
			t.Errorf("got %v, want none of another project", got)
		}
		k.ask("GET", "/video/standings?project=default"+strings.Repeat("&id="+id, video.MaxStandings+1), "").refused(400, "invalid")
	})
}
