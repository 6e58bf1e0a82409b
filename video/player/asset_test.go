package player_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"stoa/video/player"
)

func get(t *testing.T, address string, header ...string) *http.Response {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle(player.AssetsPattern, player.Assets())
	r := httptest.NewRequest(http.MethodGet, address, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w.Result()
}

func TestEveryAssetThatAPageNamesIsServed(t *testing.T) {
	t.Parallel()
	_, body := write(t, samplePage())
	addresses := regexp.MustCompile(`/player/[^"\\]+`).FindAllString(body, -1)
	if len(addresses) < 10 {
		t.Fatalf("got %d addresses in the page, want all modules: %v", len(addresses), addresses)
	}
	for _, address := range addresses {
		response := get(t, address)
		kind := response.Header.Get("Content-Type")
		if response.StatusCode != http.StatusOK || kind != "text/javascript; charset=utf-8" && kind != "text/css; charset=utf-8" && kind != "image/svg+xml" {
			t.Errorf("%s: got %s, %s", address, response.Status, kind)
		}
		if got, want := response.Header.Get("Cache-Control"), "public, max-age=31536000, immutable"; got != want {
			t.Errorf("%s: got Cache-Control %q, want %q", address, got, want)
		}
	}
}

func TestModulesImportWhatThereIs(t *testing.T) {
	t.Parallel()
	_, body := write(t, samplePage())
	for _, address := range regexp.MustCompile(`modulepreload" href="([^"]+)`).FindAllStringSubmatch(body, -1) {
		content, _ := io.ReadAll(get(t, address[1]).Body)
		for _, name := range regexp.MustCompile(`(?:from |import\()"\./([^"]+)"`).FindAllStringSubmatch(string(content), -1) {
			if response := get(t, "/player/any/"+name[1]); response.StatusCode != http.StatusOK {
				t.Errorf("%s imports %s: got %s", address[1], name[1], response.Status)
			}
		}
	}
}

func TestAssetOfAnotherBuildIsNotKept(t *testing.T) {
	t.Parallel()
	response := get(t, "/player/0000000000000000/player.css")
	if got := response.Header.Get("Cache-Control"); response.StatusCode != http.StatusOK || got != "no-cache" {
		t.Errorf("got %s, Cache-Control %q, want 200, no-cache", response.Status, got)
	}
}

func TestAssetIsSqueezedForThoseWhoTakeIt(t *testing.T) {
	t.Parallel()
	plain, _ := io.ReadAll(get(t, "/player/any/player.css").Body)
	response := get(t, "/player/any/player.css", "Accept-Encoding", "gzip, br")
	if got := response.Header.Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("got Content-Encoding %q, want gzip", got)
	}
	reader, err := gzip.NewReader(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if content, err := io.ReadAll(reader); err != nil || string(content) != string(plain) {
		t.Errorf("got other content than without gzip (%v)", err)
	}
}

func TestUnknownAssetIsNotFound(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"none.js", ".gitignore", "page.go", "..%2Fpage.go"} {
		if response := get(t, "/player/any/"+name); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: got %s, want 404", name, response.Status)
		}
	}
}

// The page is light: all but hls.js, which comes only when somebody wants to play.
func TestOwnAssetsAreLight(t *testing.T) {
	t.Parallel()
	_, body := write(t, samplePage())
	sum := int64(len(body))
	for _, address := range regexp.MustCompile(`(?:modulepreload|stylesheet)" href="([^"]+)`).FindAllStringSubmatch(body, -1) {
		sum += get(t, address[1], "Accept-Encoding", "gzip").ContentLength
	}
	if sum > 48<<10 {
		t.Errorf("got %d bytes before anything plays, want at most 48 KiB", sum)
	}
}

func TestMissingSaysWhatToDo(t *testing.T) {
	t.Parallel()
	_, body := write(t, samplePage())
	missing := player.Missing()
	if got := strings.Contains(body, `"engine":""`); got != (missing != "") {
		t.Errorf("got a page without hls.js %v, with Missing %q", got, missing)
	}
	if missing != "" && !strings.Contains(missing, "scripts/player.sh") {
		t.Errorf("got %q, want the script that brings hls.js", missing)
	}
}
