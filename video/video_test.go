package video_test

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"stoa/internal/db"
	"stoa/video"
)

// newVideo makes a video with a title and maybe more, and returns its id.
func (s *site) newVideo(title string, more ...object) string {
	s.t.Helper()
	body := object{"title": title}
	for _, m := range more {
		maps.Copy(body, m)
	}
	return s.call("POST", "/videos", body).want(201)["videoId"].(string)
}

// exec changes the database behind the back of the service.
func exec(t testing.TB, d *db.DB, text string, args ...any) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(t.Context(), text, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// plantPlayer and plantWatermark store what videos refer to.
func plantPlayer(t testing.TB, d *db.DB, id, project string) {
	exec(t, d, `INSERT INTO video_players (id, project, name, name_key, look, logo, link, created_at, updated_at)
		VALUES ($1, $2, '', '', '{}', '', '', 0, 0)`, id, project)
}

func plantWatermark(t testing.TB, d *db.DB, id, project string) {
	exec(t, d, `INSERT INTO video_watermarks (id, project, blob, width, height, created_at, deleted_at) VALUES ($1, $2, '', 1, 1, 0, 0)`, id, project)
}

func wantField(t testing.TB, o object, name string, want any) {
	t.Helper()
	if got := o[name]; !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %#v want %#v", name, got, want)
	}
}

func TestOtherProjectsSeeNothing(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, restorable)
		player, mark := "pl"+strings.Repeat("a", 22), "watermark_"+strings.Repeat("b", 22)
		plantPlayer(t, d, player, video.DefaultProject)
		plantWatermark(t, d, mark, video.DefaultProject)
		id, gone := s.newVideo("x", object{"tags": []string{"a"}}), s.newVideo("gone")
		summary := s.call("POST", "/summaries", object{"videoId": id}).want(201)["summaryId"].(string)
		s.call("DELETE", "/videos/"+gone, nil).want(204)

		stranger := s.newKey("stranger", "others")
		for _, call := range []struct{ method, path, name string }{
			{"GET", "/videos/" + id, "videoId"}, {"PATCH", "/videos/" + id, "videoId"}, {"DELETE", "/videos/" + id, "videoId"},
			{"GET", "/videos/" + id + "/status", "videoId"}, {"GET", "/discarded/videos/" + gone, "videoId"},
			{"PATCH", "/discarded/videos/" + gone, "videoId"}, {"GET", "/summaries/" + summary + "/source", "summaryId"},
			{"PATCH", "/summaries/" + summary + "/source", "summaryId"}, {"DELETE", "/summaries/" + summary, "summaryId"},
		} {
			s.callAs(stranger, call.method, call.path, object{"discarded": false}).refused(404, "resource-not-found", call.name)
		}
		for _, list := range []string{"/videos", "/videos?tags[]=a", "/discarded/videos", "/tags", "/summaries"} {
			o := s.callAs(stranger, "GET", list, nil).want(200)
			if len(o["data"].([]any)) > 0 || o["pagination"].(object)["itemsTotal"] != 0.0 {
				t.Errorf("%s: got %v want nothing", list, o)
			}
		}
		for field, body := range map[string]object{
			"source": {"source": id}, "playerId": {"playerId": player}, "watermark[id]": {"watermark": object{"id": mark}},
		} {
			body["title"] = "x"
			s.callAs(stranger, "POST", "/videos", body).refused(400, "invalid-attribute", field)
		}
		s.callAs(stranger, "POST", "/summaries", object{"videoId": id}).refused(400, "invalid-attribute", "videoId")
		s.call("GET", "/videos/"+id, nil).want(200)
	})
}

func TestIDsThatAreNone(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		for _, id := range []string{"x", "vi", "%00", "%ff", "vi" + strings.Repeat("0", 22), strings.Repeat("x", 3000), "..%2f..", "'--"} {
			s.call("GET", "/videos/"+id, nil).refused(404, "resource-not-found", "videoId")
		}
	})
}
