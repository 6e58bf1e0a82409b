package video_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/video"
)

func TestADeletedVideoIsGone(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x", object{"tags": []string{"only"}})
		other := s.newVideo("y")
		summary := s.call("POST", "/summaries", object{"videoId": id}).want(201)["summaryId"].(string)
		a := s.call("DELETE", "/videos/"+id, nil)
		a.want(204)
		if len(a.body) > 0 || a.header.Get("Content-Type") != "" {
			t.Errorf("got %q of type %q want nothing", a.body, a.header.Get("Content-Type"))
		}
		for _, call := range [][2]string{
			{"GET", "/videos/" + id}, {"PATCH", "/videos/" + id}, {"DELETE", "/videos/" + id}, {"GET", "/videos/" + id + "/status"},
			{"GET", "/discarded/videos/" + id},
		} {
			s.call(call[0], call[1], object{}).refused(404, "resource-not-found", "videoId")
		}
		s.call("PATCH", "/discarded/videos/"+id, object{"discarded": false}).refused(404, "resource-not-found", "videoId")
		s.call("POST", "/videos", object{"title": "copy", "source": id}).refused(400, "invalid-attribute", "source")
		s.call("GET", "/summaries/"+summary+"/source", nil).refused(404, "resource-not-found", "summaryId")
		if got := s.titles("/videos"); !slices.Equal(got, []string{"y"}) {
			t.Errorf("got %v want what is left of the list: %s", got, other)
		}
		for _, list := range []string{"/tags", "/summaries", "/discarded/videos"} {
			if got := s.call("GET", list, nil).want(200)["data"].([]any); len(got) > 0 {
				t.Errorf("%s: got %v want nothing", list, got)
			}
		}
	})
}

func restorable(o *video.Options) { o.Restore = true }

func TestADiscardedVideoCanComeBack(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, restorable)
		id := s.newVideo("x", object{"tags": []string{"a"}})
		s.call("DELETE", "/videos/"+id, nil).want(204)
		s.call("GET", "/videos/"+id, nil).refused(404, "resource-not-found", "videoId")
		s.call("DELETE", "/videos/"+id, nil).refused(404, "resource-not-found", "videoId")
		v := s.call("GET", "/discarded/videos/"+id, nil).want(200)
		wantField(t, v, "discarded", true)
		wantField(t, v, "assets", nil)
		discarded, err := time.Parse(time.RFC3339, v["discardedAt"].(string))
		deletes, err2 := time.Parse(time.RFC3339, v["deletesAt"].(string))
		if err != nil || err2 != nil || deletes.Sub(discarded) != 90*24*time.Hour {
			t.Errorf("got %v to %v want 90 days", v["discardedAt"], v["deletesAt"])
		}
		if got := s.titles("/discarded/videos?title=X&tags[]=a"); !slices.Equal(got, []string{"x"}) {
			t.Errorf("got %v want the discarded one", got)
		}
		for _, body := range []object{{"discarded": true}, {"discarded": "no"}, {"discarded": nil}} {
			a := s.call("PATCH", "/discarded/videos/"+id, body)
			a.refused(400, "invalid-attribute", "discarded")
			wantField(t, a.want(400), "detail", "Value must be false.")
		}
		s.call("PATCH", "/discarded/videos/"+id, object{}).refused(400, "attribute-required", "discarded")
		v = s.call("PATCH", "/discarded/videos/"+id, object{"discarded": false}).want(200)
		wantField(t, v, "discarded", false)
		wantField(t, v, "discardedAt", nil)
		wantField(t, v, "deletesAt", nil)
		s.call("GET", "/videos/"+id, nil).want(200)
		s.call("GET", "/discarded/videos/"+id, nil).refused(404, "resource-not-found", "videoId")
		for path, want := range map[string]int{"/videos": 1, "/discarded/videos": 0} {
			if got := len(s.titles(path)); got != want {
				t.Errorf("%s: got %d want %d", path, got, want)
			}
		}
	})
}

func TestSandboxVideosEndAfterADay(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, restorable, func(o *video.Options) { o.Environment = "staging" })
		id := s.newVideo("x")
		wantDay := func(v object) {
			t.Helper()
			created, _ := time.Parse(time.RFC3339, v["createdAt"].(string))
			deletes, _ := time.Parse(time.RFC3339, fmt.Sprint(v["deletesAt"]))
			if deletes.Sub(created) != 24*time.Hour {
				t.Errorf("got %v to %v want a day", v["createdAt"], v["deletesAt"])
			}
		}
		wantDay(s.call("GET", "/videos/"+id, nil).want(200))
		s.call("DELETE", "/videos/"+id, nil).want(204)
		wantDay(s.call("GET", "/discarded/videos/"+id, nil).want(200))
		wantDay(s.call("PATCH", "/discarded/videos/"+id, object{"discarded": false}).want(200))
	})
}
