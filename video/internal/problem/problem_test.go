package problem_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"stoa/internal/fault"
	"stoa/video/internal/problem"
)

const base = "https://docs.api.video/reference/"

func TestErrorsOnTheWire(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		err        error
		wantStatus int
		want       string
	}{
		{
			"an attribute, alone in its problems", problem.Attribute("title", "Give a %s.", "title"), 400,
			`{"type":"` + base + `invalid-attribute","title":"An attribute is invalid.","status":400,"name":"title","detail":"Give a title.",` +
				`"problems":[{"type":"` + base + `invalid-attribute","title":"An attribute is invalid.","status":400,"name":"title","detail":"Give a title."}]}`,
		},
		{
			"several, the first repeated at the top", problem.All(nil, problem.Required("a"), problem.InvalidPayload, problem.Required("a")), 400,
			`{"type":"` + base + `attribute-required","title":"An attribute is required.","status":400,"name":"a","detail":"Give the attribute \"a\".",` +
				`"problems":[{"type":"` + base + `attribute-required","title":"An attribute is required.","status":400,"name":"a","detail":"Give the attribute \"a\"."},` +
				`{"type":"` + base + `invalid-payload","title":"The body of the request cannot be read as JSON.","status":400}]}`,
		},
		{
			"a query parameter has no problems", problem.Query("from", "Give a time & zone."), 400,
			`{"type":"` + base + `request-invalid-query-parameter","title":"A query parameter is invalid.","status":400,"name":"from","detail":"Give a time & zone."}`,
		},
		{
			"a resource that is not there", fmt.Errorf("read: %w", problem.NotFound("videoId")), 404,
			`{"type":"` + base + `resource-not-found","title":"The requested resource was not found.","status":404,"name":"videoId"}`,
		},
		{
			"a path that is not there", problem.Unrecognized(), 404,
			`{"type":"` + base + `unrecognized-request-url","title":"Unrecognized request URL.","status":404}`,
		},
		{
			"a 403 has a name, if only null", problem.Suspended, 403,
			`{"type":"` + base + `authorization-suspended-account","title":"This account is suspended: ask the operator of the service.","status":403,"name":null}`,
		},
		{
			"too many requests", problem.TooManyRequests, 429,
			`{"type":"` + base + `too-many-requests","title":"Too many requests.","status":429}`,
		},
		{
			"a fault of the caller", fault.New(fault.Invalid, "change it"), 400,
			`{"type":"` + base + `invalid-attribute","title":"An attribute is invalid.","status":400,"detail":"change it",` +
				`"problems":[{"type":"` + base + `invalid-attribute","title":"An attribute is invalid.","status":400,"detail":"change it"}]}`,
		},
		{
			"something not found", fault.New(fault.NotFound, "no such object"), 404,
			`{"type":"` + base + `resource-not-found","title":"The requested resource was not found.","status":404}`,
		},
		{
			"something that works later", fault.New(fault.Unavailable, "come back"), 503,
			`{"type":"` + base + `service-unavailable","title":"The service cannot answer now: try again later.","status":503,"detail":"come back"}`,
		},
		{
			"a body beyond its limit", fmt.Errorf("read: %w", &http.MaxBytesError{Limit: 9}), 400,
			`{"type":"` + base + `invalid-payload","title":"The body of the request cannot be read as JSON.","status":400,"detail":"Send at most 9 bytes.",` +
				`"problems":[{"type":"` + base + `invalid-payload","title":"The body of the request cannot be read as JSON.","status":400,"detail":"Send at most 9 bytes."}]}`,
		},
		{
			"an accident tells nothing", errors.New("password is 1234"), 500,
			`{"type":"` + base + `internal-error","title":"An internal error occurred: try again later.","status":500}`,
		},
		{
			"a client that has gone", fmt.Errorf("query: %w", context.Canceled), 499,
			`{"type":"` + base + `request-cancelled","title":"The request was cancelled.","status":499}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			status := problem.Write(w, test.err)
			if got := w.Body.String(); status != test.wantStatus || w.Code != status || got != test.want+"\n" {
				t.Errorf("got %d (%d) %s, want %d %s", status, w.Code, got, test.wantStatus, test.want)
			}
			if got := w.Header()["Content-Type"]; len(got) != 1 || got[0] != "application/json" {
				t.Errorf("got content type %q, want application/json alone", got)
			}
		})
	}
}

func TestAnErrorHasNoHeadersOfAnotherBody(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	for _, name := range []string{"ETag", "Content-Encoding", "Content-Range", "Last-Modified"} {
		w.Header().Set(name, "x")
	}
	w.Header().Set("Content-Length", "99999")
	w.Header().Set("Cache-Control", "immutable")
	w.Header().Set("X-Environment", "staging")
	problem.Write(w, problem.NotFound("videoId"))
	want := http.Header{
		"Content-Type": {"application/json"}, "Cache-Control": {"no-store"}, "X-Environment": {"staging"},
		"Content-Length": {fmt.Sprint(w.Body.Len())},
	}
	if got := w.Header(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got headers %v, want %v", got, want)
	}
}

func TestNoProblemIsNoError(t *testing.T) {
	t.Parallel()
	if err := problem.All(nil, nil); err != nil {
		t.Errorf("got %v, want nil", err)
	}
}

func TestDeclaredErrorsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	_ = problem.All(problem.FileEmpty.WithName("other").WithDetail("Send more."))
	if e := problem.FileEmpty; e.Name != "file" || e.Detail != "" || e.Problems != nil {
		t.Errorf("got %+v, want it as declared", e)
	}
	if err := fmt.Errorf("upload: %w", problem.FileEmpty.WithDetail("Send more.")); !errors.Is(err, problem.FileEmpty) || errors.Is(err, problem.NoFile) {
		t.Errorf("got another kind, want %v to be uploaded-file-empty only", err)
	}
}

func TestJSONThatCannotBeEncodedWritesNothing(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	if err := problem.JSON(w, http.StatusOK, func() {}); err == nil || w.Body.Len() > 0 || len(w.Header()) > 0 {
		t.Errorf("got error %v, headers %v and body %q, want an error alone", err, w.Header(), w.Body)
	}
}
