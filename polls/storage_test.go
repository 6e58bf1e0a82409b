package polls_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/blob"
	"stoa/internal/blob/file"
	"stoa/internal/blob/memory"
	"stoa/internal/blob/s3"
	"stoa/internal/blob/s3/s3test"
	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/polls"
)

// openSQLite is for what does not depend on the database.
func openSQLite(t testing.TB) *db.DB {
	t.Helper()
	d := dbtest.Open(t, dbtest.SQLite(t))
	if err := d.Migrate(t.Context(), polls.Room, polls.Migrations()); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFormsThatAreRefused(t *testing.T) {
	t.Parallel()
	d, files := openSQLite(t), memory.New()
	s := newSite(t, d, func(o *polls.Options) { o.Blobs = files })
	ann := plantLogin(s, d, "ann")
	draft := ann.draft(nil)
	fields := draft["uploadData"].(object)["formData"].(object)
	with := func(name, value string) object {
		changed := object{}
		maps.Copy(changed, fields)
		changed[name] = value
		return changed
	}
	for _, c := range []struct {
		name   string
		fields object
		file   []byte
		status int
		code   string
	}{
		{"another key", with("key", "000/000/001/1-1-original-0000000000000000.jpeg"), somePicture, 403, "AccessDenied"},
		{"another type", with("Content-Type", "text/html"), somePicture, 403, "AccessDenied"},
		{"a field too many", with("success_action_status", "201"), somePicture, 403, "AccessDenied"},
		{"a forged signature", with("signature", "AAAA"), somePicture, 403, "SignatureDoesNotMatch"},
		{"an unknown access key", with("AWSAccessKeyId", "other"), somePicture, 403, "InvalidAccessKeyId"},
		{"too large", fields, make([]byte, 10<<20+1), 400, "EntityTooLarge"},
		{"empty", fields, nil, 400, "EntityTooSmall"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body, contentType := form(t, c.fields, c.file)
			got := s.send("POST", "/storage/uploads", http.Header{"Content-Type": {contentType}}, body)
			if got.status != c.status || !strings.Contains(string(got.body), "<Code>"+c.code+"</Code>") || !strings.Contains(string(got.body), "<RequestId>") {
				t.Errorf("got %d %s want %d %s", got.status, got.body, c.status, c.code)
			}
			if got := got.header.Get("Access-Control-Allow-Origin"); got != "*" {
				t.Errorf("got allowed origin %q want any", got)
			}
			if left := keys(t, files); len(left) != 0 {
				t.Errorf("got %v left behind want nothing", left)
			}
		})
	}
	if got := s.send("POST", "/storage/uploads", http.Header{"Content-Type": {"application/json"}}, strings.NewReader("{}")); got.status != 400 {
		t.Errorf("got %d %s want only forms taken", got.status, got.body)
	}
	if got := s.send("POST", "/storage/other", nil, nil); got.status != 404 {
		t.Errorf("got %d %s want no other bucket", got.status, got.body)
	}
}

