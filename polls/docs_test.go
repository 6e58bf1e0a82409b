package polls_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"golang.org/x/net/html"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/polls"
)

// anyDatabase is for tests of what does not depend on the engine.
func anyDatabase(t testing.TB) *db.DB {
	t.Helper()
	d := dbtest.Open(t, dbtest.SQLite(t))
	if err := d.Migrate(t.Context(), polls.Room, polls.Migrations()); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDocsShowEveryOperation(t *testing.T) {
	t.Parallel()
	s := newSite(t, anyDatabase(t))
	a := s.send("GET", "/docs", nil, nil)
	if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		t.Fatalf("got %d %s want a page", a.status, a.header.Get("Content-Type"))
	}
	if strings.Contains(string(a.body), "polls.example") {
		t.Error("got examples for another site, want them for this one")
	}
	headings := map[string]bool{}
	tree, err := html.Parse(strings.NewReader(string(a.body)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range tree.Descendants() {
		for _, attribute := range n.Attr {
			if n.Data == "h3" && attribute.Key == "id" {
				headings[attribute.Val] = true
			}
		}
	}
	for _, item := range described().Root["paths"].(object) {
		for method, operation := range item.(object) {
			if method != "parameters" && !headings[operation.(object)["operationId"].(string)] {
				t.Errorf("got no heading for %s", operation.(object)["operationId"])
			}
		}
	}
}

func TestOpenAPIIsServedToToolsOnAnySite(t *testing.T) {
	t.Parallel()
	s := newSite(t, anyDatabase(t))
	inYAML, inJSON := s.send("GET", "/openapi/polls.yaml", nil, nil), s.send("GET", "/openapi/polls.json", nil, nil)
	for _, a := range []answer{inYAML, inJSON} {
		if got := a.header.Get("Access-Control-Allow-Origin"); a.status != http.StatusOK || got != "*" {
			t.Errorf("got %d for origin %q want 200 for any", a.status, got)
		}
	}
	var one, other any
	if err := yaml.Unmarshal(inYAML.body, &one); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(inJSON.body, &other); err != nil {
		t.Fatal(err)
	}
	// Both through JSON, which has one kind of number.
	again, err := json.Marshal(one)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again, &one); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(one, other); diff != "" {
		t.Errorf("YAML and JSON differ:\n%s", diff)
	}
}
