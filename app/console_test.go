package app_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// session asks a console who its operator is.
func (p *process) session(port, token string) answer {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, "http://"+p.address(port)+"/api/operator/session", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer w.Body.Close()
	body, err := io.ReadAll(w.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer{code: w.StatusCode, header: w.Header, body: string(body)}
}

func TestEachEnvironmentHasAConsoleForItsOwnOperators(t *testing.T) {
	t.Parallel()
	p := startPolls(t, bothSettings(t.TempDir()), nil)
	p.address(staging)
	passwords := p.operators()
	tokens := map[string]string{
		web:     member(t, p.login(web, "operator", passwords["production"]), "authToken"),
		staging: member(t, p.login(staging, "operator", passwords["staging"]), "authToken"),
	}
	for port, environment := range map[string]string{web: "production", staging: "staging"} {
		if got := p.session(port, tokens[port]); member(t, got, "environment") != environment {
			t.Errorf("%s: got %s, want %s", port, got.body, environment)
		}
		for other, token := range tokens {
			if other != port && p.session(port, token).code != http.StatusUnauthorized {
				t.Errorf("%s lets in the operator of %s, want 401", port, other)
			}
		}
	}
}

func TestConsoleStandsBesideThePages(t *testing.T) {
	t.Parallel()
	p := startPolls(t, pollSettings(t.TempDir()), nil)
	for _, path := range []string{"/console", "/console/system/jobs"} {
		got := p.get(web, path)
		if !strings.Contains(got.body, "<title>Stoa console</title>") || !strings.Contains(got.header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: got %d %s, want the console", path, got.code, got.body)
		}
	}
	if got := p.get(web, "/consoles"); got.code != http.StatusNotFound || strings.Contains(got.body, "console</title>") {
		t.Errorf("/consoles: got %d, want the 404 of the pages", got.code)
	}
}
