package video_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
)

// anyDatabase is for tests of what does not depend on the engine.
func anyDatabase(t testing.TB) *db.DB {
	t.Helper()
	d := dbtest.Open(t, dbtest.SQLite(t))
	migrate(t, d)
	return d
}

func TestDocsShowEveryOperation(t *testing.T) {
	t.Parallel()
	s := newSite(t, anyDatabase(t))
	a := s.callAs("", "GET", "/docs", nil)
	if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		t.Fatalf("got %d %s want a page", a.status, a.header.Get("Content-Type"))
	}
	page := string(a.body)
	if strings.Contains(page, "video.example") || !strings.Contains(page, "curl "+s.url+"/videos") {
		t.Error("got examples for another site, want them for this one")
	}
	for _, item := range described().Root["paths"].(object) {
		for method, operation := range item.(object) {
			if method == "parameters" {
				continue
			}
			if id := operation.(object)["operationId"].(string); !strings.Contains(page, `<h3 id="`+id+`">`) {
				t.Errorf("got no heading for %s", id)
			}
		}
	}
}

func TestOpenAPIIsServedToToolsOnAnySite(t *testing.T) {
	t.Parallel()
	s := newSite(t, anyDatabase(t))
	inYAML, inJSON := s.callAs("", "GET", "/docs/openapi.yaml", nil), s.callAs("", "GET", "/docs/openapi.json", nil)
	for _, a := range []*answer{inYAML, inJSON} {
		if got := a.header.Get("Access-Control-Allow-Origin"); a.status != http.StatusOK || got != "*" {
			t.Errorf("got %d for origin %q want 200 for any", a.status, got)
		}
	}
	var one object
	if err := yaml.Unmarshal(inYAML.body, &one); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(one) // which has one kind of number
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := json.Unmarshal(again, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(inJSON.body, &b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("YAML and JSON differ:\n%s", diff)
	}
}
