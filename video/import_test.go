package video_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/blob"
	"stoa/internal/blob/memory"
	"stoa/internal/db"
	"stoa/internal/egress"
	"stoa/internal/fault"
	"stoa/internal/jobs"
	"stoa/video"
)

// elsewhere is a server whose address sources may be fetched from.
func elsewhere(t *testing.T, serve http.HandlerFunc) *httptest.Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(serve)
	_ = server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
	return server
}

func reachElsewhere(o *video.Options) {
	o.Egress = egress.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")})
}

// work does jobs until the test ends.
func (s *studio) work() {
	ctx, stop := context.WithCancel(context.WithoutCancel(s.t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.Queue.Run(ctx) }()
	s.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			s.t.Errorf("jobs: %v", err)
		}
	})
}

// until waits for something that jobs do.
func (s *studio) until(what string, done func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("got nothing in a minute, want %s", what)
		}
	}
}

func (s *studio) newVideoFrom(source string) string {
	s.t.Helper()
	return s.call("POST", "/videos", object{"title": "from elsewhere", "source": source}).want(202)["videoId"].(string)
}

func (s *studio) status(videoID string) (ingest, encoding object) {
	s.t.Helper()
	status := s.call("GET", "/videos/"+videoID+"/status", nil).want(200)
	return status["ingest"].(object), status["encoding"].(object)
}

func TestSourceFromAnAddress(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d, reachElsewhere)
		s.SetImportPart(100_000)
		content := film(300_000)
		var asked atomic.Int32
		server := elsewhere(t, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/moved":
				http.Redirect(w, r, "/film.mp4", http.StatusFound)
			case asked.Add(1) == 1:
				w.WriteHeader(http.StatusServiceUnavailable)
			case asked.Load() == 2:
				w.Header().Set("Content-Length", "300000")
				_, _ = w.Write(content[:250_000]) // and breaks off
			default:
				_, _ = w.Write(content)
			}
		})
		id := s.newVideoFrom(server.URL + "/moved?key=hidden")
		if ingest, _ := s.status(id); ingest["status"] != "ingesting" {
			t.Errorf("got %v want ingesting", ingest)
		}
		for try := range 2 {
			if err := s.ImportSource(t.Context(), id); !errors.Is(err, fault.Unavailable) {
				t.Fatalf("try %d: got %v want another one", try, err)
			}
		}
		s.wantNoLeftovers(0)
		if err := s.ImportSource(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		s.wantSource(id, content, "ingested")
		var kept string
		if err := d.QueryRow(t.Context(), `SELECT source_from FROM videos WHERE id = $1`, id).Scan(&kept); err != nil || kept != "" {
			t.Errorf("got %q (%v) kept want nothing of an address that may have a secret", kept, err)
		}
		if err := s.ImportSource(t.Context(), id); err != nil { // as when two processes do the same
			t.Fatal(err)
		}
		s.wantSource(id, content, "ingested")
		s.wantNoLeftovers(3)
		s.postFile("/videos/"+id+"/source", "", content).refused(400, "video-source-already-downloaded", "videoId")
	})
}

func TestSourcesThatCannotBeFetched(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d, reachElsewhere)
		var inside atomic.Bool
		secret := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inside.Store(true) }))
		t.Cleanup(secret.Close)
		server := elsewhere(t, func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/inside":
				http.Redirect(w, r, secret.URL, http.StatusFound)
			case "/huge":
				w.Header().Set("Content-Length", "32212254721")
			case "/empty":
			default:
				w.WriteHeader(http.StatusNotFound)
			}
		})
		s.work()
		for address, word := range map[string]string{
			server.URL + "/nothing": "404", server.URL + "/inside": "public network", server.URL + "/huge": "too large",
			server.URL + "/empty": "empty", secret.URL: "public network",
		} {
			id := s.newVideoFrom(address)
			var encoding object
			s.until("a quality that failed", func() bool {
				_, encoding = s.status(id)
				return len(encoding["qualities"].([]any)) > 0
			})
			if quality := encoding["qualities"].([]any)[0].(object); quality["status"] != "failed" || encoding["playable"] != false {
				t.Errorf("%s: got %v want it failed", address, encoding)
			}
			if ingest, _ := s.status(id); ingest["status"] != "ingesting" {
				t.Errorf("%s: got %v want ingesting", address, ingest)
			}
			var problem string
			if err := d.QueryRow(t.Context(), `SELECT problem FROM video_encodings WHERE video_id = $1`, id).Scan(&problem); err != nil || !strings.Contains(problem, word) {
				t.Errorf("%s: got the sentence %q (%v) want %q in it", address, problem, err, word)
			}
		}
		if inside.Load() {
			t.Error("got a request to this machine, want none")
		}
		s.wantNoLeftovers(0)
	})
}

