package embed_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/internal/goldentest"
	"stoa/polls/embed"
)

func TestProblemPage(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	problem := embed.Problem{Lang: "de", Theme: "dark", Environment: "staging", Message: `No poll "<b>x</b>" here.`}
	if err := embed.RenderProblem(w, http.StatusNotFound, problem); err != nil {
		t.Fatal(err)
	}
	if w.Code != http.StatusNotFound {
		t.Errorf("got status %d want 404", w.Code)
	}
	if policy := w.Header().Get("Content-Security-Policy"); !strings.HasSuffix(policy, "frame-ancestors * file:") {
		t.Errorf("got policy %q, want one that lets any site frame the page", policy)
	}
	goldentest.Check(t, "testdata/problem.html.golden", markup(w.Body.String()))
}
