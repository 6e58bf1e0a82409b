package video_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"stoa/internal/blob/memory"
	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/jobs"
	"stoa/internal/openapitest"
	"stoa/internal/secret"
	"stoa/internal/stats"
	"stoa/video"
	"stoa/video/analytics"
)

// site is a Service behind a real listener, and a key to it.
type site struct {
	*video.Service
	t   testing.TB
	url string
	key string
}

// described is the description of the API.
var described = sync.OnceValue(func() *openapitest.Description { return openapitest.Load("openapi.yaml") })

// eachEngine runs a test on both databases.
func eachEngine(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Parallel()
	dbtest.Each(t, video.Room, video.Migrations(), func(t *testing.T, d *db.DB) {
		migrate(t, d)
		test(t, d)
	})
}

// migrate makes the tables of all that the videos need.
func migrate(t testing.TB, d *db.DB) {
	t.Helper()
	for room, files := range map[string]fs.FS{video.Room: video.Migrations(), jobs.Room: jobs.Migrations(), analytics.Room: analytics.Migrations()} {
		if err := d.Migrate(t.Context(), room, files); err != nil {
			t.Fatal(err)
		}
	}
}

// newSite opens the videos on a database; change may adapt what they are made of.
func newSite(t testing.TB, d *db.DB, change ...func(*video.Options)) *site {
	t.Helper()
	box, err := secret.New("a text that only the tests know")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(nil)
	server.Start()
	t.Cleanup(server.Close)
	o := video.Options{
		Environment: video.Production, Origin: server.URL, DB: d, Blobs: memory.New(), Box: box,
		Queue: jobs.New(d, jobs.Options{Poll: 20 * time.Millisecond}),
		Log:   slog.New(slog.NewTextHandler(t.Output(), nil)), Stats: stats.NewRegistry(),
	}
	for _, c := range change {
		c(&o)
	}
	service, err := video.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = service.Handler()
	s := &site{Service: service, t: t, url: server.URL}
	s.key = s.newKey("tests", video.DefaultProject)
	s.run()
	return s
}

// run runs what goes on beside the requests, until the test ends.
func (s *site) run() {
	ctx, stop := context.WithCancel(context.WithoutCancel(s.t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	s.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			s.t.Errorf("run: %v", err)
		}
	})
}

func (s *site) newKey(name, project string) string {
	s.t.Helper()
	key, err := s.CreateKey(s.t.Context(), name, project, video.Limits{})
	if err != nil {
		s.t.Fatal(err)
	}
	return key
}

// object is a JSON object.
type object = map[string]any

// answer is what came back.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   []byte
}

// call sends JSON with the key of the site.
func (s *site) call(method, path string, body any) *answer {
	s.t.Helper()
	return s.callAs(s.key, method, path, body)
}

// callAs sends JSON with some key, or with none.
func (s *site) callAs(key, method, path string, body any) *answer {
	s.t.Helper()
	return s.send(s.request(key, method, path, body))
}

func (s *site) request(key, method, path string, body any) *http.Request {
	s.t.Helper()
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			s.t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, content)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json") // on every request, as the official client has it
	if key != "" {
		r.SetBasicAuth(key, "")
	}
	return r
}

// send asks the listener, and holds the answer against the description of the API.
func (s *site) send(r *http.Request) *answer {
	s.t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	described().Check(s.t, r, openapitest.Answer{Status: response.StatusCode, Header: response.Header, Body: body})
	return &answer{s.t, response.StatusCode, response.Header, body}
}

// want checks the status and reads the object.
func (a *answer) want(status int) object {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("got %d %s want %d", a.status, a.body, status)
	}
	if len(a.body) == 0 {
		return nil
	}
	var o object
	if err := json.Unmarshal(a.body, &o); err != nil {
		a.t.Fatalf("%s: %v", a.body, err)
	}
	return o
}

// refused checks an error: its status, the last segment of its type, and the
// parameter it names.
func (a *answer) refused(status int, kind, name string) {
	a.t.Helper()
	o := a.want(status)
	if got, want := o["type"], "https://docs.api.video/reference/"+kind; got != want {
		a.t.Errorf("type: got %v want %s in %s", got, want, a.body)
	}
	if got, _ := o["name"].(string); got != name {
		a.t.Errorf("name: got %q want %q in %s", got, name, a.body)
	}
	if o["status"] != float64(status) || o["title"] == "" {
		a.t.Errorf("got %s want status %d and a title", a.body, status)
	}
}
