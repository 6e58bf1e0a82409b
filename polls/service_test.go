package polls_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"stoa/internal/blob/memory"
	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/openapitest"
	"stoa/internal/secret"
	"stoa/internal/stats"
	"stoa/polls"
)

// described is the description of the API.
var described = sync.OnceValue(func() *openapitest.Description { return openapitest.Load("openapi.yaml") })

// eachEngine runs a test on every database.
func eachEngine(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Parallel()
	dbtest.Each(t, polls.Room, polls.Migrations(), test)
}

// site is a service that runs and is reached over HTTP.
type site struct {
	t       testing.TB
	service *polls.Service
	server  *httptest.Server
	log     *bytes.Buffer
}

// passwords are checked a few at a time, over all tests.
var passwords = polls.NewPasswords()

// newSite starts a service on a database. It ends with the test.
func newSite(t testing.TB, d *db.DB, settings ...func(*polls.Options)) *site {
	t.Helper()
	box, err := secret.New("the secret of the tests")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, server: httptest.NewUnstartedServer(nil), log: new(bytes.Buffer)}
	o := polls.Options{
		Environment: polls.Production, Origin: "http://" + s.server.Listener.Addr().String(),
		DB: d, Blobs: memory.New(), Box: box, Stats: stats.NewRegistry(), Passwords: passwords,
		Log:    slog.New(slog.NewTextHandler(t.Output(), nil)),
		Config: polls.Config{Streams: 1000, StreamsPerAddress: 100},
	}
	for _, set := range settings {
		set(&o)
	}
	if s.service, err = polls.New(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.service.Run(ctx) }()
	s.server.Config.Handler = s.service.Handler()
	s.server.Start()
	t.Cleanup(func() {
		s.server.Close()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("run: %v", err)
		}
	})
	return s
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

// call asks the API, with parameters as JSON; nil for none.
func (s *site) call(method, path string, params object) answer {
	s.t.Helper()
	var body io.Reader
	header := http.Header{}
	if params != nil && method != http.MethodGet {
		data, err := json.Marshal(params)
		if err != nil {
			s.t.Fatal(err)
		}
		body = bytes.NewReader(data)
		header.Set("Content-Type", "application/json")
	} else if params != nil {
		query := url.Values{}
		for name, value := range params {
			query.Set(name, fmt.Sprint(value))
		}
		path += "?" + query.Encode()
	}
	return s.send(method, "/api/v4"+path, header, body)
}

// send asks the listener, and holds the answer against the description of the API.
func (s *site) send(method, path string, header http.Header, body io.Reader) answer {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.server.URL+path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	maps.Copy(r.Header, header)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	w, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close()
	data, err := io.ReadAll(w.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a := answer{s.t, w.StatusCode, w.Header, data}
	described().Check(s.t, r, openapitest.Answer{Status: a.status, Header: a.header, Body: a.body})
	return a
}

// object reads the body of a success.
func (a answer) object() object {
	a.t.Helper()
	if a.status >= 300 {
		a.t.Fatalf("got %d %s want success", a.status, a.body)
	}
	var o object
	if err := json.Unmarshal(a.body, &o); err != nil {
		a.t.Fatalf("got %s want an object: %v", a.body, err)
	}
	return o
}

// refused checks that the answer is an error of the one shape.
func (a answer) refused(status int, code, field string) {
	a.t.Helper()
	var o struct {
		Success *bool
		Error   struct {
			Code, Message string
			Field         *string
		}
	}
	if err := json.Unmarshal(a.body, &o); err != nil || o.Success == nil || *o.Success || o.Error.Message == "" {
		a.t.Fatalf("got %d %s want an error", a.status, a.body)
	}
	got := ""
	if o.Error.Field != nil {
		got = *o.Error.Field
	}
	if a.status != status || o.Error.Code != code || got != field {
		a.t.Errorf("got %d %s of %q (%s) want %d %s of %q", a.status, o.Error.Code, got, o.Error.Message, status, code, field)
	}
	if strings.Contains(o.Error.Message, "SQL") {
		a.t.Errorf("got message %q", o.Error.Message)
	}
}
