package wire_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/polls/internal/wire"
)

var page = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = io.WriteString(w, "<p>nothing here</p>")
})

func notFound(method, target, accept string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(method, target, nil)
	r.Header.Set("Accept", accept)
	wire.NotFound(page).ServeHTTP(w, r)
	return w
}

func TestUnknownPathIsPlainlyNotFound(t *testing.T) {
	t.Parallel()
	const want = `{"status":404,"message":"Not Found"}`
	for _, test := range []struct{ method, path, accept string }{
		{"POST", "/balance/list", ""}, {"POST", "/v2/balance/list/?a=1", "text/html"}, {"DELETE", "/x", "text/html"}, {"OPTIONS", "/x", ""},
		{"GET", "/x", ""}, {"GET", "/x", "*/*"}, {"GET", "/x", "application/json"}, {"GET", "/x", "text/html;q=0, */*"}, {"GET", "/x", "text/html; level=1; Q=0.0"},
		{"GET", "/apis", ""}, {"GET", "/storages", ""},
	} {
		w := notFound(test.method, test.path, test.accept)
		h := w.Header()
		if w.Code != 404 || w.Body.String() != want || h.Get("Content-Type") != "application/json; charset=utf-8" || h.Get("Allow") != "" {
			t.Errorf("%v: got %d %v %s, want 404 %s", test, w.Code, h, w.Body, want)
		}
	}
}

func TestPeopleGetAPage(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"GET", "HEAD"} {
		for _, accept := range []string{"text/html", "application/xml;q=0.9, Text/HTML ;q=0.8", "text/html;q=x"} {
			if w := notFound(method, "/x", accept); w.Code != 404 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
				t.Errorf("%s %q: got %d %v, want 404 and a page", method, accept, w.Code, w.Header())
			}
		}
	}
}

func TestUnknownPathInTheAPI(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ path, code, message string }{
		{"/api/v3/polls", "unknown_version", "API version v3 is not offered; use v4"},
		{"/api/v3", "unknown_version", "API version v3 is not offered; use v4"},
		{"/api/V4/polls", "unknown_version", "API version V4 is not offered; use v4"},
		{"/api/%22%3Cb%3E/polls", "unknown_version", "this API version is not offered; use v4"},
		{"/api/" + strings.Repeat("v", 1000), "unknown_version", "this API version is not offered; use v4"},
		{"/api/v4/nothing", "not_found", "the API has nothing at this path"},
		{"/api/v4//polls", "not_found", "the API has nothing at this path"},
		{"/api/v4/v3/polls", "not_found", "the API has nothing at this path"},
		{"/api/operator/nothing", "not_found", "the API has nothing at this path"},
		{"/api/../polls", "not_found", "the API has nothing at this path"},
		{"/api", "not_found", "the API has nothing at this path"},
		{"/api/", "not_found", "the API has nothing at this path"},
		{"/storage/other", "not_found", "there is nothing at this path"},
	} {
		want := `{"success":false,"error":{"code":"` + test.code + `","message":"` + test.message + `","field":null}}`
		for _, method := range []string{"GET", "POST"} {
			if w := notFound(method, test.path, "text/html"); w.Code != 404 || w.Body.String() != want {
				t.Errorf("%s %.40s: got %d %s, want %s", method, test.path, w.Code, w.Body, want)
			}
		}
	}
}

func TestUnknownPathIsAnsweredBeforeTheBodyComes(t *testing.T) {
	t.Parallel()
	status, answer := talk(t, wire.NotFound(page), "POST /balance/list HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
	if status != 404 || answer != `{"status":404,"message":"Not Found"}` {
		t.Errorf("got %d %s, want the plain 404", status, answer)
	}
}

func TestWrongMethodNamesTheRightOnes(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	wire.MethodNotAllowed(w, httptest.NewRequest("PUT", "/api/v4/polls", nil), "GET, HEAD, POST")
	if w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD, POST" || !strings.Contains(w.Body.String(), `"method_not_allowed"`) {
		t.Errorf("got %d %v %s, want 405 with Allow", w.Code, w.Header(), w.Body)
	}
}
