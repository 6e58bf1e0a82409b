package pages_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"stoa/polls/pages"
)

func TestPagesNameOnlyAssetsThatExist(t *testing.T) {
	t.Parallel()
	server := serve(t)
	seen := map[string]bool{}
	for _, v := range views {
		for _, name := range regexp.MustCompile(`"(/assets/[^"]+)"`).FindAllStringSubmatch(render(t, production, v), -1) {
			seen[name[1]] = true
		}
	}
	if len(seen) == 0 {
		t.Fatal("got no assets in the pages")
	}
	for name := range seen {
		if status := get(t, server+name, nil).StatusCode; status != http.StatusOK {
			t.Errorf("got status %d for %s, want 200", status, name)
		}
	}
}

func TestModulesImportOnlyModulesThatExist(t *testing.T) {
	t.Parallel()
	server := serve(t)
	for _, file := range files(t) {
		content, err := os.ReadFile("assets/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`(?m)^import .*"\./(.+)";`).FindAllStringSubmatch(string(content), -1) {
			if status := get(t, server+pages.AssetPath(name[1]), nil).StatusCode; status != http.StatusOK {
				t.Errorf("got status %d for %s, which %s imports", status, name[1], file)
			}
		}
	}
}

func TestAssetsOfThisBuildAreKeptForEver(t *testing.T) {
	t.Parallel()
	server := serve(t)
	for address, want := range map[string]string{
		pages.AssetPath("site.js"):     "public, max-age=31536000, immutable",
		"/assets/0123456789ab/site.js": "no-cache",
	} {
		r := get(t, server+address, nil)
		if got := r.Header.Get("Cache-Control"); got != want || r.StatusCode != http.StatusOK {
			t.Errorf("got status %d, Cache-Control %q for %s, want 200 and %q", r.StatusCode, got, address, want)
		}
		if got := r.Header.Get("Content-Type"); got != "text/javascript; charset=utf-8" {
			t.Errorf("got Content-Type %q for %s, want that of a module", got, address)
		}
	}
}

func TestUnknownAssetIsNotFound(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"nothing.js", "..%2Fsite.go", "%2e%2e"} {
		if status := get(t, serve(t)+pages.AssetPath("")+"/"+name, nil).StatusCode; status != http.StatusNotFound {
			t.Errorf("got status %d for %s, want 404", status, name)
		}
	}
}

func TestAssetsAreLight(t *testing.T) {
	t.Parallel()
	const bound = 40 << 10 // bytes, compressed, all pages together
	server, total := serve(t), 0
	for _, file := range files(t) {
		r := get(t, server+pages.AssetPath(file), http.Header{"Accept-Encoding": {"gzip"}})
		total += int(r.ContentLength)
		plain, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		if content, err := io.ReadAll(plain); err != nil || len(content) == 0 {
			t.Errorf("got %d bytes, error %v for %s", len(content), err, file)
		}
	}
	if total > bound {
		t.Errorf("got %d bytes of assets, want at most %d", total, bound)
	}
}

// Addresses in styles and modules lead to this site only.
func TestAssetsNameNoOtherSite(t *testing.T) {
	t.Parallel()
	for _, file := range files(t) {
		content, err := os.ReadFile("assets/" + file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(content), "http://www.w3.org/2000/svg", "")
		if strings.Contains(text, "http://") || strings.Contains(text, "https://") {
			t.Errorf("got an address of another site in %s", file)
		}
	}
}

func files(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("assets")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, path.Base(e.Name()))
	}
	return names
}

func serve(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle(pages.AssetsPattern, pages.Assets())
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func get(t *testing.T, address string, header http.Header) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		request.Header = header
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}
