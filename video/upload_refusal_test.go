package video_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/jobs"
	"stoa/video"
)

// sqlite is for what does not depend on the database.
func sqlite(t testing.TB) *db.DB {
	t.Helper()
	d := dbtest.Open(t, dbtest.SQLite(t))
	if err := d.Migrate(t.Context(), video.Room, video.Migrations()); err != nil {
		t.Fatal(err)
	}
	if err := d.Migrate(t.Context(), jobs.Room, jobs.Migrations()); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestUploadsThatAreRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		id := s.newVideo()
		path := "/videos/" + id + "/source"
		small := film(100)

		stranger := s.newKey("stranger", "elsewhere")
		body, kind := fileForm("x", small)
		r := s.request(path, "", kind, body)
		r.SetBasicAuth(stranger, "")
		s.send(r).refused(404, "resource-not-found", "videoId")
		body, kind = fileForm("x", small)
		r = s.request(path, "", kind, body)
		r.Header.Del("Authorization")
		s.send(r).refused(401, "authentication-missing-authorization-header", "")
		s.postFile("/videos/vi0000000000000000000000/source", "nonsense", small).refused(404, "resource-not-found", "videoId")
		s.postFile("/videos/nonsense/source", "", small).refused(404, "resource-not-found", "videoId")

		s.postFile(path, "part one of two", small).refused(400, "video-content-range-malformed", "Content-Range")
		body, kind = fileForm("x", small)
		r = s.request(path, "part 1/1", kind, body)
		r.Header.Add("Content-Range", "part 1/1")
		s.send(r).refused(400, "video-content-range-malformed", "Content-Range")
		s.postFile(path, "part 3/2", small).refused(400, "video-content-range-by-part-part-too-high-total", "Content-Range")
		s.postFile(path, "part 1/2", small).refused(400, "video-content-range-by-part-uploaded-file-too-small", "Content-Range")
		s.postFile(path, "bytes 0-5/6", small).refused(400, "video-content-range-by-bytes-range-mismatch", "Content-Range")
		s.postFile(path, "bytes 0-9/52428800001", small).refused(400, "video-content-range-by-bytes-total-bytes-too-high", "Content-Range")
		s.postFile(path, "bytes 0-5242879/32212254721", small).refused(400, "uploaded-file-too-large", "file")
		s.postFile(path, "part 1/1", nil).refused(400, "uploaded-file-empty", "file")
		s.postFile(path, "", nil).refused(400, "uploaded-file-empty", "file")
		s.call("POST", path, object{"file": "x"}).refused(400, "uploaded-file-no-file", "file")
		s.send(s.request(path, "", "multipart/form-data; boundary=b", strings.NewReader(twoFiles))).refused(400, "uploaded-file-multiple-files", "file")
		s.send(s.request(path, "", "multipart/form-data; boundary=b", strings.NewReader(twoFiles[:70]))).refused(400, "invalid-payload", "")
		s.send(s.request(path, "", "multipart/form-data; boundary=b", strings.NewReader("--b\r\n"+strings.Repeat("a: b\r\n", 9000)))).refused(400, "invalid-payload", "")
		s.wantNoLeftovers(0)

		s.postFile(path, "part 1/2", film(5*mib)).want(201)
		s.postFile(path, "", small).refused(400, "video-content-range-already-initiated", "Content-Range")
		s.postFile(path, "bytes 0-99/100", small).refused(400, "video-content-range-started-with-part", "Content-Range")
		s.wantNoLeftovers(1)

		fetched := s.call("POST", "/videos", object{"title": "x", "source": "https://example.com/x.mp4"}).want(202)["videoId"].(string)
		s.postFile("/videos/"+fetched+"/source", "nonsense", small).refused(400, "video-source-already-downloaded", "videoId")
		copied := s.call("POST", "/videos", object{"title": "x", "source": id}).want(202)["videoId"].(string)
		s.postFile("/videos/"+copied+"/source", "", small).refused(400, "video-source-already-copied", "videoId")
		s.call("DELETE", "/videos/"+id, nil).want(204)
		s.postFile(path, "part 2/2", small).refused(404, "resource-not-found", "videoId")
	})
}

const twoFiles = "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a\"\r\n\r\nfirst\r\n" +
	"--b\r\nContent-Disposition: form-data; name=\"b\"; filename=\"b\"\r\n\r\nsecond\r\n--b--\r\n"

