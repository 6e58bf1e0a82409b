package video_test

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/video"
)

// newLiveStream makes a live stream and returns it.
func (s *site) newLiveStream(name string, more ...object) object {
	s.t.Helper()
	body := object{"name": name}
	for _, m := range more {
		maps.Copy(body, m)
	}
	return s.call("POST", "/live-streams", body).want(200)
}

// livePath is where the API has a live stream.
func livePath(l object) string { return "/live-streams/" + l["liveStreamId"].(string) }

// target is a restream as bodies and answers have it.
func target(n int) object {
	return object{"name": fmt.Sprintf("target %d", n), "serverUrl": fmt.Sprintf("rtmp://live%d.example.com/app", n), "streamKey": fmt.Sprintf("key-%d", n)}
}

var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func TestANewLiveStream(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		l := s.newLiveStream("Evening show", object{"record": true, "public": nil, "playerId": nil, "restreams": nil})
		id, key := l["liveStreamId"].(string), l["streamKey"].(string)
		if !regexp.MustCompile(`^li[0-9A-Za-z]{22}$`).MatchString(id) || !uuidForm.MatchString(key) {
			t.Errorf("got id %s and key %s want li… and a UUID", id, key)
		}
		base := s.url + "/live/" + id
		want := object{
			"liveStreamId": id, "name": "Evening show", "streamKey": key, "public": true, "broadcasting": false, "restreams": []any{},
			"createdAt": l["createdAt"], "updatedAt": l["createdAt"],
			"assets": object{
				"hls": base + ".m3u8", "player": base, "thumbnail": base + "/thumbnail.jpg",
				"iframe": `<iframe src="` + base + `" width="100%" height="100%" frameborder="0" scrolling="no" allowfullscreen="true"></iframe>`,
			},
		}
		if !reflect.DeepEqual(l, want) {
			t.Errorf("got %v want %v", l, want)
		}
		if got := s.call("GET", "/live-streams/"+id, nil).want(200); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v want %v", got, want)
		}
		if other := s.newLiveStream("x"); other["streamKey"] == key || other["liveStreamId"] == id {
			t.Errorf("got %v want another id and key", other)
		}
	})
}

func TestALiveStreamIsChangedWhereTheBodySaysSo(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		plantPlayer(t, d, "plaaaaaaaaaaaaaaaaaaaaaa", video.DefaultProject)
		want := s.newLiveStream("x", object{"playerId": "plaaaaaaaaaaaaaaaaaaaaaa", "restreams": []object{target(1), target(2)}})
		path := livePath(want)
		for _, step := range []struct{ change, shown object }{
			{object{}, object{}},
			{object{"name": "Y"}, object{"name": "Y"}},
			{object{"restreams": []object{target(3)}}, object{"restreams": []any{target(3)}}},
			{object{"restreams": []object{}, "unknown": 1, "record": false}, object{"restreams": []any{}}},
			{object{"restreams": []object{target(1), target(1), target(2), target(3), target(4)}},
				object{"restreams": []any{target(1), target(1), target(2), target(3), target(4)}}},
			{object{"restreams": nil}, object{"restreams": []any{}}},
			{object{"playerId": nil}, object{"playerId": nil}},
		} {
			exec(t, d, `UPDATE live_streams SET updated_at = 0`)
			got := s.call("PATCH", path, step.change).want(200)
			if got["updatedAt"].(string) < want["createdAt"].(string) {
				t.Errorf("%v: got %v want it changed now", step.change, got["updatedAt"])
			}
			maps.Copy(want, step.shown)
			want["updatedAt"] = got["updatedAt"]
			maps.DeleteFunc(want, func(_ string, value any) bool { return value == nil })
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v: got %v want %v", step.change, got, want)
			}
			if read := s.call("GET", path, nil).want(200); !reflect.DeepEqual(read, got) {
				t.Errorf("%v: got %v when read again want %v", step.change, read, got)
			}
		}
	})
}

func TestCompletionOfAnIdleLiveStream(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		path := livePath(s.newLiveStream("x"))
		a := s.call("PUT", path+"/complete", nil)
		if _, typed := a.header["Content-Type"]; a.status != 202 || len(a.body) > 0 || typed { // clients would try to read it
			t.Errorf("got %d %q %v want 202 without a body and its type", a.status, a.body, a.header)
		}
		wantField(t, s.call("GET", path, nil).want(200), "broadcasting", false)
	})
}