// A client that goes away in the middle leaves nothing, and can come again.
func TestUploadThatBreaksOff(t *testing.T) {
	t.Parallel()
	d, files := openSQLite(t), memory.New()
	s := newSite(t, d, func(o *polls.Options) { o.Blobs = files })
	ann := plantLogin(s, d, "ann")
	draft := ann.draft(nil)
	body, contentType := form(t, draft["uploadData"].(object)["formData"].(object), paint(500, 500))
	all, _ := io.ReadAll(body)
	conn, err := net.Dial("tcp", s.server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /storage/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", contentType, len(all))
	_, _ = conn.Write(all[:len(all)/2])
	_ = conn.(*net.TCPConn).CloseWrite()
	answer, err := io.ReadAll(conn)
	if err != nil || !bytes.Contains(answer, []byte("MalformedPOSTRequest")) {
		t.Errorf("got %s, %v want a refusal", answer, err)
	}
	_ = conn.Close()
	if left := keys(t, files); len(left) != 0 {
		t.Errorf("got %v left behind want nothing", left)
	}
	s.upload(draft, somePicture)
	ann.announce(draft, nil).object()
}

// Clients that send all before they read still get their answer.
func TestRefusalReachesThoseWhoOnlySend(t *testing.T) {
	t.Parallel()
	d := openSQLite(t)
	s := newSite(t, d)
	fields := plantLogin(s, d, "ann").draft(nil)["uploadData"].(object)["formData"].(object)
	body, contentType := form(t, fields, make([]byte, 15<<20))
	all, _ := io.ReadAll(body)
	conn, err := net.Dial("tcp", s.server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /storage/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", contentType, len(all))
	if _, err := conn.Write(all); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(text), "EntityTooLarge") {
		t.Errorf("got %s, %v want EntityTooLarge", text, err)
	}
}

// flaky is a store that can be switched off.
type flaky struct {
	blob.Store
	down atomic.Bool
}

func (f *flaky) Put(ctx context.Context, key string, r io.Reader, contentType string) (blob.Info, error) {
	if f.down.Load() {
		return blob.Info{}, fmt.Errorf("%w: switched off", blob.ErrUnavailable)
	}
	return f.Store.Put(ctx, key, r, contentType)
}

func (f *flaky) Open(ctx context.Context, key string) (*blob.Object, error) {
	if f.down.Load() {
		return nil, fmt.Errorf("%w: switched off", blob.ErrUnavailable)
	}
	return f.Store.Open(ctx, key)
}

func TestStoreThatIsDown(t *testing.T) {
	t.Parallel()
	d, files := openSQLite(t), &flaky{Store: memory.New()}
	s := newSite(t, d, func(o *polls.Options) { o.Blobs = files })
	ann := plantLogin(s, d, "ann")
	draft := ann.draft(nil)
	files.down.Store(true)
	if got := s.upload(draft, somePicture); got.status != 503 || got.header.Get("Retry-After") == "" || !strings.Contains(string(got.body), "ServiceUnavailable") {
		t.Errorf("got %d %s want 503", got.status, got.body)
	}
	ann.announce(draft, nil).refused(409, "image_not_uploaded", "")
	files.down.Store(false)
	s.upload(draft, somePicture)
	files.down.Store(true)
	ann.announce(draft, nil).refused(503, "unavailable", "")
	files.down.Store(false)
	ann.announce(draft, nil).object()
	url := s.call("GET", pollPath(draft), nil).object()["image"].(object)["url"]
	files.down.Store(true)
	if got := s.fetch(url); got.status != 503 || got.header.Get("Retry-After") == "" || got.header.Get("Cache-Control") != "" {
		t.Errorf("got %d %v want 503", got.status, got.header)
	}
	files.down.Store(false)
	s.isPicture(url, 80, 40)
}

// A process that ends between the upload and its announcement leaves a poll that
// can go on.
func TestUploadOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	d := openSQLite(t)
	files, err := file.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	first := newSite(t, d, func(o *polls.Options) { o.Blobs = files })
	ann := plantLogin(first, d, "ann")
	draft := ann.draft(nil)
	first.upload(draft, somePicture)
	// What is left when it ends after the file is stored, and before it says so.
	stray := fmt.Sprintf("uploads/%s.0000", draft["uploadData"].(object)["formData"].(object)["key"])
	if _, err := files.Put(t.Context(), stray, bytes.NewReader(somePicture), ""); err != nil {
		t.Fatal(err)
	}

	second := newSite(t, d, func(o *polls.Options) { o.Blobs = files })
	ann.site = second
	ann.announce(draft, nil).object()
	second.isPicture(second.call("GET", pollPath(draft), nil).object()["image"].(object)["url"], 80, 40)
	ann.call("DELETE", pollPath(draft), nil).object()
	eventually(t, "the files of the deleted poll are gone", func() bool {
		for range files.List(t.Context(), "") {
			return false
		}
		return true
	})
}

func TestUploadToS3(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	where, err := s3.Parse(server.URL("polls"))
	if err != nil {
		t.Fatal(err)
	}
	where.AccessKey, where.SecretKey = s3test.AccessKey, s3test.SecretKey
	files, err := s3.New(where)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	d := openSQLite(t)
	s := newSite(t, d, func(o *polls.Options) { o.Blobs = files })
	ann := plantLogin(s, d, "ann")
	poll := ann.draft(nil)
	for range 2 {
		if got := s.upload(poll, paint(700, 350)); got.status != http.StatusNoContent {
			t.Fatalf("got %d %s want the upload taken", got.status, got.body)
		}
	}
	ann.announce(poll, nil).object()
	url := s.call("GET", pollPath(poll), nil).object()["image"].(object)["url"]
	s.isPicture(url, 640, 320)
	ann.call("DELETE", pollPath(poll), nil).object()
	if got := s.fetch(url); got.status != http.StatusNotFound {
		t.Errorf("got %d of a deleted poll's image want 404", got.status)
	}
	eventually(t, "the objects of the deleted poll are gone", func() bool {
		for _, err := range files.List(t.Context(), "") {
			if err != nil {
				t.Error(err)
			}
			return false
		}
		return true
	})
}

// eventually waits for what happens beside the requests.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); {
		if time.Now().After(deadline) {
			t.Fatal(errors.New("does not come true: " + what))
		}
		time.Sleep(10 * time.Millisecond)
	}
}
