package video_test

import (
	"bytes"
	"image/png"
	"maps"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"stoa/internal/db"
)

// usualTheme is what a theme has in which nothing was chosen.
var usualTheme = object{
	"name": "", "text": "rgba(255, 255, 255, 1)", "link": "rgba(255, 255, 255, 1)", "linkHover": "rgba(255, 255, 255, 1)",
	"linkActive": "rgba(255, 255, 255, 1)", "backgroundText": "rgba(255, 255, 255, 1)", "trackPlayed": "rgba(88, 131, 255, .95)",
	"trackUnplayed": "rgba(255, 255, 255, .35)", "trackBackground": "rgba(255, 255, 255, .2)",
	"backgroundTop": "rgba(0, 0, 0, .7)", "backgroundBottom": "rgba(0, 0, 0, .7)",
	"enableApi": true, "enableControls": true, "forceAutoplay": false, "hideTitle": false, "forceLoop": false,
}

// chosen is a theme without what each has of its own.
func chosen(theme object) object {
	rest := maps.Clone(theme)
	for _, name := range []string{"playerId", "createdAt", "updatedAt"} {
		delete(rest, name)
	}
	return rest
}

func TestAThemeIsTheUsualOneButForWhatIsChosen(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		got := s.call("POST", "/players", object{}).want(201)
		if !reflect.DeepEqual(chosen(got), usualTheme) {
			t.Errorf("got %v want %v", got, usualTheme)
		}
		choice := object{"name": "Mine", "text": "rgba(1, 2, 3, .5)", "enableApi": false, "hideTitle": true}
		path := "/players/" + s.call("POST", "/players", choice).want(201)["playerId"].(string)
		want := maps.Clone(usualTheme)
		maps.Copy(want, choice)
		if got := chosen(s.call("GET", path, nil).want(200)); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v want %v", got, want)
		}
		want["name"], want["link"], want["text"], want["enableApi"] = "", "#ff0000", usualTheme["text"], true
		changed := s.call("PATCH", path, object{"name": nil, "link": "#ff0000", "text": nil, "enableApi": nil, "other": 1}).want(200)
		if !reflect.DeepEqual(chosen(changed), want) {
			t.Errorf("got %v want %v", changed, want)
		}
		if got := s.call("GET", path, nil).want(200); !reflect.DeepEqual(got, changed) {
			t.Errorf("got %v want %v", got, changed)
		}
	})
}

func TestThemesAreSorted(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		var ids []string
		for _, name := range []string{"b", "A", "Ça", "_"} {
			ids = append(ids, s.call("POST", "/players", object{"name": name}).want(201)["playerId"].(string))
		}
		exec(t, d, `UPDATE video_players SET updated_at = updated_at + 10000000 WHERE id = $1`, ids[1])
		for query, want := range map[string]string{
			"":                            "_ Ça A b",
			"?sortBy=createdAt":           "b A Ça _",
			"?sortBy=name":                "_ A b Ça",
			"?sortBy=name&sortOrder=desc": "Ça b A _",
			"?sortBy=updatedAt&sortOrder=desc&pageSize=1": "A",
		} {
			var names []string
			for _, name := range column(s.call("GET", "/players"+query, nil).items(), "name") {
				names = append(names, name.(string))
			}
			if got := strings.Join(names, " "); got != want {
				t.Errorf("%q: got %s want %s", query, got, want)
			}
		}
		s.call("GET", "/players?sortBy=text", nil).refused(400, "request-invalid-query-parameter", "sortBy")
	})
}

func TestThemesThatAreRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		path := "/players/" + s.call("POST", "/players", object{"name": "x"}).want(201)["playerId"].(string)
		for name, values := range map[string][]any{
			"name":      {strings.Repeat("x", 101), 1, "a\x00b"},
			"text":      {"red; background: url(//example.com)", "", 1, "rgba(1, 2, 3)</style>"},
			"enableApi": {"true", 1},
			"forceLoop": {[]string{}},
		} {
			for _, value := range values {
				s.call("POST", "/players", object{name: value}).refused(400, "invalid-attribute", name)
				s.call("PATCH", path, object{name: value}).refused(400, "invalid-attribute", name)
			}
		}
		problems := s.call("POST", "/players", object{"text": 1, "hideTitle": 1, "name": 1}).want(400)["problems"].([]any)
		if len(problems) != 3 {
			t.Errorf("got %v want all three problems", problems)
		}
		wantField(t, s.call("POST", "/players", object{"name": strings.Repeat("ß", 100)}).want(201), "name", strings.Repeat("ß", 100))

		other := s.newKey("other", "other")
		for _, path := range []string{path, "/players/pl1", "/players/x"} {
			s.callAs(other, "GET", path, nil).refused(404, "resource-not-found", "playerId")
			s.callAs(other, "PATCH", path, object{}).refused(404, "resource-not-found", "playerId")
			s.callAs(other, "DELETE", path, nil).refused(404, "resource-not-found", "playerId")
			s.callAs(other, "DELETE", path+"/logo", nil).refused(404, "resource-not-found", "playerId")
			s.sendFileAs(other, path+"/logo", "a.png", pngFile(t, 8, 8)).refused(404, "resource-not-found", "playerId")
		}
		if got := s.callAs(other, "GET", "/players", nil).items(); len(got) > 0 {
			t.Errorf("got %v want nothing of another project", got)
		}
		s.call("GET", path, nil).want(200)
	})
}

