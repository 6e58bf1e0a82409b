package console_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/console"
	"stoa/internal/blob/memory"
	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/jobs"
	"stoa/internal/openapitest"
	"stoa/internal/secret"
	"stoa/internal/stats"
	"stoa/polls"
	"stoa/video"
	"stoa/video/analytics"
)

// described is the description of the API.
var described = sync.OnceValue(func() *openapitest.Description { return openapitest.Load("openapi.yaml") })

// passwords are checked a few at a time, over all tests.
var passwords = polls.NewPasswords()

// desk is a console with its rooms behind a real listener, and the token of an operator.
type desk struct {
	t      testing.TB
	polls  *polls.Service
	video  *video.Service
	queue  *jobs.Queue
	server *httptest.Server
	token  string
}

// eachEngine runs a test on both databases.
func eachEngine(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Parallel()
	dbtest.Each(t, polls.Room, polls.Migrations(), func(t *testing.T, d *db.DB) {
		for room, files := range map[string]fs.FS{video.Room: video.Migrations(), jobs.Room: jobs.Migrations(), analytics.Room: analytics.Migrations()} {
			if err := d.Migrate(t.Context(), room, files); err != nil {
				t.Fatal(err)
			}
		}
		test(t, d)
	})
}

// newDesk opens a console on a database; change may adapt what it is made of.
func newDesk(t testing.TB, d *db.DB, change ...func(*console.Options)) *desk {
	t.Helper()
	box, err := secret.New("the secret of the tests")
	if err != nil {
		t.Fatal(err)
	}
	log, blobs, registry := slog.New(slog.NewTextHandler(t.Output(), nil)), memory.New(), stats.NewRegistry()
	k := &desk{t: t, server: httptest.NewUnstartedServer(nil), queue: jobs.New(d, jobs.Options{Poll: 20 * time.Millisecond, Log: log})}
	origin := "http://" + k.server.Listener.Addr().String()
	k.polls, err = polls.New(t.Context(), polls.Options{
		Environment: polls.Production, Origin: origin, DB: d, Blobs: blobs, Box: box, Stats: registry, Passwords: passwords, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	k.video, err = video.New(t.Context(), video.Options{
		Environment: polls.Production, Origin: "http://video.test", DB: d, Blobs: blobs, Box: box, Queue: k.queue, Log: log, Stats: registry,
	})
	if err != nil {
		t.Fatal(err)
	}
	o := console.Options{
		Environment: polls.Production, Origin: origin, Version: "1.2.3", Polls: k.polls, Video: k.video, DB: d, Blobs: blobs, Queue: k.queue, Stats: registry, Log: log,
	}
	for _, c := range change {
		c(&o)
	}
	k.serve(console.New(o))
	k.token = k.logIn("operator", true)
	return k
}

// serve answers with the console, and with the polls elsewhere, until the test ends.
func (k *desk) serve(c *console.Console) {
	mux := http.NewServeMux()
	for _, path := range []string{"/console", "/console/", "/api/operator/"} {
		mux.Handle(path, c.Handler())
	}
	mux.Handle("/", k.polls.Handler())
	k.server.Config.Handler = mux
	k.server.Start()
	ctx, stop := context.WithCancel(context.WithoutCancel(k.t.Context()))
	var running sync.WaitGroup
	for _, run := range []func(context.Context) error{k.polls.Run, k.video.Run} {
		running.Go(func() {
			if err := run(ctx); err != nil {
				k.t.Errorf("run: %v", err)
			}
		})
	}
	k.t.Cleanup(func() {
		k.server.Close()
		stop()
		running.Wait()
	})
}

// logIn makes an account, and a token for it.
func (k *desk) logIn(username string, operator bool) string {
	k.t.Helper()
	_, err := k.polls.CreateUser(k.t.Context(), polls.NewUser{Username: username, Email: username + "@example.com", Password: "correct horse", Operator: operator})
	if err != nil {
		k.t.Fatal(err)
	}
	a := k.send("POST", "/api/v4/users/authenticate", http.Header{}, `{"email_or_username":"`+username+`","password":"correct horse"}`)
	token, _ := a.object()["authToken"].(string)
	if token == "" {
		k.t.Fatalf("got %s, want a token", a.body)
	}
	return token
}

// answer is what a request was answered.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   []byte
}

// object is a JSON object.
type object = map[string]any

// ask asks the API as the operator, with a body unless that is "".
func (k *desk) ask(method, path, body string) answer {
	k.t.Helper()
	return k.send(method, "/api/operator"+path, http.Header{"Authorization": {"Bearer " + k.token}}, body)
}

// send asks the listener, and holds answers of the API against its description.
func (k *desk) send(method, path string, header http.Header, body string) answer {
	k.t.Helper()
	r, err := http.NewRequestWithContext(k.t.Context(), method, k.server.URL+path, strings.NewReader(body))
	if err != nil {
		k.t.Fatal(err)
	}
	r.Header = header
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w, err := k.server.Client().Do(r)
	if err != nil {
		k.t.Fatal(err)
	}
	defer w.Body.Close()
	data, err := io.ReadAll(w.Body)
	if err != nil {
		k.t.Fatal(err)
	}
	a := answer{k.t, w.StatusCode, w.Header, data}
	if strings.HasPrefix(path, "/api/operator") {
		described().Check(k.t, r, openapitest.Answer{Status: a.status, Header: a.header, Body: a.body})
	}
	return a
}

// object reads the body of a success.
func (a answer) object() object {
	a.t.Helper()
	if a.status != http.StatusOK {
		a.t.Fatalf("got %d %s, want 200", a.status, a.body)
	}
	var o object
	if err := json.NewDecoder(bytes.NewReader(a.body)).Decode(&o); err != nil {
		a.t.Fatalf("got %s: %v", a.body, err)
	}
	return o
}

// refused checks that the answer is a refusal.
func (a answer) refused(status int, code string) {
	a.t.Helper()
	var got struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != status || got.Error.Code != code || got.Error.Message == "" {
		a.t.Errorf("got %d %s, want %d %s with a message", a.status, a.body, status, code)
	}
}
