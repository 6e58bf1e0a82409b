package video_test

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"

	"stoa/internal/blob"
	"stoa/internal/blob/file"
	"stoa/internal/blob/memory"
	"stoa/internal/blob/s3"
	"stoa/internal/blob/s3/s3test"
	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/video"
)

// eachStore runs a test on every kind of store. The database makes no difference there.
func eachStore(t *testing.T, test func(t *testing.T, s *site)) {
	t.Parallel()
	stores := map[string]func(t *testing.T) blob.Store{
		"memory": func(*testing.T) blob.Store { return memory.New() },
		"file": func(t *testing.T) blob.Store {
			store, err := file.New(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { store.Close() })
			return store
		},
		"s3": func(t *testing.T) blob.Store {
			where, err := s3.Parse(s3test.Start(t).URL("video"))
			if err != nil {
				t.Fatal(err)
			}
			where.AccessKey, where.SecretKey = s3test.AccessKey, s3test.SecretKey
			store, err := s3.New(where)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { store.Close() })
			return store
		},
	}
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			d := dbtest.Open(t, dbtest.SQLite(t))
			if err := d.Migrate(t.Context(), video.Room, video.Migrations()); err != nil {
				t.Fatal(err)
			}
			test(t, newSite(t, d, func(o *video.Options) { o.Blobs = open(t) }))
		})
	}
}

func TestPartsOfFiles(t *testing.T) {
	eachStore(t, func(t *testing.T, s *site) {
		p := s.plantVideo()
		content := strings.Repeat("0123456789abcdef", 10_000)
		size := len(content)
		p.put("mp4/source.mp4", content)
		p.exec(`UPDATE video_encodings SET mp4_size = 1 WHERE video_id = $1`, p.id)
		path := p.path("mp4/source.mp4")
		tag := s.fetch("HEAD", path).wantStatus(200).wantHeader("Content-Length", fmt.Sprint(size)).header.Get("ETag")
		for _, test := range []struct {
			ask, ifRange string
			status       int
			from, to     int // of the content that comes
		}{
			{"", "", 200, 0, size},
			{"bytes=0-", "", 206, 0, size},
			{"bytes=0-0", "", 206, 0, 1},
			{"bytes=100-199", "", 206, 100, 200},
			{"bytes=-1", "", 206, size - 1, size},
			{"bytes=-70000", "", 206, size - 70000, size},
			{fmt.Sprintf("bytes=%d-%d", size-5, size+500), "", 206, size - 5, size},
			{fmt.Sprintf("bytes=-%d", size+500), "", 206, 0, size},
			{"bytes=5-9", tag, 206, 5, 10},
			{"bytes=5-9", `"another"`, 200, 0, size},
		} {
			a := s.fetch("GET", path, "Range", test.ask, "If-Range", test.ifRange)
			if want := content[test.from:test.to]; a.status != test.status || string(a.body) != want {
				t.Errorf("%q: got %d and %d bytes, want %d and %d", test.ask, a.status, len(a.body), test.status, len(want))
			}
			if want := fmt.Sprintf("bytes %d-%d/%d", test.from, test.to-1, size); test.status == 206 {
				a.wantHeader("Content-Range", want)
			}
		}
		for _, ask := range []string{fmt.Sprintf("bytes=%d-", size), "bytes=9-5", "bytes=x-", "bytes=--1"} {
			s.fetch("GET", path, "Range", ask).wantStatus(416)
		}
	})
}

// Players never ask for several ranges at once, but downloaders do.
func TestSeveralPartsOfAFile(t *testing.T) {
	eachStore(t, func(t *testing.T, s *site) {
		p := s.plantVideo()
		p.put("mp4/source.mp4", "0123456789")
		p.exec(`UPDATE video_encodings SET mp4_size = 1 WHERE video_id = $1`, p.id)
		a := s.fetch("GET", p.path("mp4/source.mp4"), "Range", "bytes=1-2,7-").wantStatus(http.StatusPartialContent)
		_, parameters, err := mime.ParseMediaType(a.header.Get("Content-Type"))
		if err != nil {
			t.Fatal(err)
		}
		parts := multipart.NewReader(bytes.NewReader(a.body), parameters["boundary"])
		for _, want := range []string{"12", "789"} {
			part, err := parts.NextPart()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(part); string(got) != want || err != nil {
				t.Errorf("got %q, %v want %q", got, err, want)
			}
		}
	})
}

func TestPlayingFromEveryStore(t *testing.T) {
	eachStore(t, func(t *testing.T, s *site) {
		p := s.plantWhole()
		if got, want := s.walk(p.path("hls/manifest.m3u8")), 1+2*2+1+3+2*25+3; got != want {
			t.Errorf("got %d addresses want %d", got, want)
		}
	})
}

// A segment that another process has just listed is there, though nobody asks whether
// one is for every file.
func TestANewSegmentIsThereAtOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		p := s.plantVideo()
		p.sound(1)
		p.state(encoding, true)
		for n := range p.size(0) {
			p.chunk(0, n+1, false)
			s.fetch("GET", p.path(fmt.Sprintf("hls/360p/%d.m4s", n))).wantStatus(200)
			s.fetch("GET", p.path(fmt.Sprintf("hls/360p/%d.m4s", n+1))).wantStatus(404)
		}
	})
}

// What is asked for again may come from memory, and is the same.
func TestAFileThatIsAskedForAgain(t *testing.T) {
	eachStore(t, func(t *testing.T, s *site) {
		p := s.plantWhole()
		path := p.path("hls/360p/3.m4s")
		want := s.fetch("GET", path).wantStatus(200)
		for range 4 {
			a := s.fetch("GET", path).wantStatus(200)
			if !bytes.Equal(a.body, want.body) {
				t.Errorf("got %d other bytes want the same %d", len(a.body), len(want.body))
			}
			for _, name := range []string{"ETag", "Last-Modified", "Content-Type", "Content-Length", "Accept-Ranges", "Cache-Control"} {
				a.wantHeader(name, want.header.Get(name))
			}
			part := s.fetch("GET", path, "Range", "bytes=10-19").wantStatus(206)
			if got, want := string(part.body), string(want.body[10:20]); got != want {
				t.Errorf("got %q want %q", got, want)
			}
			s.fetch("GET", path, "If-None-Match", want.header.Get("ETag")).wantStatus(304)
		}
	})
}

// Files that are ready are shared, and each viewer gets all of one.
func TestManyViewersOfAFile(t *testing.T) {
	eachStore(t, func(t *testing.T, s *site) {
		p := s.plantWhole()
		want := strings.Repeat("0123456789abcde", 1<<14) // more than is sent at once
		p.put("hls/360p/3.m4s", want)
		path := p.path("hls/360p/3.m4s")
		var viewers sync.WaitGroup
		for range 8 {
			viewers.Go(func() {
				for range 8 {
					if got := s.fetch("GET", path).wantStatus(200); string(got.body) != want {
						t.Errorf("got %d bytes want the %d of the file", len(got.body), len(want))
					}
				}
			})
		}
		viewers.Wait()
	})
}