// A page shows the theme of its video, so a change of the one is a change of the other.
func TestAThemeChangesItsVideos(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		player := s.call("POST", "/players", object{}).want(201)["playerId"].(string)
		id := s.newVideo("x", object{"playerId": player})
		before := version(t, d, id)
		for _, change := range []func(){
			func() { s.call("PATCH", "/players/"+player, object{"text": "#000000"}).want(200) },
			func() { s.sendFile("/players/"+player+"/logo", "a.png", pngFile(t, 8, 8)).want(201) },
			func() { s.call("DELETE", "/players/"+player+"/logo", nil).want(204) },
			func() { s.call("DELETE", "/players/"+player, nil).want(204) },
		} {
			change()
			after := version(t, d, id)
			if after <= before {
				t.Errorf("got version %d after %d, want another", after, before)
			}
			before = after
		}
		if got, there := s.call("GET", "/videos/"+id, nil).want(200)["playerId"]; there {
			t.Errorf("got the theme %v, want none when it is deleted", got)
		}
		s.call("GET", "/players/"+player, nil).refused(404, "resource-not-found", "playerId")
	})
}

func TestALogo(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		player := s.call("POST", "/players", object{}).want(201)["playerId"].(string)
		path := "/players/" + player
		first := s.sendFile(path+"/logo", "logo.png", pngFile(t, 200, 100), "link", "https://example.com/?a=b").want(201)["assets"].(object)
		wantField(t, first, "link", "https://example.com/?a=b")
		second := s.sendFile(path+"/logo", "logo.jpg", jpegFile(t, 20, 10)).want(201)["assets"].(object)
		if _, there := second["link"]; there || second["logo"] == first["logo"] {
			t.Errorf("got %v, want another address and no link", second)
		}
		if got := s.call("GET", path, nil).want(200)["assets"]; !reflect.DeepEqual(got, second) {
			t.Errorf("got %v want %v", got, second)
		}
		s.get(first["logo"].(string)).refused(404, "unrecognized-request-url", "")
		logo := s.get(second["logo"].(string))
		if config, err := png.DecodeConfig(bytes.NewReader(logo.body)); err != nil || config.Width != 20 || logo.status != 200 {
			t.Errorf("got %d with %v, want the logo for anybody", logo.status, err)
		}
		for name, want := range map[string]string{
			"Content-Type": "image/png", "X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": "*",
			"Cache-Control": "public, max-age=31536000, immutable",
		} {
			if got := logo.header.Get(name); got != want {
				t.Errorf("%s: got %q want %q", name, got, want)
			}
		}
		s.call("DELETE", path+"/logo", nil).want(204)
		s.call("DELETE", path+"/logo", nil).want(204)
		s.get(second["logo"].(string)).refused(404, "unrecognized-request-url", "")
		if got, there := s.call("GET", path, nil).want(200)["assets"]; there {
			t.Errorf("got %v want no assets", got)
		}
		s.sendFile(path+"/logo", "logo.png", pngFile(t, 8, 8)).want(201)
		s.call("DELETE", path, nil).want(204)
		if left := s.files(""); len(left) > 0 {
			t.Errorf("got %d files left behind, want none", len(left))
		}
	})
}

// get asks for an absolute address as anybody.
func (s *site) get(address string) *answer {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), "GET", address, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.send(r)
}

func TestLogosThatAreRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		path := "/players/" + s.call("POST", "/players", object{}).want(201)["playerId"].(string) + "/logo"
		s.sendFile(path, "a.png", pngFile(t, 201, 10)).refused(400, "uploaded-file-invalid-file", "file")
		s.sendFile(path, "a.png", pngFile(t, 10, 101)).refused(400, "uploaded-file-invalid-file", "file")
		s.sendFile(path, "a.png", append(pngFile(t, 10, 10), make([]byte, 100<<10)...)).refused(400, "uploaded-file-too-large", "file")
		s.sendFile(path, "a.svg", []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")).refused(400, "uploaded-file-extension-invalid", "file")
		for _, link := range []string{"javascript:alert(1)", "example.com", "data:text/html,x", "https://example.com/\xff"} {
			s.sendFile(path, "a.png", pngFile(t, 10, 10), "link", link).refused(400, "invalid-attribute", "link")
		}
		for _, file := range []string{"x", "x.png", "..%2F..%2Fwatermark", strings.Repeat("a", 22), strings.Repeat("a", 22) + ".png"} {
			s.get(s.url+"/logo/pl"+strings.Repeat("a", 22)+"/"+file).refused(404, "unrecognized-request-url", "")
		}
		if left := s.files(""); len(left) > 0 {
			t.Errorf("got %d files left behind, want none", len(left))
		}
	})
}
