package video_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"stoa/internal/db"
)

const vtt = "WEBVTT\n\n00:00.000 --> 00:02.000\nHello\n"

func TestACaptionIsKeptAsItCame(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x")
		for _, content := range []string{vtt, "no WebVTT at all", "\xff\x00 nor UTF-8"} {
			got := s.sendFile("/videos/"+id+"/captions/fr", "a.vtt", []byte(content)).want(200)
			want := object{
				"uri": "/videos/" + id + "/captions/fr", "src": s.url + "/vod/" + id + "/captions/fr.vtt",
				"srclang": "fr", "languageName": "Français", "default": false,
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %v want %v", got, want)
			}
			if got := s.call("GET", "/videos/"+id+"/captions/fr", nil).want(200); !reflect.DeepEqual(got, want) {
				t.Errorf("got %v want %v", got, want)
			}
			if _, kept := s.oneFile("video/" + id + "/captions/"); string(kept) != content {
				t.Errorf("got %q kept, want %q and nothing of the one before", kept, content)
			}
		}
		s.call("DELETE", "/videos/"+id+"/captions/fr", nil).want(204)
		s.call("GET", "/videos/"+id+"/captions/fr", nil).refused(404, "resource-not-found", "language")
		s.call("DELETE", "/videos/"+id+"/captions/fr", nil).refused(404, "resource-not-found", "language")
		if left := s.files("video/"); len(left) > 0 {
			t.Errorf("got %v left behind, want nothing", left)
		}
	})
}

func TestOneCaptionIsTheDefault(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x")
		captions := "/videos/" + id + "/captions"
		defaults := func() (tags []any) {
			for _, c := range s.call("GET", captions, nil).items() {
				if c["default"] == true {
					tags = append(tags, c["srclang"])
				}
			}
			return tags
		}
		for _, tag := range []string{"fr", "de", "en"} {
			s.sendFile(captions+"/"+tag, "a.vtt", []byte(vtt)).want(200)
		}
		if got := defaults(); got != nil {
			t.Errorf("got defaults %v want none", got)
		}
		wantField(t, s.call("PATCH", captions+"/fr", object{"default": true}).want(200), "default", true)
		s.call("PATCH", captions+"/de", object{"default": true}).want(200)
		if got, want := defaults(), []any{"de"}; !reflect.DeepEqual(got, want) {
			t.Errorf("got defaults %v want %v", got, want)
		}
		wantField(t, s.sendFile(captions+"/de", "b.vtt", []byte(vtt)).want(200), "default", true)
		wantField(t, s.call("PATCH", captions+"/de", object{}).want(200), "default", true)
		wantField(t, s.call("PATCH", captions+"/en", object{"default": false}).want(200), "default", false)
		if got, want := defaults(), []any{"de"}; !reflect.DeepEqual(got, want) {
			t.Errorf("got defaults %v want %v", got, want)
		}
		wantField(t, s.call("PATCH", captions+"/de", object{"default": nil}).want(200), "default", false)
		s.call("PATCH", captions+"/de", object{"default": "yes"}).refused(400, "invalid-attribute", "default")
		s.call("PATCH", captions+"/it", object{"default": true}).refused(404, "resource-not-found", "language")
	})
}

func TestCaptionsAreListedByPage(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x")
		list := s.call("GET", "/videos/"+id+"/captions", nil).want(200)
		if data, ok := list["data"].([]any); !ok || len(data) > 0 {
			t.Errorf("got %v want an empty list", list["data"])
		}
		for _, tag := range []string{"fr", "pt-BR", "de"} {
			s.sendFile("/videos/"+id+"/captions/"+tag, "a.vtt", []byte(vtt)).want(200)
		}
		answer := s.call("GET", "/videos/"+id+"/captions?currentPage=2&pageSize=2", nil)
		if got, want := column(answer.items(), "srclang"), []any{"pt-BR"}; !reflect.DeepEqual(got, want) {
			t.Errorf("got %v want %v", got, want)
		}
		wantField(t, answer.want(200)["pagination"].(object), "itemsTotal", 3.0)
		s.call("GET", "/videos/"+id+"/captions?pageSize=0", nil).refused(400, "request-invalid-query-parameter", "pageSize")
	})
}

func TestCaptionsOfAPrivateVideoHaveATokenEach(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x", object{"public": false})
		form := regexp.MustCompile(`^` + s.url + `/vod/` + id + `/token/[0-9a-f-]{36}/(captions|chapters)/en\.vtt$`)
		seen := map[any]bool{}
		for _, path := range []string{"/captions/en", "/chapters/en"} {
			seen[s.sendFile("/videos/"+id+path, "a.vtt", []byte(vtt)).want(200)["src"]] = true
			seen[s.call("GET", "/videos/"+id+path, nil).want(200)["src"]] = true
		}
		seen[s.call("GET", "/videos/"+id+"/captions", nil).items()[0]["src"]] = true
		for src := range seen {
			if !form.MatchString(src.(string)) {
				t.Errorf("got %v want %v", src, form)
			}
		}
		if len(seen) != 5 {
			t.Errorf("got %d addresses of 5 answers, want a token of its own in each", len(seen))
		}
	})
}

