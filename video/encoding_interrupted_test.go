package video_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"stoa/internal/db"
	"stoa/internal/fault"
	"stoa/internal/jobs"
	"stoa/video"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

func TestChunkGoesOnWhereItWasInterrupted(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		reached := make(chan struct{})
		once := sync.OnceFunc(func() { close(reached) })
		w.store.before = func(ctx context.Context, key string) error {
			if strings.HasSuffix(key, "/hls/240p/1.m4s") {
				once()
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
		stop := w.work()
		id := w.upload(ffmpegtest.Source(t, plain), object{"mp4Support": false})
		<-reached
		stop() // the first segment was stored before the second was begun

		again := w.beside()
		again.work()
		again.untilAll(id, "encoded")
		again.wantWhole(id, 0, 160)
		if got := again.store.count("/hls/240p/0.m4s"); got != 0 {
			t.Errorf("got the first segment again want it kept")
		}
		if got := again.store.count("/hls/240p/1.m4s"); got != 1 {
			t.Errorf("got the second segment %d times want once", got)
		}
	})
}

func TestTwoWorkersShareAVideo(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		oneWorker := func(o *video.Options) {
			o.Queue = jobs.New(d, jobs.Options{Poll: 2 * quickBeat, Workers: map[string]int{video.EncodeLane: 1}})
		}
		a := newWorkshop(t, d, oneWorker)
		b := a.beside(oneWorker)
		// Neither stores its second chunk before the other one has stored something.
		var aHas, bHas atomic.Bool
		a.store.before = meeting(&aHas, &bHas)
		b.store.before = meeting(&bHas, &aHas)
		id := a.upload(ffmpegtest.Source(t, plain), object{"mp4Support": false})
		a.work()
		b.work()
		a.untilAll(id, "encoded")
		a.wantWhole(id, 0, 160)
		for n := range 4 {
			key := []string{"/hls/240p/0.m4s", "/hls/240p/1.m4s", "/hls/240p/2.m4s", "/hls/240p/3.m4s"}[n]
			if got := a.store.count(key) + b.store.count(key); got != 1 {
				t.Errorf("%s: got it %d times want once", key, got)
			}
		}
	})
}

// meeting holds back the segments of one worker until the other one has some too.
func meeting(mine, theirs *atomic.Bool) func(context.Context, string) error {
	return func(ctx context.Context, key string) error {
		if !strings.Contains(key, "/hls/240p/") || strings.HasSuffix(key, "init.mp4") {
			return nil
		}
		mine.Store(true)
		for !theirs.Load() && ctx.Err() == nil {
			tickOnce()
		}
		return ctx.Err()
	}
}

func TestVideoDeletedWhileItIsEncodedLeavesNothing(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		reached, removed := w.store.hold("/hls/240p/1.m4s")
		w.work()
		id := w.upload(ffmpegtest.Source(t, plain), object{"mp4Support": false})
		<-reached
		w.call("DELETE", "/videos/"+id, nil).want(204)
		until(t, "the row removed", func() bool {
			var rows int
			w.row(`SELECT COUNT(*) FROM videos`, &rows)
			return rows == 0
		})
		close(removed) // now the segment is stored, when nobody expects it any more
		w.untilIdle()
		if got := w.keys("video/"); len(got) > 0 {
			t.Errorf("got %v left want nothing", got)
		}
		var chunks int
		w.row(`SELECT COUNT(*) FROM video_chunks`, &chunks)
		if chunks != 0 {
			t.Errorf("got %d chunks left want none", chunks)
		}
		w.wantTidy(id)
	})
}

func TestVideoWhoseChunkCannotBeStoredFailsAndPlaysAsFarAsItGoes(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		broken := fault.New(fault.Invalid, "the disk is square: turn it")
		var mended atomic.Bool
		w.store.before = func(_ context.Context, key string) error {
			if mended.Load() || !strings.HasSuffix(key, "/hls/240p/3.m4s") {
				return nil
			}
			until(t, "the beginning", func() bool { _, playable := w.qualities(strings.Split(key, "/")[1]); return playable })
			return broken
		}
		w.work()
		id := w.upload(ffmpegtest.Source(t, plain), object{"mp4Support": false})
		w.untilAll(id, "failed")
		if _, playable := w.qualities(id); !playable {
			t.Error("got a video that does not play want its beginning")
		}
		var problem string
		w.row(`SELECT problem FROM video_encodings WHERE video_id = $1`, &problem, id)
		if problem != broken.Message {
			t.Errorf("got %q want %q", problem, broken.Message)
		}
		w.untilIdle() // nobody goes on

		mended.Store(true)
		w.retryAll(1)
		w.untilAll(id, "encoded")
		if w.row(`SELECT problem FROM video_encodings WHERE video_id = $1`, &problem, id); problem != "" {
			t.Errorf("got %q want no problem after another try", problem)
		}
		w.untilIdle()
		w.wantTidy(id)
	})
}

func TestWhoeverBeganAChunkLastHasIt(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		slow := newWorkshop(t, d)
		next := slow.beside()
		slowAt, slowGo := slow.store.hold("/hls/240p/1.m4s")
		nextAt, nextGo := next.store.hold("/hls/240p/1.m4s")
		stop := slow.work()
		id := slow.upload(ffmpegtest.Source(t, plain), object{"mp4Support": false})
		<-slowAt
		ended := make(chan error, 1)
		go func() { ended <- next.EncodeChunk(context.WithoutCancel(t.Context()), id, 0) }()
		<-nextAt

		close(slowGo)
		until(t, "the end of the slow one", func() bool {
			var left int
			slow.row(`SELECT COUNT(*) FROM jobs WHERE kind = 'video.chunk'`, &left)
			return left == 0
		})
		if qualities, _ := slow.qualities(id); qualities["hls 240p"] != "encoding" {
			t.Errorf("got %v want the work of the slow one to count for nothing", qualities)
		}
		stop()
		close(nextGo)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		slow.untilAll(id, "encoded")
		slow.wantWhole(id, 0, 160)
	})
}