// A private live stream has other addresses in every answer.
func TestAPrivateLiveStreamHasATokenInEveryAnswer(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		private := s.newLiveStream("x", object{"public": false})
		path, id := livePath(private), private["liveStreamId"].(string)
		form := regexp.MustCompile(`^` + regexp.QuoteMeta(s.url+"/live/private/") + `([0-9a-f-]{36})/` + id + `\.m3u8$`)
		seen := map[string]bool{}
		for _, l := range []object{
			private, s.call("GET", path, nil).want(200), s.call("PATCH", path, object{}).want(200),
			s.sendFile(path+"/thumbnail", "a.png", pngFile(t, 8, 8)).want(201), s.call("DELETE", path+"/thumbnail", nil).want(200),
			s.call("GET", "/live-streams", nil).items()[0],
		} {
			assets := l["assets"].(object)
			found := form.FindStringSubmatch(assets["hls"].(string))
			if found == nil {
				t.Fatalf("got %v want a token in the address", assets)
			}
			token := found[1]
			if seen[token] {
				t.Errorf("got the token %s again", token)
			}
			seen[token] = true
			player := s.url + "/live/" + id + "?token=" + token
			want := object{
				"hls": assets["hls"], "player": player, "thumbnail": s.url + "/live/private/" + token + "/" + id + "/thumbnail.jpg",
				"iframe": `<iframe src="` + player + `" width="100%" height="100%" frameborder="0" scrolling="no" allowfullscreen="true"></iframe>`,
			}
			if !reflect.DeepEqual(assets, want) {
				t.Errorf("got %v want %v", assets, want)
			}
		}
	})
}

func TestBroadcastingIsToldWhileThePublisherIsHeardOf(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		now := time.Now()
		for name, b := range map[string]struct {
			onAir, ended bool
			seen         time.Time
		}{
			"on air":                    {true, false, now.Add(time.Hour)}, // so that no slow machine lets it grow old
			"its process has died":      {true, false, now.Add(-6 * time.Second)},
			"away, may come back":       {false, false, now.Add(time.Hour)},
			"ended, and there is a row": {true, true, now.Add(time.Hour)},
		} {
			l := s.newLiveStream(name)
			exec(t, d, `INSERT INTO live_broadcasts (id, live_stream_id, project, video_id, run, on_air, ended, recorded, version, title, public, player_id, started_at, seen_at, left_at, ended_at)
				VALUES ($1, $2, $3, '', 1, $4, $5, $5, 1, '', TRUE, '', 1, $6, 0, 0)`, name, l["liveStreamId"], video.DefaultProject, b.onAir, b.ended, db.Micros(b.seen))
			wantField(t, s.call("GET", livePath(l), nil).want(200), "broadcasting", name == "on air")
		}
		s.newLiveStream("never on air")
		for _, l := range s.call("GET", "/live-streams", nil).items() {
			wantField(t, l, "broadcasting", l["name"] == "on air")
		}
	})
}

func TestLiveStreamsAreFilteredAndSorted(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		theirs := s.newKey("other", "other")
		hidden := s.callAs(theirs, "POST", "/live-streams", object{"name": "Über"}).want(200)
		keys := map[string]string{}
		for i, name := range []string{"b 100%", "A_b", `Ça\`, "Über"} {
			l := s.newLiveStream(name)
			keys[name] = l["streamKey"].(string)
			exec(t, d, `UPDATE live_streams SET created_at = $2, updated_at = $3 WHERE id = $1`, l["liveStreamId"], 1000+i, []int{4, 1, 3, 2}[i])
		}
		all := []string{"Über", `Ça\`, "A_b", "b 100%"}
		for query, want := range map[string][]string{
			"":                                       all,
			"name=":                                  all,
			"streamKey=":                             all,
			"unknown=1&pageSize=2":                   all[:2],
			"currentPage=2&pageSize=3":               all[3:],
			"currentPage=3&pageSize=3":               {},
			"name=B":                                 {"Über", "A_b", "b 100%"},
			"name=ÜBER":                              {"Über"},
			"name=%25":                               {"b 100%"},
			"name=_":                                 {"A_b"},
			"name=%5C":                               {`Ça\`},
			"streamKey=" + keys["A_b"]:               {"A_b"},
			"streamKey=" + keys["A_b"][:8]:           {},
			"streamKey=" + keys["A_b"] + "&name=100": {},
			"streamKey=" + hidden["streamKey"].(string): {},
			"sortBy=name":                {"A_b", "b 100%", `Ça\`, "Über"},
			"sortBy=name&sortOrder=desc": {"Über", `Ça\`, "b 100%", "A_b"},
			"sortBy=updatedAt":           {"A_b", "Über", `Ça\`, "b 100%"},
			"sortBy=createdAt":           {"b 100%", "A_b", `Ça\`, "Über"},
		} {
			names := []string{}
			for _, name := range column(s.call("GET", "/live-streams?"+query, nil).items(), "name") {
				names = append(names, name.(string))
			}
			if !slices.Equal(names, want) {
				t.Errorf("%q: got %q want %q", query, names, want)
			}
		}
		page := s.call("GET", "/live-streams?name=b&currentPage=2&pageSize=2", nil).want(200)["pagination"].(object)
		if page["itemsTotal"] != 3.0 || page["currentPageItems"] != 1.0 || page["pagesTotal"] != 2.0 || len(page["links"].([]any)) != 4 {
			t.Errorf("got %v want the second of two pages", page)
		}
		for query, name := range map[string]string{
			"pageSize=101": "pageSize", "currentPage=0": "currentPage", "sortBy=title": "sortBy", "sortOrder=up": "sortOrder",
			"name=%00": "name", "name=%ff": "name", "streamKey=%00": "streamKey", "streamKey=" + strings.Repeat("x", 2001): "streamKey",
		} {
			s.call("GET", "/live-streams?"+query, nil).refused(400, "request-invalid-query-parameter", name)
		}
	})
}
