package video_test

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"stoa/internal/blob"
	"stoa/internal/blob/file"
	"stoa/internal/blob/memory"
	"stoa/internal/blob/s3"
	"stoa/internal/blob/s3/s3test"
	"stoa/internal/db"
	"stoa/video"
)

const mib = 1 << 20

// studio is a site whose storage can be looked into.
type studio struct {
	*site
	d     *db.DB
	blobs blob.Store
}

func newStudio(t testing.TB, d *db.DB, change ...func(*video.Options)) *studio {
	t.Helper()
	return newStudioOn(t, d, memory.New(), change...)
}

func newStudioOn(t testing.TB, d *db.DB, blobs blob.Store, change ...func(*video.Options)) *studio {
	t.Helper()
	change = append(change, func(o *video.Options) { o.Blobs = blobs })
	return &studio{newSite(t, d, change...), d, blobs}
}

// newVideo makes a video without a source.
func (s *studio) newVideo() string {
	s.t.Helper()
	return s.call("POST", "/videos", object{"title": "a film"}).want(201)["videoId"].(string)
}

func (s *studio) newToken() string {
	s.t.Helper()
	return s.call("POST", "/upload-tokens", object{}).want(200)["token"].(string)
}

// reel is made once: with the race detector that takes its time.
var reel = sync.OnceValue(func() []byte { return newFilm(12 * mib) })

func newFilm(size int) []byte {
	b := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{1, 2, 3}).Read(b)
	return b
}

// film is bytes that are not the same anywhere, to be read only.
func film(size int) []byte { return reel()[:size:size] }

// postFile sends a file as the one part of a form with a file name, and fields behind it.
func (s *studio) postFile(path, contentRange string, content []byte, fields ...string) *answer {
	s.t.Helper()
	body, kind := fileForm("film.mp4", content, fields...)
	r := s.request(path, contentRange, kind, body)
	return s.send(r)
}

func (s *studio) request(path, contentRange, contentType string, body io.Reader) *http.Request {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), "POST", s.url+path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	if contentRange != "" {
		r.Header.Set("Content-Range", contentRange)
	}
	r.SetBasicAuth(s.key, "")
	return r
}

func fileForm(name string, content []byte, fields ...string) (body *bytes.Buffer, contentType string) {
	body = new(bytes.Buffer)
	form := multipart.NewWriter(body)
	part, _ := form.CreateFormFile("file", name)
	_, _ = part.Write(content)
	for i := 0; i < len(fields); i += 2 {
		_ = form.WriteField(fields[i], fields[i+1])
	}
	_ = form.Close()
	return body, form.FormDataContentType()
}

// keys are those of the files that make the source of a video, in order.
func (s *studio) keys(videoID string) []string {
	s.t.Helper()
	rows, err := s.d.Query(s.t.Context(), `SELECT blob FROM video_parts WHERE video_id = $1 ORDER BY number`, videoID)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	var keys []string
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			s.t.Fatal(err)
		}
		keys = append(keys, key)
	}
	return keys
}

// wantSource checks that a video has that source, whole, and is worked on.
func (s *studio) wantSource(videoID string, want []byte, ingest string) {
	s.t.Helper()
	sum := sha256.New()
	var size int64
	for _, key := range s.keys(videoID) {
		object, err := s.blobs.Open(s.t.Context(), key)
		if err != nil {
			s.t.Fatal(err)
		}
		n, err := io.Copy(sum, object)
		_ = object.Close()
		if err != nil {
			s.t.Fatal(err)
		}
		size += n
	}
	if hash := sha256.Sum256(want); size != int64(len(want)) || !bytes.Equal(sum.Sum(nil), hash[:]) {
		s.t.Errorf("got a source of %d bytes, want the %d that were sent", size, len(want))
	}
	status := s.call("GET", "/videos/"+videoID+"/status", nil).want(200)["ingest"].(object)
	if status["status"] != ingest || status["filesize"] != float64(len(want)) {
		s.t.Errorf("got %v want %s with %d bytes", status, ingest, len(want))
	}
	if got := s.one(`SELECT count(*) FROM jobs WHERE kind = 'video.ingest' AND args LIKE $1`, "%"+videoID+"%"); got != 1 {
		s.t.Errorf("got %d jobs that begin with the source, want 1", got)
	}
}

// wantNoLeftovers checks that every file belongs to a video.
func (s *studio) wantNoLeftovers(files int) {
	s.t.Helper()
	n := 0
	for _, err := range s.blobs.List(s.t.Context(), "video/") {
		if err != nil {
			s.t.Fatal(err)
		}
		n++
	}
	if arrivals := s.one(`SELECT count(*) FROM video_arrivals`); n != files || arrivals != 0 {
		s.t.Errorf("got %d files and %d on their way, want %d and none", n, arrivals, files)
	}
}

func (s *studio) one(text string, args ...any) (n int) {
	s.t.Helper()
	if err := s.d.QueryRow(s.t.Context(), text, args...).Scan(&n); err != nil && !errors.Is(err, sql.ErrNoRows) {
		s.t.Fatal(err)
	}
	return n
}

