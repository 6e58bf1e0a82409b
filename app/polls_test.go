package app_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"stoa/app"
	"stoa/internal/db/dbtest"
	"stoa/polls"
)

// The ports of the polls.
const (
	web     = "web"
	staging = "web of staging"
)

// pollSettings is polls in a folder, on a free port, without limits.
func pollSettings(data string) app.Settings {
	return app.Settings{
		Storage: app.Storage{Data: data, SecondListen: "off"}, Listen: "127.0.0.1:0", VideoListen: "127.0.0.1:0", Limits: "off",
		Polls: polls.Config{Rules: "default", Streams: 100},
	}
}

// bothSettings is the same in two environments.
func bothSettings(data string) app.Settings {
	settings := pollSettings(data)
	settings.SecondListen, settings.SecondVideoListen = "127.0.0.1:0", "127.0.0.1:0"
	return settings
}

// startPolls serves polls and waits until they can be called.
func startPolls(t *testing.T, settings app.Settings, set environ) *process {
	t.Helper()
	p := newProcess(t)
	p.run(settings, set, []string{"polls"})
	p.address(web)
	return p
}

// api calls the API of an environment. Parameters go as a form, or in the query.
func (p *process) api(port, method, path string, params url.Values) answer {
	p.t.Helper()
	target := "http://" + p.address(port) + "/api/v4" + path
	if method == http.MethodGet {
		return fetch(p.t, method, target+"?"+params.Encode(), "")
	}
	return fetch(p.t, method, target, params.Encode())
}

// member is a text in a JSON object.
func member(t *testing.T, got answer, name string) string {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(got.body), &object); err != nil || got.code >= 300 {
		t.Fatalf("got %d %s, want an object", got.code, got.body)
	}
	return fmt.Sprint(object[name])
}

var shownPassword = regexp.MustCompile(`(\w+) is empty, [^~]*?address +(\S+)/login\s+username +(\S+)\s+password +(\S+)\s`)

// operators is the accounts that a process has shown: passwords by environment.
func (p *process) operators() map[string]string {
	all := map[string]string{}
	for _, m := range shownPassword.FindAllStringSubmatch(p.log.String(), -1) {
		all[m[1]] = m[4]
	}
	return all
}

func (p *process) login(port, username, password string) answer {
	p.t.Helper()
	return p.api(port, http.MethodPost, "/users/authenticate", url.Values{"email_or_username": {username}, "password": {password}})
}

func TestPollsAlone(t *testing.T) {
	t.Parallel()
	p := startPolls(t, bothSettings(t.TempDir()), nil)
	for _, port := range []string{web, staging} {
		for _, path := range []string{"/healthz", "/readyz"} {
			got := p.get(port, path)
			if got.code != http.StatusOK || got.body != "OK" {
				t.Errorf("%s of %s: got %d %q, want 200 OK", path, port, got.code, got.body)
			}
			want := map[string]string{web: "", staging: "staging"}[port]
			if name := got.header.Get("X-Environment"); name != want {
				t.Errorf("%s of %s: got X-Environment %q, want %q", path, port, name, want)
			}
		}
	}
	if got := p.get("debug", "/readyz"); got.code != http.StatusOK {
		t.Errorf("/readyz of the debug port: got %d %q, want 200", got.code, got.body)
	}
	if p.open("http") != "" || p.open("grpc") != "" {
		t.Error("the ports of the rate limit service are open")
	}
	for _, path := range []string{"/metrics", "/debug/pprof/", "/stats"} {
		if got := p.get(web, path); got.code != http.StatusNotFound {
			t.Errorf("%s of the listener for people: got %d, want 404", path, got.code)
		}
	}
}

