package video_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/blob"
	"stoa/internal/blob/file"
	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/jobs"
	"stoa/video"
	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

// plain is a film of two chunks and one rendition, small is one of two renditions with
// sound.
var plain = ffmpegtest.Spec{Seconds: 16, Rate: "10", GOP: 30}
var small = ffmpegtest.Spec{Seconds: 16, Width: 360, Height: 360, Rate: "10", GOP: 30, Audio: true}

// workshop is a site with a queue that can be worked.
type workshop struct {
	*site
	d       *db.DB
	store   *watched
	folder  string // of the store
	scratch string
}

// newWorkshop opens the videos on a folder.
func newWorkshop(t testing.TB, d *db.DB, change ...func(*video.Options)) *workshop {
	t.Helper()
	w := &workshop{d: d, folder: t.TempDir()}
	change = append([]func(*video.Options){w.adapt}, change...)
	w.site = newSite(t, d, change...)
	return w
}

// beside is another process with the same database and files. Its API is that of the
// first.
func (w *workshop) beside(change ...func(*video.Options)) *workshop {
	w.t.Helper()
	other := &workshop{d: w.d, folder: w.folder}
	o := w.Options
	other.adapt(&o)
	for _, c := range change {
		c(&o)
	}
	service, err := video.New(w.t.Context(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	other.site = &site{Service: service, t: w.t, url: w.url, key: w.key}
	return other
}

// adapt gives a service files, a scratch folder and a queue of its own.
func (w *workshop) adapt(o *video.Options) {
	files, err := file.New(w.folder)
	if err != nil {
		panic(err)
	}
	w.store = &watched{Store: files}
	if w.scratch, err = os.MkdirTemp(w.folder, "~scratch"); err != nil { // no name of an object
		panic(err)
	}
	o.Blobs, o.Scratch = w.store, w.scratch
	o.Queue = jobs.New(w.d, jobs.Options{Log: o.Log, Poll: 200 * time.Millisecond, Beat: quickBeat, Workers: map[string]int{video.EncodeLane: 2}})
}

// oneEngine runs a test of what is in pictures, which no database changes.
func oneEngine(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Parallel()
	test(t, newDB(t))
}

// newDB is an empty database with the tables of videos.
func newDB(t *testing.T) *db.DB {
	t.Helper()
	d := dbtest.Open(t, dbtest.SQLite(t))
	migrate(t, d)
	return d
}

// work does jobs until the test ends or stop is called, which waits for those that run.
func (w *workshop) work() (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(w.t.Context()))
	var done sync.WaitGroup
	done.Go(func() {
		if err := w.Queue.Run(ctx); err != nil {
			w.t.Errorf("work: %v", err)
		}
	})
	stop = func() { cancel(); done.Wait() }
	w.t.Cleanup(stop)
	return stop
}

// upload makes a video of a file.
func (w *workshop) upload(path string, more ...object) (id string) {
	w.t.Helper()
	id = w.newVideo("film", more...)
	w.plant(id, path)
	return id
}

// plant gives a video its source, in two parts.
func (w *workshop) plant(id, path string) {
	w.t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	half := len(content) / 2
	if err := w.PlantSource(w.t.Context(), id, string(content[:half]), string(content[half:])); err != nil {
		w.t.Fatal(err)
	}
}

// until waits for something that happens by itself.
func until(t testing.TB, what string, happened func() bool) {
	t.Helper()
	limit := time.After(2 * time.Minute)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !happened() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("waited too long for %s", what)
		}
	}
}

// tickOnce waits a moment, for who looks at something again and again.
func tickOnce() { <-time.After(50 * time.Millisecond) }

// qualities are the states of a video's qualities by type and name, and whether it plays.
func (w *workshop) qualities(id string) (all map[string]string, playable bool) {
	w.t.Helper()
	encoding := w.call("GET", "/videos/"+id+"/status", nil).want(200)["encoding"].(object)
	all = map[string]string{}
	for _, q := range encoding["qualities"].([]any) {
		q := q.(object)
		all[q["type"].(string)+" "+q["quality"].(string)] = q["status"].(string)
	}
	return all, encoding["playable"].(bool)
}

// untilAll waits until every quality of a video has a status.
func (w *workshop) untilAll(id, status string) {
	w.t.Helper()
	until(w.t, "the video "+status, func() bool {
		all, _ := w.qualities(id)
		for _, got := range all {
			if got != status {
				return false
			}
		}
		return len(all) > 0
	})
}

// untilIdle waits until there is nothing left to do.
func (w *workshop) untilIdle() {
	w.t.Helper()
	until(w.t, "the end of all work", func() bool {
		var left int
		w.row(`SELECT COUNT(*) FROM jobs WHERE kind LIKE 'video.%' AND kind <> 'video.sweep' AND state <> 'given_up'`, &left)
		return left == 0
	})
}

// row reads one value.
func (w *workshop) row(text string, value any, args ...any) {
	w.t.Helper()
	if err := w.d.QueryRow(w.t.Context(), text, args...).Scan(value); err != nil {
		w.t.Fatalf("%s: %v", text, err)
	}
}