// dial sends the head of an upload, whose body is to have so many bytes.
func (s *studio) dial(path string, length int) net.Conn {
	s.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	r := httptest.NewRequest("POST", path, nil)
	r.SetBasicAuth(s.key, "")
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n",
		path, r.Header.Get("Authorization"), length)
	if err != nil {
		s.t.Fatal(err)
	}
	return conn
}

const fileHead = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n"

// Clients that read only when all is sent must find the answer, not a broken connection.
func TestRefusalReachesWhoIsStillSending(t *testing.T) {
	t.Parallel()
	s := newStudio(t, sqlite(t))
	const length = 20 * mib
	conn := s.dial("/videos/vi0000000000000000000000/source", length)
	rest := length - len(fileHead)
	if _, err := io.WriteString(conn, fileHead); err != nil {
		t.Fatal(err)
	}
	bite := make([]byte, 64<<10)
	for ; rest > 0; rest -= len(bite) {
		bite = bite[:min(len(bite), rest)]
		if _, err := conn.Write(bite); err != nil {
			t.Fatalf("got %v with %d bytes to go, want all of them taken", err, rest)
		}
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 404 || !bytes.Contains(text, []byte("resource-not-found")) {
		t.Errorf("got %d %s (%v) want a 404", response.StatusCode, text, err)
	}
}

func TestSilentClientIsCutOff(t *testing.T) {
	t.Parallel()
	s := newStudio(t, sqlite(t))
	s.SetSilence(100 * time.Millisecond)
	conn := s.dial("/videos/"+s.newVideo()+"/source", mib)
	if _, err := io.WriteString(conn, fileHead+"some bytes"); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || response.StatusCode != 400 || !response.Close {
		t.Fatalf("got %v (%v) want a 400 and the end", response, err)
	}
	s.wantNoLeftovers(0)
}

func TestSlowClientOutlivesTheServersLimit(t *testing.T) {
	t.Parallel()
	s := newStudio(t, sqlite(t))
	const limit = 150 * time.Millisecond
	server := httptest.NewUnstartedServer(s.Handler())
	server.Config.ReadTimeout, server.Config.WriteTimeout = limit, limit
	server.Start()
	t.Cleanup(server.Close)
	s.url = server.URL
	s.key = s.newKey("slow", video.DefaultProject)
	id := s.newVideo()
	content := film(1000)
	conn := s.dial("/videos/"+id+"/source", len(fileHead)+len(content)+len("\r\n--b--\r\n"))
	for _, bite := range []string{fileHead, string(content[:300]), string(content[300:]), "\r\n--b--\r\n"} {
		if _, err := io.WriteString(conn, bite); err != nil {
			t.Fatal(err)
		}
		<-time.After(limit) // the point of the test: all in all it takes longer
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || response.StatusCode != 201 {
		t.Fatalf("got %v (%v) want 201", response, err)
	}
	s.wantSource(id, content, "uploaded")
}

func TestInterruptedPieceCanBeSentAgain(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		id, content := s.newVideo(), film(3000)
		conn := s.dial("/videos/"+id+"/source", 3500)
		if _, err := io.WriteString(conn, fileHead+string(content[:1000])); err != nil {
			t.Fatal(err)
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if response, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil && response.StatusCode != 400 {
			t.Errorf("got %d want 400", response.StatusCode)
		}
		s.wantNoLeftovers(0)
		s.postFile("/videos/"+id+"/source", "", content).want(201)
		s.wantSource(id, content, "uploaded")
	})
}

func TestLeftoversOfAKilledProcessAreSwept(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		s.exec(`INSERT INTO video_arrivals (blob, dropped, begun_at) VALUES ('video/pending/old', FALSE, 0), ('video/pending/new', FALSE, $1)`, db.Micros(time.Now()))
		for _, key := range []string{"video/pending/old", "video/pending/new"} {
			if _, err := s.blobs.Put(t.Context(), key, strings.NewReader("x"), ""); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
		for info := range s.blobs.List(t.Context(), "video/") {
			if info.Key != "video/pending/new" {
				t.Errorf("got %s want it gone", info.Key)
			}
		}
		if n := s.one(`SELECT count(*) FROM video_arrivals`); n != 1 {
			t.Errorf("got %d on their way, want the new one", n)
		}
	})
}

func TestFileThatCannotBeBookedIsNotKept(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		id, content := s.newVideo(), film(3000)
		s.exec(`ALTER TABLE video_arrivals RENAME TO lost`)
		s.postFile("/videos/"+id+"/source", "", content).want(500)
		s.exec(`ALTER TABLE lost RENAME TO video_arrivals`)
		s.wantNoLeftovers(0)
		s.postFile("/videos/"+id+"/source", "", content).want(201)
	})
}