func TestRequestsAreCountedByRoute(t *testing.T) {
	t.Parallel()
	p := startPolls(t, bothSettings(t.TempDir()), nil)
	p.get(web, "/api/v4/polls/1")
	p.get(web, "/api/v4/polls/2")
	p.get(staging, "/api/v4/polls/1")
	fetch(t, http.MethodPost, "http://"+p.address(web)+"/v1/slp/balance", "{}")
	metrics := p.get("debug", "/metrics").body
	for _, want := range []string{
		`stoa_http_requests{environment="production",room="polls",route="GET /api/v4/polls/{poll_id}",status="4xx"} 2`,
		`stoa_http_requests{environment="staging",room="polls",route="GET /api/v4/polls/{poll_id}",status="4xx"} 1`,
		`stoa_http_requests{environment="production",room="polls",route="unknown",status="4xx"} 1`,
		`stoa_http_response_time_seconds_count{environment="production",room="polls",route="GET /api/v4/polls/{poll_id}"} 2`,
		`stoa_http_in_flight{environment="production",room="polls"} 0`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
}

func TestRatelimitAloneKeepsNothing(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p := newProcess(t)
	p.run(bothSettings(data), environ{"RUNTIME_ROOT": t.TempDir()}, []string{"ratelimit"})
	p.address("grpc")
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("got %v for the data folder, want that it is not there", err)
	}
}

func TestEverythingTogether(t *testing.T) {
	t.Parallel()
	p := newProcess(t)
	p.run(bothSettings(t.TempDir()), nil, nil)
	for _, port := range []string{"debug", "http", "grpc", web, staging} {
		p.address(port)
	}
	if err := p.stop(); err != nil {
		t.Errorf("got %v at the end, want nil", err)
	}
}

func TestOperatorIsShownOnce(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := startPolls(t, bothSettings(data), nil)
	p.address(staging)
	shown := p.operators()
	if len(shown) != 2 || shown["production"] == shown["staging"] {
		t.Fatalf("got %d accounts, want one with a password of its own for each environment", len(shown))
	}
	if got := p.login(web, "operator", shown["production"]); got.code != http.StatusOK {
		t.Errorf("log in: got %d %s, want 200", got.code, got.body)
	}
	if got := p.login(staging, "operator", shown["production"]); got.code != http.StatusUnauthorized {
		t.Errorf("log in to staging with the password of production: got %d, want 401", got.code)
	}
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	again := startPolls(t, bothSettings(data), nil)
	again.address(staging)
	if got := again.operators(); len(got) != 0 {
		t.Errorf("got %d accounts at the second start, want none", len(got))
	}
	if got := again.login(web, "operator", shown["production"]); got.code != http.StatusOK {
		t.Errorf("log in after a restart: got %d %s, want 200", got.code, got.body)
	}
}

func TestProcessesThatStartAtOnceMakeOneOperator(t *testing.T) {
	t.Parallel()
	settings := pollSettings(t.TempDir())
	settings.DB, settings.Secret = app.Database(dbtest.Postgres(t)), "the same for all"
	var all [3]*process
	for i := range all {
		all[i] = newProcess(t)
		all[i].run(settings, nil, []string{"polls"})
	}
	shown := 0
	for _, p := range all {
		p.address(web)
		shown += len(p.operators())
	}
	if shown != 1 {
		t.Errorf("got %d accounts shown, want 1", shown)
	}
}

func TestEnvironmentsRefuseEachOthersThings(t *testing.T) {
	t.Parallel()
	settings := bothSettings(t.TempDir())
	settings.Secret = "the same for both"
	p := startPolls(t, settings, nil)
	p.address(staging)
	token := member(t, p.login(web, "operator", p.operators()["production"]), "authToken")
	viewer := member(t, p.api(web, http.MethodGet, "/users/me", nil), "anonymousUserID")
	for _, test := range []struct{ name, value string }{{"auth_token", token}, {"anonymous_user_id", viewer}} {
		params := url.Values{test.name: {test.value}}
		if got := p.api(web, http.MethodGet, "/users/me", params); got.code != http.StatusOK {
			t.Errorf("%s at home: got %d %s, want 200", test.name, got.code, got.body)
		}
		if got := p.api(staging, http.MethodGet, "/users/me", params); got.code != http.StatusUnauthorized {
			t.Errorf("%s in staging: got %d %s, want 401", test.name, got.code, got.body)
		}
	}
	if got := member(t, p.api(web, http.MethodGet, "/users/me", url.Values{"anonymous_user_id": {viewer}}), "anonymousUserID"); got != viewer {
		t.Errorf("got %s, want the same id", got)
	}
}

