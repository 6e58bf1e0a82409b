package video_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"stoa/internal/db"
	"stoa/video"
)

func TestAVideoWithATitleAlone(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		v := s.call("POST", "/videos", object{"title": "My film", "record": true}).want(201)
		id := v["videoId"].(string)
		if !regexp.MustCompile(`^vi[0-9A-Za-z]{22}$`).MatchString(id) {
			t.Errorf("got id %q", id)
		}
		if !regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$`).MatchString(v["createdAt"].(string)) {
			t.Errorf("got createdAt %q", v["createdAt"])
		}
		base := s.url + "/vod/" + id
		for name, want := range map[string]any{
			"title": "My film", "description": "", "public": true, "panoramic": false, "mp4Support": true, "discarded": false,
			"discardedAt": nil, "deletesAt": nil, "languageOrigin": nil, "tags": []any{}, "metadata": []any{},
			"publishedAt": v["createdAt"], "updatedAt": v["createdAt"], "source": object{"uri": "/videos/" + id + "/source"},
			"assets": object{
				"hls": base + "/hls/manifest.m3u8", "mp4": base + "/mp4/source.mp4", "thumbnail": base + "/thumbnail.jpg", "player": base,
				"iframe": `<iframe src="` + base + `" width="100%" height="100%" frameborder="0" scrolling="no" allowfullscreen="true"></iframe>`,
			},
		} {
			wantField(t, v, name, want)
		}
		for _, name := range []string{"language", "playerId"} {
			if _, there := v[name]; there {
				t.Errorf("got %s, want it absent", name)
			}
		}
		if got := s.call("GET", "/videos/"+id, nil).want(200); !reflect.DeepEqual(got, v) {
			t.Errorf("got %v want %v", got, v)
		}
	})
}

func TestAVideoWithEverything(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		player, mark := "pl"+strings.Repeat("a", 22), "watermark_"+strings.Repeat("b", 22)
		plantPlayer(t, d, player, video.DefaultProject)
		plantWatermark(t, d, mark, video.DefaultProject)
		v := s.call("POST", "/videos", object{
			"title": strings.Repeat("ü", 1000), "description": "About\nit", "public": false, "panoramic": true, "mp4Support": false,
			"playerId": player, "tags": []string{"b", "a b", "b"}, "language": "no",
			"metadata": []object{{"key": "k", "value": "1"}, {"key": "l", "value": ""}, {"key": "k", "value": "2"}},
			"clip":     object{"startTimecode": "00:00:05.5", "endTimecode": "00:01:00:12"},
			"watermark": object{
				"id": mark, "top": "10px", "left": "2.5%", "bottom": "0%", "right": "7px", "width": "initial", "height": "10%", "opacity": "70%",
			},
			"transcript": true, "transcriptSummary": true, "transcriptSummaryAttributes": []string{"abstract"},
		}).want(201)
		for name, want := range map[string]any{
			"title": strings.Repeat("ü", 1000), "description": "About\nit", "public": false, "panoramic": true, "mp4Support": false, "playerId": player,
			"tags": []any{"b", "a b"}, "language": "no", "languageOrigin": "api",
			"metadata": []any{object{"key": "k", "value": "2"}, object{"key": "l", "value": ""}},
		} {
			wantField(t, v, name, want)
		}
		assets := v["assets"].(object)
		if _, there := assets["mp4"]; there || !strings.Contains(assets["hls"].(string), "/token/") {
			t.Errorf("got %v want a token and no MP4", assets)
		}
		again := s.call("GET", "/videos/"+v["videoId"].(string), nil).want(200)["assets"].(object)
		if again["hls"] == assets["hls"] {
			t.Error("got the same token twice, want another with every reading")
		}
	})
}

func TestNullsAndSpellingsOfANewVideo(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		v := s.call("POST", "/videos", object{
			"title": "x", "description": nil, "public": nil, "tags": nil, "metadata": nil, "playerId": nil, "language": false,
			"clip": nil, "watermark": nil, "source": nil, "mp4support": false,
		}).want(201)
		wantField(t, v, "mp4Support", false)
		wantField(t, v, "public", true)
		wantField(t, v, "language", "no")
		v = s.call("POST", "/videos", object{"title": "x", "mp4support": false, "mp4Support": true, "clip": object{}, "watermark": object{}}).want(201)
		wantField(t, v, "mp4Support", true)
	})
}

func TestWhatANewVideoCannotBe(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		for _, bad := range slices.Concat(badFields, badAtCreation) {
			body := object{"title": "x"}
			body[bad.field] = bad.value
			s.call("POST", "/videos", body).refused(400, "invalid-attribute", bad.name)
		}
		s.call("POST", "/videos", object{}).refused(400, "attribute-required", "title")
		s.call("POST", "/videos", object{"title": nil}).refused(400, "attribute-required", "title")
		s.call("POST", "/videos", object{"title": "x", "watermark": object{"top": "1px"}}).refused(400, "attribute-required", "watermark[id]")
		for _, body := range []any{nil, []string{"x"}, "x", json.RawMessage("null"), object{"title": strings.Repeat("x", 1<<20)}} {
			s.call("POST", "/videos", body).refused(400, "invalid-payload", "")
		}
		if total := s.call("GET", "/videos", nil).want(200)["pagination"].(object)["itemsTotal"]; total != 0.0 {
			t.Errorf("got %v videos, want none of those that were refused", total)
		}
	})
}

func TestGeometryOfAWatermark(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		mark := "watermark_" + strings.Repeat("b", 22)
		plantWatermark(t, d, mark, video.DefaultProject)
		for field, values := range map[string][]string{
			"top": {"10", "px", "-1px", "1e3px", "10 px", "initial", "10em"}, "left": {"%"}, "bottom": {"Infpx"}, "right": {"10PX"},
			"width": {"auto", "0x10px"}, "height": {"100"}, "opacity": {"70", "0.7", "101%", "70px", "initial"},
		} {
			for _, value := range values {
				s.call("POST", "/videos", object{"title": "x", "watermark": object{"id": mark, field: value}}).
					refused(400, "invalid-attribute", "watermark["+field+"]")
			}
		}
	})
}

func TestAllProblemsAreToldAtOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		o := s.call("POST", "/videos", object{
			"public": "x", "tags": 1, "playerId": "nobody", "clip": object{"startTimecode": "x", "endTimecode": "y"}, "source": "x",
			"watermark": object{"id": "none", "top": "1", "opacity": "1"},
		}).want(400)
		names := problemNames(o)
		want := []string{
			"title", "public", "tags", "clip[startTimecode]", "clip[endTimecode]", "watermark[top]", "watermark[opacity]", "source",
			"playerId", "watermark[id]",
		}
		if !slices.Equal(names, want) || o["name"] != want[0] {
			t.Errorf("got %v (%v first) want %v", names, o["name"], want)
		}
	})
}

func TestAVideoWithASourceIsAccepted(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		v := s.call("POST", "/videos", object{"title": "x", "source": "https://example.com/a%20film.mp4?x=1"}).want(202)
		wantField(t, v["source"].(object), "type", "url")
		status := s.call("GET", "/videos/"+v["videoId"].(string)+"/status", nil).want(200)
		wantField(t, status["ingest"].(object), "status", "ingesting")

		c := s.call("POST", "/videos", object{"title": "x", "source": v["videoId"]}).want(202)
		wantField(t, c["source"].(object), "type", "copy")
	})
}
