package console_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stoa/console"
	"stoa/internal/db"
	"stoa/internal/jobs"
)

// errand is a job that fails as long as it is told to.
type errand struct {
	Video  string `json:"video_id"`
	Number int    `json:"chunk"`
}

func (errand) Kind() string { return "test.errand" }

func TestJobsAreSeenRetriedAndDiscarded(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		var broken atomic.Bool
		broken.Store(true)
		k := newDesk(t, d, func(o *console.Options) {
			jobs.Handle(o.Queue, func(context.Context, errand) error {
				if broken.Load() {
					return jobs.Abandon(errors.New("the bridge is closed"))
				}
				return nil
			})
		})
		k.work()
		for n := range 3 {
			k.add(errand{Number: n})
		}
		listed := func(query string) []any { return k.ask("GET", "/system/jobs"+query, "").object()["jobs"].([]any) }
		until(t, "three jobs given up", func() bool { return len(listed("?state=given_up&kind=test.errand")) == 3 })
		job := listed("?state=given_up&kind=test.errand")[0].(object)
		if job["error"] != "the bridge is closed" || job["args"].(object)["chunk"] == nil {
			t.Errorf("got %v want why, and what it was about", job)
		}
		path := fmt.Sprintf("/system/jobs/%v", job["id"])
		k.ask("GET", path, "").object()
		if got := k.ask("DELETE", path, ""); got.status != 204 {
			t.Errorf("got %d %s want it discarded", got.status, got.body)
		}
		k.ask("GET", path, "").refused(404, "not_found")
		k.ask("POST", path+"/retry", "{}").refused(404, "not_found")

		broken.Store(false)
		next := listed("?state=given_up&kind=test.errand")[0].(object)
		if got := k.ask("POST", fmt.Sprintf("/system/jobs/%v/retry", next["id"]), "{}"); got.status != 204 {
			t.Errorf("got %d %s want it tried again", got.status, got.body)
		}
		if got := k.ask("POST", "/system/jobs/retry", `{"kind":"test.errand"}`).object(); got["retried"] != 1.0 || got["refused"] != 0.0 {
			t.Errorf("got %v want the one that was left", got)
		}
		until(t, "all done", func() bool { return len(listed("?kind=test.errand")) == 0 })
		for _, bad := range []string{"?state=odd", "?before=x", "?before=-1"} {
			k.ask("GET", "/system/jobs"+bad, "").refused(400, "invalid")
		}
		k.ask("GET", "/system/jobs/x", "").refused(400, "invalid")
	})
}

func TestJobsComeInPages(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, func(o *console.Options) { jobs.Handle(o.Queue, func(context.Context, errand) error { return nil }) })
		for n := range 51 {
			k.add(errand{Number: n})
		}
		first := k.ask("GET", "/system/jobs?kind=test.errand", "").object()
		rest := k.ask("GET", fmt.Sprintf("/system/jobs?kind=test.errand&before=%v", first["next"]), "").object()
		if len(first["jobs"].([]any)) != 50 || len(rest["jobs"].([]any)) != 1 || rest["next"] != nil {
			t.Errorf("got %d and %d jobs want 50 and 1", len(first["jobs"].([]any)), len(rest["jobs"].([]any)))
		}
	})
}

// work does jobs until the test ends.
func (k *desk) work() {
	ctx, stop := context.WithCancel(context.WithoutCancel(k.t.Context()))
	var working sync.WaitGroup
	working.Go(func() {
		if err := k.queue.Run(ctx); err != nil {
			k.t.Errorf("work: %v", err)
		}
	})
	k.t.Cleanup(func() { stop(); working.Wait() })
}

func (k *desk) add(a jobs.Args) {
	k.t.Helper()
	err := k.polls.DB.InTx(k.t.Context(), func(tx *db.Tx) error { return k.queue.Add(k.t.Context(), tx, a) })
	if err != nil {
		k.t.Fatal(err)
	}
}

// until waits for something that only asking tells.
func until(t testing.TB, what string, ask func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ask(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("got nothing want %s", what)
		}
	}
}