func TestSecondEnvironmentNeedsItsOwnServer(t *testing.T) {
	t.Parallel()
	settings := bothSettings(t.TempDir())
	settings.DB = app.Database(dbtest.Postgres(t))
	p := startPolls(t, settings, nil)
	p.log.has(t, "there is no environment staging: db is in PostgreSQL and second_db names no database")
	if err := p.stop(); err != nil || p.open(staging) != "" {
		t.Errorf("got %v and staging at %q, want none", err, p.open(staging))
	}
	settings.SecondDB = app.Database(dbtest.Postgres(t))
	startPolls(t, settings, nil).address(staging)
}

func TestSecondEnvironmentOff(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	settings := pollSettings(data)
	p := startPolls(t, settings, nil)
	if err := p.stop(); err != nil || p.open(staging) != "" {
		t.Errorf("got %v and staging at %q, want none", err, p.open(staging))
	}
	if _, err := os.Stat(filepath.Join(data, "staging")); !os.IsNotExist(err) {
		t.Errorf("got %v for the folder of staging, want that it is not there", err)
	}
}

func TestDataFolderIsPrivate(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p := startPolls(t, bothSettings(data), nil)
	p.address(staging)
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 && (d.IsDir() && path == data || filepath.Base(path) == "secret" || strings.Contains(path, "stoa.db")) {
			t.Errorf("%s is open to others: %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestOtherSecretIsRefused(t *testing.T) {
	t.Parallel()
	settings := pollSettings(t.TempDir())
	settings.Secret = "the first of two secrets"
	if err := startPolls(t, settings, nil).stop(); err != nil {
		t.Fatal(err)
	}
	settings.Secret = "the second of two secrets"
	p := newProcess(t)
	p.run(settings, nil, []string{"polls"})
	p.wait()
	if p.err == nil || !strings.Contains(p.err.Error(), "STOA_SECRET") {
		t.Errorf("got %v, want that it names STOA_SECRET", p.err)
	}
}

func TestSecondServerOnAFileIsRefused(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	first := startPolls(t, bothSettings(data), nil)
	first.address(staging)
	second := newProcess(t)
	settings := bothSettings(data)
	second.run(settings, nil, []string{"polls"})
	second.wait()
	if second.err == nil || !strings.Contains(second.err.Error(), "is served by another process") {
		t.Errorf("got %v, want that another process serves the file", second.err)
	}
	if got := first.get(web, "/readyz"); got.code != http.StatusOK {
		t.Errorf("the first one: got %d, want 200", got.code)
	}
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	startPolls(t, bothSettings(data), nil)
}

func TestStopBeforeAllIsOpen(t *testing.T) {
	t.Parallel()
	for range 5 {
		p := newProcess(t)
		p.run(bothSettings(t.TempDir()), nil, []string{"polls"})
		p.address("debug")
		if err := p.stop(); err != nil {
			t.Errorf("got %v, want nil", err)
		}
	}
}

// A command does not make the secret that servers would then have to know.
func TestCommandOnAServersDatabaseNeedsItsSecret(t *testing.T) {
	t.Parallel()
	o := app.Operator{Storage: app.Storage{Data: t.TempDir(), DB: app.Database(dbtest.Postgres(t)), Secret: "the same for all"}, Environment: "production", Stderr: t.Output()}
	if err := app.Migrate(t.Context(), o.Storage, nil, t.Output(), func(string, int) {}); err != nil {
		t.Fatal(err)
	}
	nothing := func(*polls.Service) error { return nil }
	o.Storage.Secret = ""
	if err := o.Polls(t.Context(), nothing); err == nil || !strings.Contains(err.Error(), "set STOA_SECRET") {
		t.Errorf("got %v want that it asks for the secret", err)
	}
	o.Storage.Secret = "the same for all"
	if err := o.Polls(t.Context(), nothing); err != nil {
		t.Error(err)
	}
}