func (s *studio) exec(text string, args ...any) {
	s.t.Helper()
	err := s.d.InTx(s.t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(s.t.Context(), text, args...)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

func TestWholeSource(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		id, content := s.newVideo(), film(100_000)
		before := s.call("GET", "/videos/"+id, nil).want(200)
		got := s.postFile("/videos/"+id+"/source", "", content).want(201)
		if got["videoId"] != id || got["title"] != "a film" || got["source"].(object)["type"] != "upload" || before["source"].(object)["type"] != nil {
			t.Errorf("got %v want the video, uploaded", got)
		}
		s.wantSource(id, content, "uploaded")
		s.wantNoLeftovers(1)
		if key := s.keys(id)[0]; !strings.HasPrefix(key, "video/"+id+"/source/") {
			t.Errorf("got %s want it among the files of the video", key)
		}
		s.postFile("/videos/"+id+"/source", "", content).refused(400, "video-source-already-uploaded", "videoId")
		s.postFile("/videos/"+id+"/source", "part 1/2", content).refused(400, "video-source-already-uploaded", "videoId")
		s.wantNoLeftovers(1)
	})
}

// Pieces come in any order, at the same time, and twice: one of two equals is taken.
func TestPiecesInAnyOrderAtOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		random := rand.New(rand.NewPCG(1, 2))
		for round := range 2 {
			id, content := s.newVideo(), film(11*mib+round)
			pieces := cut(content, random, round == 1)
			random.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
			var taken sync.Map
			var all sync.WaitGroup
			for _, p := range slices.Concat(pieces, pieces) {
				all.Go(func() {
					body, kind := fileForm("x", p.content)
					response, err := http.DefaultClient.Do(s.request("/videos/"+id+"/source", p.header, kind, body))
					if err != nil {
						t.Error(err)
						return
					}
					defer response.Body.Close()
					text, _ := io.ReadAll(response.Body)
					switch {
					case response.StatusCode == 201:
						if _, twice := taken.LoadOrStore(p.header, true); twice {
							t.Errorf("%s: got it taken twice", p.header)
						}
					case response.StatusCode != 400 || !bytes.Contains(text, []byte("already")) && !bytes.Contains(text, []byte("overlap")):
						t.Errorf("%s: got %d %s want it taken, or refused as being there", p.header, response.StatusCode, text)
					}
				})
			}
			all.Wait()
			s.wantSource(id, content, "uploaded")
		}
		s.wantNoLeftovers(s.one(`SELECT count(*) FROM video_parts`))
	})
}

type cutting struct {
	header  string
	content []byte
}

// cut makes pieces of 5 MiB and more, but for the last.
func cut(content []byte, random *rand.Rand, byBytes bool) []cutting {
	var pieces []cutting
	var ends []int
	for at := 0; at < len(content); {
		at = min(len(content), at+5*mib+random.IntN(mib))
		ends = append(ends, at)
	}
	from := 0
	for i, end := range ends {
		header := fmt.Sprintf("part %d/%d", i+1, len(ends))
		if byBytes {
			header = fmt.Sprintf("bytes %d-%d/%d", from, end-1, len(content))
		}
		pieces = append(pieces, cutting{header, content[from:end]})
		from = end
	}
	return pieces
}

func TestSourcesInOtherStores(t *testing.T) {
	t.Parallel()
	folder, err := file.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	config, err := s3.Parse(s3test.Start(t).URL("films"))
	if err != nil {
		t.Fatal(err)
	}
	config.AccessKey, config.SecretKey = s3test.AccessKey, s3test.SecretKey
	bucket, err := s3.New(config)
	if err != nil {
		t.Fatal(err)
	}
	defer bucket.Close()
	for name, blobs := range map[string]blob.Store{"folder": folder, "bucket": bucket} {
		s := newStudioOn(t, sqlite(t), blobs)
		id, content := s.newVideo(), film(11*mib)
		s.postFile("/videos/"+id+"/source", "part 3/3", content[10*mib:]).want(201)
		s.postFile("/videos/"+id+"/source", "part 1/*", content[:5*mib]).want(201)
		s.postFile("/videos/"+id+"/source", "part 1/*", content[:5*mib]).refused(400, "video-content-range-by-part-part-already-sent", "Content-Range")
		s.postFile("/videos/"+id+"/source", "part 2/3", content[5*mib:10*mib]).want(201)
		s.wantSource(id, content, "uploaded")
		s.wantNoLeftovers(3)
		if t.Failed() {
			t.Fatalf("in the %s", name)
		}
	}
}

func TestStatusOfAnUnfinishedUpload(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		id := s.newVideo()
		s.postFile("/videos/"+id+"/source", "part 2/*", film(5*mib)).want(201)
		s.postFile("/videos/"+id+"/source", "part 3/3", nil).want(201) // as the browser may send
		got := s.call("GET", "/videos/"+id+"/status", nil).want(200)["ingest"].(object)
		if got["status"] != "uploading" || fmt.Sprint(got["receivedParts"]) != "map[parts:[2 3] total:3]" || got["filesize"] != nil {
			t.Errorf("got %v want two of three parts", got)
		}
		if jobs := s.one(`SELECT count(*) FROM jobs WHERE kind = 'video.ingest'`); jobs != 0 {
			t.Errorf("got %d jobs for a source that is not whole", jobs)
		}
	})
}
