package video_test

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"stoa/internal/db"
	"stoa/video"
)

func TestOnlyWhatIsGivenChanges(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		player := "pl" + strings.Repeat("a", 22)
		plantPlayer(t, d, player, video.DefaultProject)
		id := s.newVideo("old", object{
			"description": "text", "public": true, "panoramic": true, "mp4Support": false, "playerId": player,
			"tags": []string{"a"}, "metadata": []object{{"key": "k", "value": "v"}}, "language": "fr",
		})
		exec(t, d, `UPDATE videos SET updated_at = 0`)
		before := s.call("GET", "/videos/"+id, nil).want(200)
		path := "/videos/" + id
		for _, change := range []struct {
			body object
			want object
		}{
			{object{"title": "new"}, object{"title": "new"}},
			{object{"mp4support": true}, object{"mp4Support": true}},
			{object{"panoramic": false, "description": ""}, object{"panoramic": false, "description": ""}},
			{object{"tags": []string{"c", "b"}}, object{"tags": []any{"c", "b"}}},
			{object{"tags": []string{}}, object{"tags": []any{}}},
			{object{"metadata": []object{{"key": "x", "value": "y"}}}, object{"metadata": []any{object{"key": "x", "value": "y"}}}},
			{object{"tags": []string{"d"}, "description": "again"}, object{"tags": []any{"d"}, "description": "again"}},
			{object{"tags": nil, "metadata": nil, "description": nil}, object{"tags": []any{}, "metadata": []any{}, "description": ""}},
			{object{"language": nil, "playerId": nil}, object{"language": nil, "languageOrigin": nil, "playerId": nil}},
			{object{"language": "no", "playerId": player}, object{"language": "no", "languageOrigin": "api", "playerId": player}},
			{object{"source": "x", "clip": 5, "watermark": 5, "videoId": "x", "createdAt": "x"}, object{}},
			{object{}, object{}},
		} {
			got := s.call("PATCH", path, change.body).want(200)
			maps.Copy(before, change.want)
			for name, want := range before {
				if name != "updatedAt" && name != "assets" {
					wantField(t, got, name, want)
				}
			}
			if got["updatedAt"].(string) < "2000" {
				t.Errorf("%v: got updatedAt %v want now", change.body, got["updatedAt"])
			}
		}
	})
}

func TestWhatAChangeCannotBe(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("old", object{"tags": []string{"a"}, "metadata": []object{{"key": "k", "value": "v"}}})
		before := s.call("GET", "/videos/"+id, nil).want(200)
		for _, bad := range badFields {
			s.call("PATCH", "/videos/"+id, object{bad.field: bad.value}).refused(400, "invalid-attribute", bad.name)
		}
		for _, name := range []string{"title", "public", "panoramic", "mp4Support"} {
			s.call("PATCH", "/videos/"+id, object{name: nil}).refused(400, "invalid-attribute", name)
		}
		s.call("PATCH", "/videos/"+id, nil).refused(400, "invalid-payload", "")
		if got := s.call("GET", "/videos/"+id, nil).want(200); !reflect.DeepEqual(got, before) {
			t.Errorf("got %v want it unchanged: %v", got, before)
		}
	})
}
