package console_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/console"
	"stoa/internal/db"
)

func TestOperatorSeesDoorsAndRestreams(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, func(o *console.Options) { o.Doors = console.Doors{RTMP: "rtmp://video.test:1935/s"} })
		if got := k.ask("GET", "/live/doors", "").object(); got["rtmp"] != "rtmp://video.test:1935/s" || got["srt"] != "" {
			t.Errorf("got %v, want the door", got)
		}
		token, _ := k.ask("POST", "/video/access", `{"project":"default"}`).object()["token"].(string)
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/live-streams", strings.NewReader(
			`{"name":"News","restreams":[{"name":"Elsewhere","serverUrl":"rtmp://live.example.com/app/secret","streamKey":"k"}]}`))
		r.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}
		w := httptest.NewRecorder()
		k.video.Handler().ServeHTTP(w, r)
		made := answer{t, w.Code, w.Header(), w.Body.Bytes()}.object()
		got := k.ask("GET", fmt.Sprintf("/live/%v/restreams", made["liveStreamId"]), "")
		states := got.object()["restreams"].([]any)
		if len(states) != 1 || states[0].(object)["state"] != "idle" || states[0].(object)["host"] != "live.example.com" || strings.Contains(string(got.body), "secret") {
			t.Errorf("got %s, want it idle, and its path not told", got.body)
		}
		k.ask("GET", "/live/li_none/restreams", "").refused(404, "not_found")
	})
}
