package console_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"stoa/console"
	"stoa/internal/stats"
)

type route struct{ method, path string }

var parameter = regexp.MustCompile(`\{[\w.]+\}`) // its name does not matter

// forAll are routes that are no part of the API: the page, and its description.
var forAll = regexp.MustCompile(`^GET /(console(/|$)|api/operator/(docs|openapi))`)

// operatorRoutes is every route of the API, with 1 for its parameters.
func operatorRoutes() []route {
	var all []route
	for _, pattern := range console.Patterns() {
		if !forAll.MatchString(pattern) {
			method, path, _ := strings.Cut(parameter.ReplaceAllString(pattern, "1"), " ")
			all = append(all, route{method, path})
		}
	}
	return all
}

func newRecorded(t *testing.T, method, path string) (*http.Request, *httptest.ResponseRecorder) {
	return httptest.NewRequestWithContext(t.Context(), method, path, nil), httptest.NewRecorder()
}

func TestRoutesAndDescriptionAgree(t *testing.T) {
	t.Parallel()
	var offered, operations []string
	for _, pattern := range console.Patterns() {
		offered = append(offered, parameter.ReplaceAllString(pattern, "{}"))
	}
	for _, operation := range described().Operations() {
		operations = append(operations, parameter.ReplaceAllString(operation, "{}"))
	}
	for _, route := range offered {
		if !forAll.MatchString(route) && !slices.Contains(operations, route) {
			t.Errorf("openapi.yaml does not describe %s", route)
		}
	}
	for _, operation := range operations {
		if !slices.Contains(offered, operation) {
			t.Errorf("openapi.yaml describes %s, which is not offered", operation)
		}
	}
}

func TestUnknownAddressesAndMethods(t *testing.T) {
	t.Parallel()
	h := console.New(console.Options{Origin: "http://polls.test", Stats: stats.NewRegistry()}).Handler()
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/api/operator", 404},
		{"GET", "/api/operator/nothing", 404},
		{"DELETE", "/api/operator/session", 405},
		{"POST", "/console", 405},
	} {
		r, w := newRecorded(t, c.method, c.path)
		h.ServeHTTP(w, r)
		answer{t, w.Code, w.Header(), w.Body.Bytes()}.refused(c.status, map[int]string{404: "not_found", 405: "method_not_allowed"}[c.status])
	}
}
