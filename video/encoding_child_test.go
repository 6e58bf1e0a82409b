package video_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	osexec "os/exec"
	"strings"
	"testing"
	"time"

	"stoa/internal/blob/file"
	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/egress"
	"stoa/internal/jobs"
	"stoa/internal/secret"
	"stoa/internal/stats"
	"stoa/video"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

// These make the test binary a process that encodes, as in beWorker.
const (
	childDatabase = "STOA_TEST_VIDEO_DATABASE"
	childFiles    = "STOA_TEST_VIDEO_FILES"
	childScratch  = "STOA_TEST_VIDEO_SCRATCH"
)

// beWorker encodes until it is to keep the last segment of the first chunk. Then it
// says so, and waits for its end. It also ends with its standard input, which no way
// of dying of the test can prevent.
func beWorker() {
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadByte()
		os.Exit(0)
	}()
	ctx := context.Background()
	d, err := db.Open(ctx, os.Getenv(childDatabase), db.Options{})
	check(err)
	files, err := file.New(os.Getenv(childFiles))
	check(err)
	box, err := secret.New("a text that only the tests know")
	check(err)
	store := &watched{Store: files, before: func(_ context.Context, key string) error {
		if strings.HasSuffix(key, "/hls/240p/1.m4s") {
			fmt.Println("at the second segment")
			select {}
		}
		return nil
	}}
	q := jobs.New(d, jobs.Options{Beat: quickBeat, Poll: 200 * time.Millisecond, Workers: map[string]int{video.EncodeLane: 1}})
	o := video.Options{
		Environment: video.Production, DB: d, Blobs: store, Box: box, Queue: q, Egress: egress.New(nil),
		Log: slog.New(slog.DiscardHandler), Stats: stats.NewRegistry(),
	}
	o.Scratch = os.Getenv(childScratch)
	_, err = video.New(ctx, o)
	check(err)
	check(q.Run(ctx))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// quickBeat finds the dead soon. It is for tests with one survivor, whom nobody can
// take for dead.
const quickBeat = 100 * time.Millisecond

func TestVideoOfAKilledWorkerIsEncodedByAnother(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(testing.TB) string{"sqlite": dbtest.SQLite, "postgres": dbtest.Postgres} {
		t.Run(name, func(t *testing.T) {
			where := place(t)
			d := dbtest.Open(t, where)
			if err := errors.Join(d.Migrate(t.Context(), video.Room, video.Migrations()), d.Migrate(t.Context(), jobs.Room, jobs.Migrations())); err != nil {
				t.Fatal(err)
			}
			w := newWorkshop(t, d)
			film := plain
			film.Audio = true
			id := w.upload(ffmpegtest.Source(t, film))
			kill := startWorker(t, where, w.folder, w.scratch)
			kill()
			if got := len(w.listed(id)["240p"]); got != 1 {
				t.Fatalf("got %d segments of the dead worker want 1", got)
			}

			w.work()
			w.untilAll(id, "encoded")
			w.untilIdle()
			w.wantWhole(id, 0, 160)
			for _, track := range []string{"240p", "audio"} {
				if w.store.count("/"+track+"/0.m4s") != 0 {
					t.Errorf("%s: got the first segment again want it kept", track)
				}
			}
			w.wantTidy(id)
		})
	}
}

// startWorker starts a process that encodes, and waits until it has got to the second
// segment.
func startWorker(t *testing.T, where, folder, scratch string) (kill func()) {
	t.Helper()
	cmd := osexec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDatabase+"="+where, childFiles+"="+folder, childScratch+"="+scratch)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, "second segment") {
		t.Fatalf("got %q, %v of the worker", line, err)
	}
	return func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}