// keys are what is stored below a prefix.
func (w *workshop) keys(prefix string) (keys []string) {
	w.t.Helper()
	for info, err := range w.store.List(w.t.Context(), prefix) {
		if err != nil {
			w.t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

func (w *workshop) read(key string) []byte {
	w.t.Helper()
	object, err := w.store.Open(w.t.Context(), key)
	if err != nil {
		w.t.Fatal(err)
	}
	defer object.Close()
	content, err := io.ReadAll(object)
	if err != nil {
		w.t.Fatal(err)
	}
	return content
}

// plan is what is made of the source of a video.
func (w *workshop) plan(id string) (p encode.Plan) {
	w.t.Helper()
	var text string
	w.row(`SELECT plan FROM video_encodings WHERE video_id = $1`, &text, id)
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		w.t.Fatal(err)
	}
	return p
}

// listed are the segments of every track that the rows name, in order.
func (w *workshop) listed(id string) map[string][]int64 {
	w.t.Helper()
	rows, err := w.d.Query(w.t.Context(), `SELECT segments FROM video_chunks WHERE video_id = $1 AND segments <> '' ORDER BY number`, id)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	all := map[string][]int64{}
	for rows.Next() {
		var text string
		var chunk struct {
			Segments map[string][]struct {
				Bytes int64 `json:"b"`
			} `json:"segments"`
		}
		if err := rows.Scan(&text); err != nil {
			w.t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(text), &chunk); err != nil {
			w.t.Fatal(err)
		}
		for track, segments := range chunk.Segments {
			for _, s := range segments {
				all[track] = append(all[track], s.Bytes)
			}
		}
	}
	return all
}

// track writes a whole track, as the rows list it, to a file.
func (w *workshop) track(id, track string) (path string) {
	w.t.Helper()
	folder := "video/" + id + "/hls/" + track + "/"
	all := w.read(folder + "init.mp4")
	for n, size := range w.listed(id)[track] {
		segment := w.read(fmt.Sprintf("%s%d.m4s", folder, n))
		if int64(len(segment)) != size {
			w.t.Errorf("%s segment %d: got %d bytes want the %d of its row", track, n, len(segment), size)
		}
		all = append(all, segment...)
	}
	path = filepath.Join(w.t.TempDir(), track+".mp4")
	if err := os.WriteFile(path, all, 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// wantWhole checks that every rendition of a film shows its frames from..to, each once.
func (w *workshop) wantWhole(id string, from, to int) {
	w.t.Helper()
	want := make([]int, to-from)
	for i := range want {
		want[i] = from + i
	}
	for _, r := range w.plan(id).Renditions {
		if got := ffmpegtest.FrameNumbers(w.t, w.track(id, r.Name)); !slices.Equal(got, want) {
			w.t.Errorf("%s: got frames %v want %d to %d", r.Name, got, from, to-1)
		}
	}
}

// wantTidy checks that what was needed only to encode is gone.
func (w *workshop) wantTidy(id string) {
	w.t.Helper()
	for _, folder := range []string{"picture/", "overlay/"} {
		if got := w.keys("video/" + id + "/" + folder); len(got) > 0 {
			w.t.Errorf("got %v left want nothing", got)
		}
	}
	left, err := filepath.Glob(w.scratch + "/*/*")
	if err != nil {
		w.t.Fatal(err)
	}
	if len(left) > 0 {
		w.t.Errorf("got %v in the scratch folder want nothing", left)
	}
}

// watched is a store that tells what it is asked to keep.
type watched struct {
	blob.Store
	mu     sync.Mutex
	puts   map[string]int
	before func(ctx context.Context, key string) error // may be nil
}

func (w *watched) Put(ctx context.Context, key string, r io.Reader, contentType string) (blob.Info, error) {
	w.mu.Lock()
	if w.puts == nil {
		w.puts = map[string]int{}
	}
	w.puts[key]++
	before := w.before
	w.mu.Unlock()
	if before != nil {
		if err := before(ctx, key); err != nil {
			return blob.Info{}, err
		}
	}
	return w.Store.Put(ctx, key, r, contentType)
}

// Path is that of the folder.
func (w *watched) Path(key string) (string, int64, error) { return w.Store.(*file.Store).Path(key) }

// count is how often keys with an ending were put.
func (w *watched) count(ending string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for key := range maps.Keys(w.puts) {
		if strings.HasSuffix(key, ending) {
			n += w.puts[key]
		}
	}
	return n
}

// hold keeps those waiting who put a key with an ending, until the second channel is
// closed. The first tells that somebody does.
func (w *watched) hold(ending string) (reached <-chan struct{}, release chan<- struct{}) {
	at, goOn := make(chan struct{}), make(chan struct{})
	once := sync.OnceFunc(func() { close(at) })
	w.before = func(_ context.Context, key string) error {
		if strings.HasSuffix(key, ending) {
			once()
			<-goOn
		}
		return nil
	}
	return at, goOn
}