func TestTracksChangeTheVersionOfTheirVideo(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x")
		before := version(t, d, id)
		for _, change := range []func(){
			func() { s.sendFile("/videos/"+id+"/captions/en", "a.vtt", []byte(vtt)).want(200) },
			func() { s.sendFile("/videos/"+id+"/captions/en", "a.vtt", []byte(vtt)).want(200) },
			func() { s.call("PATCH", "/videos/"+id+"/captions/en", object{"default": true}).want(200) },
			func() { s.call("DELETE", "/videos/"+id+"/captions/en", nil).want(204) },
			func() { s.sendFile("/videos/"+id+"/chapters/en", "a.vtt", []byte(vtt)).want(200) },
			func() { s.call("DELETE", "/videos/"+id+"/chapters/en", nil).want(204) },
			func() { s.sendFile("/videos/"+id+"/thumbnail", "a.png", pngFile(t, 8, 8)).want(200) },
			func() { s.call("PATCH", "/videos/"+id+"/thumbnail", object{"timecode": "1"}).want(200) },
		} {
			change()
			after := version(t, d, id)
			if after <= before {
				t.Errorf("got version %d after %d, want another", after, before)
			}
			before = after
		}
	})
}

func version(t testing.TB, d *db.DB, id string) (n int) {
	t.Helper()
	if err := d.QueryRow(t.Context(), `SELECT version FROM videos WHERE id = $1`, id).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTracksThatAreRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id, other := s.newVideo("x"), s.newKey("other", "other")
		for _, kind := range []string{"captions", "chapters"} {
			base := "/videos/" + id + "/" + kind
			for _, tag := range []string{"xx-nowhere", "e", "en_US", "%00", "..%2Fen", "%ff", "en-" + strings.Repeat("x", 300)} {
				for _, method := range []string{"GET", "DELETE"} {
					s.call(method, base+"/"+tag, nil).refused(400, "invalid-attribute", "language")
				}
				s.sendFile(base+"/"+tag, "a.vtt", []byte(vtt)).refused(400, "invalid-attribute", "language")
			}
			s.sendFile(base+"/en", "a.vtt", nil).refused(400, "uploaded-file-empty", "file")
			s.call("POST", base+"/en", object{}).refused(400, "uploaded-file-no-file", "file")
			s.sendFile("/videos/vi0/"+kind+"/en", "a.vtt", []byte(vtt)).refused(404, "resource-not-found", "videoId")

			s.sendFile(base+"/en", "a.vtt", []byte(vtt)).want(200)
			s.sendFileAs(other, base+"/en", "a.vtt", []byte("other")).refused(404, "resource-not-found", "videoId")
			s.callAs(other, "GET", base+"/en", nil).refused(404, "resource-not-found", "videoId")
			s.callAs(other, "GET", base, nil).refused(404, "resource-not-found", "videoId")
			s.callAs(other, "DELETE", base+"/en", nil).refused(404, "resource-not-found", "videoId")
			if _, kept := s.oneFile("video/" + id + "/" + kind + "/"); string(kept) != vtt {
				t.Errorf("got %q kept, want nobody else to change it", kept)
			}
		}
		s.callAs(other, "PATCH", "/videos/"+id+"/captions/en", object{"default": true}).refused(404, "resource-not-found", "videoId")
	})
}

func TestChapters(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x")
		want := object{"uri": "/videos/" + id + "/chapters/pt-BR", "src": s.url + "/vod/" + id + "/chapters/pt-BR.vtt", "language": "pt-BR"}
		if got := s.sendFile("/videos/"+id+"/chapters/pt-BR", "a.vtt", []byte(vtt)).want(200); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v want %v", got, want)
		}
		if got := s.call("GET", "/videos/"+id+"/chapters/pt-BR", nil).want(200); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v want %v", got, want)
		}
		s.sendFile("/videos/"+id+"/chapters/EN", "a.vtt", []byte(vtt)).want(200)
		s.sendFile("/videos/"+id+"/chapters/pt-br", "a.vtt", []byte(vtt)).want(200)
		list := s.call("GET", "/videos/"+id+"/chapters", nil)
		if got := fmt.Sprint(column(list.items(), "language")); got != "[en pt-BR]" {
			t.Errorf("got %v want both languages", got)
		}
		s.call("PATCH", "/videos/"+id+"/chapters/en", object{}).refused(405, "method-not-allowed", "")
		s.call("DELETE", "/videos/"+id+"/chapters/en", nil).want(204)
		s.call("GET", "/videos/"+id+"/chapters/en", nil).refused(404, "resource-not-found", "language")
		s.oneFile("video/" + id + "/chapters/")
	})
}

func TestAVideoHasSoManyTracks(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x")
		exec(t, d, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
			INSERT INTO video_tracks (video_id, kind, language, is_default, blob, created_at)
			SELECT CAST($1 AS TEXT), 'chapters', 'x-' || CAST(i AS TEXT), FALSE, '', 0 FROM n`, id)
		s.sendFile("/videos/"+id+"/chapters/en", "a.vtt", []byte(vtt)).refused(400, "invalid-attribute", "language")
		if left := s.files(""); len(left) > 0 {
			t.Errorf("got %d files left behind, want none of what was refused", len(left))
		}
		s.sendFile("/videos/"+id+"/captions/en", "a.vtt", []byte(vtt)).want(200)
	})
}