func TestVideoDeletedWhileItIsFetched(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d, reachElsewhere)
		begun, deleted := make(chan bool), make(chan bool)
		server := elsewhere(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "the beginning")
			_ = http.NewResponseController(w).Flush()
			close(begun)
			<-deleted
			_, _ = io.WriteString(w, "and the end")
		})
		id := s.newVideoFrom(server.URL)
		done := make(chan error, 1)
		go func() { done <- s.ImportSource(t.Context(), id) }()
		<-begun
		s.call("DELETE", "/videos/"+id, nil).want(204)
		close(deleted)
		if err := <-done; err != nil {
			t.Errorf("got %v want the job done", err)
		}
		s.wantNoLeftovers(0)
	})
}

// A slow download does not go on for nobody, even if nothing comes that would be stored.
func TestDeletionEndsWhatFetches(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d, reachElsewhere)
		begun := make(chan bool)
		server := elsewhere(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "the beginning")
			_ = http.NewResponseController(w).Flush()
			close(begun)
			<-r.Context().Done()
		})
		id := s.newVideoFrom(server.URL)
		done := make(chan error, 1)
		go func() { done <- s.ImportSource(t.Context(), id) }()
		<-begun
		s.call("DELETE", "/videos/"+id, nil).want(204)
		s.wantSoon(done)
		s.wantNoLeftovers(0)
	})
}

// wantSoon waits for the end of a job, long before a download is given up that stands.
func (s *studio) wantSoon(done <-chan error) {
	s.t.Helper()
	select {
	case err := <-done:
		if err != nil {
			s.t.Errorf("got %v want the job done", err)
		}
	case <-time.After(20 * time.Second):
		s.t.Error("got nothing in 20 s, want the job done")
	}
}

// untilThere is what a job returns that waits for our own storage.
var untilThere = jobs.Snooze(30 * time.Second)

func TestFetchingWaitsForTheStorage(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		store := &watched{Store: memory.New()}
		s := newStudioOn(t, d, store, reachElsewhere)
		content := film(300_000)
		server := elsewhere(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) })
		id := s.newVideoFrom(server.URL)
		for _, away := range []error{
			fmt.Errorf("put: %w: %w", blob.ErrUnavailable, io.ErrUnexpectedEOF),
			fmt.Errorf("book: %w", driver.ErrBadConn), // as the database says it
		} {
			store.before = func(context.Context, string) error { return away }
			if err := s.ImportSource(t.Context(), id); !errors.Is(err, untilThere) {
				t.Errorf("%v: got %v want %v", away, err, untilThere)
			}
		}
		store.before = nil
		s.wantNoLeftovers(0)
		if err := s.ImportSource(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		s.wantSource(id, content, "ingested")
	})
}

// A server is given minutes to come back, but not for ever.
func TestPatienceWithAServerThatIsAway(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d, reachElsewhere)
		server := elsewhere(t, func(http.ResponseWriter, *http.Request) {})
		server.Close()
		id := s.newVideoFrom(server.URL)
		s.work()
		var patience time.Duration
		for failures := 1; ; failures++ {
			var due int64
			s.until("a failure", func() bool {
				due = int64(s.one(`SELECT due FROM jobs WHERE kind = 'video.import' AND (state = 'given_up' OR failures = $1)`, failures))
				return due != 0
			})
			if s.one(`SELECT count(*) FROM jobs WHERE kind = 'video.import' AND state = 'given_up'`) == 1 {
				break
			}
			patience += time.Until(db.Time(due))
			exec(t, d, `UPDATE jobs SET due = 1 WHERE kind = 'video.import' AND state = 'waiting'`)
		}
		if patience < 4*time.Minute || patience > time.Hour {
			t.Errorf("got it given up after %v, want some minutes", patience)
		}
		if _, encoding := s.status(id); len(encoding["qualities"].([]any)) == 0 {
			t.Errorf("got %v want it failed", encoding)
		}
	})
}
