package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"stoa/internal/blob"
	"stoa/internal/blob/file"
	"stoa/internal/db"
	"stoa/internal/heap"
	"stoa/internal/jobs"
	"stoa/internal/secret"
	"stoa/internal/stats"
	"stoa/video"
)

// serve is the videos as `stoa serve` has them, on SQLite and a folder.
func serve(ctx context.Context, dir string, s settings) error {
	d, err := db.Open(ctx, filepath.Join(dir, "stoa.db"), db.Options{})
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Migrate(ctx, video.Room, video.Migrations()); err != nil {
		return err
	}
	if err := d.Migrate(ctx, jobs.Room, jobs.Migrations()); err != nil {
		return err
	}
	store, err := file.New(blobs(dir))
	if err != nil {
		return err
	}
	defer store.Close()
	box, err := secret.New("the secret of the bench")
	if err != nil {
		return err
	}
	service, err := video.New(ctx, video.Options{
		Environment: video.Production, Origin: "http://bench", DB: d, Blobs: store, Box: box, Queue: jobs.New(d, jobs.Options{}),
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})), Stats: stats.NewRegistry(),
	})
	if err != nil {
		return err
	}
	g := garden{db: d, store: store, handler: service.Handler(), settings: s}
	if g.key, err = service.CreateKey(ctx, "bench", video.DefaultProject, video.Limits{}); err != nil {
		return err
	}
	var h hello
	if h.Video, err = g.plant(ctx, true); err != nil {
		return err
	}
	if h.Private, err = g.plant(ctx, false); err != nil {
		return err
	}
	if h.Session, err = g.session(h.Private); err != nil {
		return err
	}
	return listen(ctx, h, g.handler, service.Run)
}

// serveFiles is the least that a server in Go does for the same files.
func serveFiles(ctx context.Context, folder string) error {
	files := http.FileServer(http.Dir(folder))
	return listen(ctx, hello{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "video/mp4") // it would read the file to find out
		files.ServeHTTP(w, r)
	}), func(ctx context.Context) error { <-ctx.Done(); return nil })
}

// listen serves until the context ends, with the settings of `stoa serve`.
func listen(ctx context.Context, h hello, handler http.Handler, run func(context.Context) error) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	h.Address = l.Addr().String()
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 12 << 10,
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return heap.Pace(ctx, 64<<20) })
	g.Go(func() error { return run(ctx) })
	g.Go(func() error { return server.Serve(l) })
	context.AfterFunc(ctx, func() { server.Close() })
	if err := json.NewEncoder(os.Stdout).Encode(h); err != nil {
		return err
	}
	if err := g.Wait(); ctx.Err() == nil {
		return err
	}
	return nil
}

// garden is where videos are planted: with the rows and files that encoding leaves.
type garden struct {
	settings
	db      *db.DB
	store   blob.Store
	handler http.Handler
	key     string
}

// plan is that of an encoded video; only the names of its tracks matter here.
const plan = `{"rate":{"num":25,"den":1},"frames":10000,"segment_frames":100,"chunk_segments":100,"picture_frames":125,"video":0,"audio":1,
	"renditions":[{"name":"720p","width":1280,"height":720},{"name":"240p","width":426,"height":240}]}`

func (g *garden) plant(ctx context.Context, public bool) (id string, err error) {
	created, err := g.call("POST", "/videos", fmt.Sprintf(`{"title":"bench","public":%t}`, public))
	if err != nil {
		return "", err
	}
	id = created["videoId"].(string)
	segments := map[string][]map[string]int{}
	for track, size := range g.sizes() {
		for n := range g.files {
			content := make([]byte, size)
			rand.NewChaCha8([32]byte{byte(n)}).Read(content)
			if _, err := g.store.Put(ctx, fmt.Sprintf("video/%s/hls/%s/%d.m4s", id, track, n), bytes.NewReader(content), "video/mp4"); err != nil {
				return "", err
			}
			segments[track] = append(segments[track], map[string]int{"d": 51200, "b": size})
		}
	}
	sound := map[string]any{"audio": segments["audio"]}
	delete(segments, "audio")
	return id, g.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO video_encodings (video_id, state, playable, media, plan, problem, storyboard, mp4_size, updated_at)
			VALUES ($1, 2, TRUE, '', $2, '', '', 0, 0)`, id, plan)
		if err != nil {
			return err
		}
		for number, kept := range map[int]any{-1: sound, 0: segments} {
			text, err := json.Marshal(map[string]any{"segments": kept})
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, `INSERT INTO video_chunks (video_id, number, run, kept, done, segments) VALUES ($1, $2, 1, $3, TRUE, $4)`,
				id, number, g.files, string(text))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// session opens a session of a private video.
func (g *garden) session(id string) (string, error) {
	shown, err := g.call("GET", "/videos/"+id, "")
	if err != nil {
		return "", err
	}
	player := shown["assets"].(map[string]any)["player"].(string)
	_, token, _ := strings.Cut(player, "?token=")
	opened, err := g.call("GET", "/vod/"+id+"/token/"+token+"/session", "")
	if err != nil {
		return "", err
	}
	return opened["session_token"].(string), nil
}

func (g *garden) call(method, path, body string) (map[string]any, error) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.SetBasicAuth(g.key, "")
	w := httptest.NewRecorder()
	g.handler.ServeHTTP(w, r)
	answer, err := io.ReadAll(w.Result().Body)
	if err != nil {
		return nil, err
	}
	if w.Code >= 300 {
		return nil, fmt.Errorf("%s %s: %d %s", method, path, w.Code, answer)
	}
	var object map[string]any
	return object, json.Unmarshal(answer, &object)
}
