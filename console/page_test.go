package console

import (
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"stoa/internal/asset"
)

func TestPageOfABuildWithoutTheConsoleSaysSo(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	if err := writePage(w, asset.New(assetsPath, fstest.MapFS{}), pagePolicy("")); err != nil {
		t.Fatal(err)
	}
	if got := w.Body.String(); w.Code != 501 || !strings.Contains(got, "make build") || strings.Contains(got, "<script") {
		t.Errorf("got %d %s, want 501 and how to build it", w.Code, got)
	}
}

func TestPageNamesTheFilesOfTheBuild(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	build := asset.New(assetsPath, fstest.MapFS{script: {Data: []byte("1")}, style: {Data: []byte("a{}")}})
	if err := writePage(w, build, pagePolicy("https://video.test")); err != nil {
		t.Fatal(err)
	}
	if got := w.Body.String(); w.Code != 200 || !strings.Contains(got, build.Path(script)) || !strings.Contains(got, build.Path(style)) {
		t.Errorf("got %d %s, want the script and the style", w.Code, got)
	}
	policy := w.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'; script-src 'self'; style-src 'self';", "connect-src 'self' https://video.test;", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("got policy %q, want it to have %q", policy, want)
		}
	}
}
