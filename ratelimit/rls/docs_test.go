package rls_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"stoa/internal/exampletest"
	"stoa/internal/openapitest"
	"stoa/ratelimit/rls"
)

func newPort(t *testing.T) *httptest.Server {
	t.Helper()
	service := newService(t, rls.Config{}, "domain: shop\ndescriptors: [{key: path, descriptors: [{key: user, rate_limit: {unit: minute, requests_per_unit: 3}}]}]")
	mux := http.NewServeMux()
	for _, r := range service.HTTPRoutes() {
		mux.HandleFunc(r.Path, r.Serve)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func TestExamplesOfTheDocsWereRun(t *testing.T) {
	t.Parallel()
	server := newPort(t)
	answer, err := server.Client().Get(server.URL + "/docs")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	story := exampletest.Read(t, page, t.TempDir())
	story.Swap("http://localhost:8080", server.URL)
	story.Object("shouldRateLimit")
	if got := string(story.Tell("getHealth")); got != "OK" {
		t.Errorf("got %q want OK", got)
	}
	story.End()
}

func TestRoutesAndDescriptionAgree(t *testing.T) {
	t.Parallel()
	var offered, described []string
	for _, r := range newService(t, rls.Config{}, "domain: shop").HTTPRoutes() {
		if !strings.HasPrefix(r.Path, "/docs") {
			offered = append(offered, r.Path)
		}
	}
	for _, operation := range openapitest.Load("openapi.yaml").Operations() {
		_, path, _ := strings.Cut(operation, " ")
		described = append(described, path)
	}
	slices.Sort(offered)
	slices.Sort(described)
	if !slices.Equal(offered, described) {
		t.Errorf("got %q described want %q", described, offered)
	}
}
