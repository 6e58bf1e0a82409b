package video_test

import (
	"strings"
	"testing"

	"stoa/internal/db"
)

func TestLiveStreamsThatAreRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		plantPlayer(t, d, "pltheirsaaaaaaaaaaaaaaaa", "other")
		made := s.newLiveStream("x", object{"restreams": []object{target(1)}})
		path := livePath(made)
		s.call("POST", "/live-streams", object{}).refused(400, "attribute-required", "name")
		s.call("POST", "/live-streams", object{"name": nil}).refused(400, "attribute-required", "name")
		s.call("POST", "/live-streams", nil).refused(400, "invalid-payload", "")
		s.call("PATCH", path, []int{1}).refused(400, "invalid-payload", "")
		for name, values := range map[string][]any{
			"name":      {"", 1, "a\x00b", strings.Repeat("x", 1001)},
			"public":    {"true", 1},
			"playerId":  {1, "pl1", "plnobodyaaaaaaaaaaaaaaaa", "pltheirsaaaaaaaaaaaaaaaa", "\x00"},
			"restreams": {"x", object{}, []any{"x"}, []object{target(1), target(2), target(3), target(4), target(5), target(6)}},
		} {
			for _, value := range values {
				body := object{"name": "x"}
				body[name] = value
				s.call("POST", "/live-streams", body).refused(400, "invalid-attribute", name)
				s.call("PATCH", path, object{name: value}).refused(400, "invalid-attribute", name)
			}
		}
		for _, name := range []string{"name", "public"} { // these always have a value
			s.call("PATCH", path, object{name: nil}).refused(400, "invalid-attribute", name)
		}
		problems := s.call("POST", "/live-streams", object{"public": 1, "playerId": "pl1", "restreams": []any{nil, object{"name": 1}}}).want(400)["problems"].([]any)
		if len(problems) != 3+6 {
			t.Errorf("got %d problems want all nine: %v", len(problems), problems)
		}
		if got := s.call("GET", path, nil).want(200); got["updatedAt"] != made["updatedAt"] || len(got["restreams"].([]any)) != 1 {
			t.Errorf("got %v want it unchanged", got)
		}
	})
}

func TestRestreamsThatAreRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		path := livePath(s.newLiveStream("x"))
		send := func(field string, value any) *answer {
			broken := target(2)
			broken[field] = value
			return s.call("PATCH", path, object{"restreams": []object{target(1), broken}})
		}
		for field, values := range map[string][]any{
			"name":      {nil, "", " \t", 1, "a\x00b", strings.Repeat("x", 1001)},
			"streamKey": {nil, "", " ", []int{1}, "a\x00b", strings.Repeat("x", 2049)},
			"serverUrl": {
				nil, "", " ", true, "live.example.com/app", "http://live.example.com/app", "rtmp:live.example.com/app", "rtmp://", "rtmp:///app",
				"rtmp://live.example.com", "rtmp://live.example.com/", "rtmp://live.example.com//?app=x", "rtmp://:1935/app", "rtmp://live.example.com:port/app",
				" rtmp://live.example.com/app", "rtmp://live.example.com/a\x00b", "rtmp://" + strings.Repeat("x", 2048) + "/app", "srt://live.example.com/app",
			},
		} {
			for _, value := range values {
				a := send(field, value)
				a.refused(400, "invalid-attribute", "restreams[1]["+field+"]")
				if detail, _ := a.want(400)["detail"].(string); detail == "" {
					t.Errorf("%s %v: got no detail", field, value)
				}
			}
		}
		for _, field := range []string{"name", "serverUrl", "streamKey"} {
			broken := target(1)
			delete(broken, field)
			s.call("PATCH", path, object{"restreams": []object{broken}}).refused(400, "invalid-attribute", "restreams[0]["+field+"]")
		}
		for _, address := range []string{"rtmps://live.example.com:443/app", "RTMP://[2001:db8::1]:1935/app/instance?auth=x", "rtmp://user:secret@live.example.com/app"} {
			send("serverUrl", address).want(200)
		}
	})
}

// What is another project's is not there.
func TestLiveStreamsOfOthers(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		other, mine := s.newKey("other", "other"), livePath(s.newLiveStream("x"))
		for _, path := range []string{mine, "/live-streams/li1", "/live-streams/x%00", "/live-streams/vi" + strings.Repeat("a", 22), "/live-streams/li" + strings.Repeat("a", 22)} {
			for _, method := range []string{"GET", "PATCH", "DELETE"} {
				s.callAs(other, method, path, object{"name": "y"}).refused(404, "resource-not-found", "liveStreamId")
			}
			s.sendFileAs(other, path+"/thumbnail", "a.png", pngFile(t, 8, 8)).refused(404, "resource-not-found", "liveStreamId")
			s.callAs(other, "DELETE", path+"/thumbnail", nil).refused(404, "resource-not-found", "liveStreamId")
			s.callAs(other, "PUT", path+"/complete", nil).refused(404, "resource-not-found", "liveStreamId")
			s.callAs("", "GET", path, nil).refused(401, "authentication-missing-authorization-header", "")
		}
		if got := s.callAs(other, "GET", "/live-streams", nil).items(); len(got) > 0 {
			t.Errorf("got %v want nothing of another project", got)
		}
		wantField(t, s.call("GET", mine, nil).want(200), "name", "x")
		if left := s.files("live/"); len(left) > 0 {
			t.Errorf("got %d files left behind, want none", len(left))
		}
	})
}
