package health_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/health"
)

func check(name string, failed health.State, err error) health.Check {
	return health.Check{Name: name, Failed: failed, Reason: name + " does not answer", Look: func(context.Context) error { return err }}
}

func TestPartsTellWhatFailsAndWhy(t *testing.T) {
	t.Parallel()
	room := health.NewRoom("production", "video",
		check("database", health.Down, nil), check("files", health.Degraded, errors.New("10.0.0.7: refused")))
	parts := room.Parts(t.Context())
	want := []health.Part{
		{Environment: "production", Room: "video", Name: "database", State: health.OK},
		{Environment: "production", Room: "video", Name: "files", State: health.Degraded, Reason: "files does not answer", Detail: "10.0.0.7: refused"},
	}
	if diff := cmp.Diff(want, parts); diff != "" {
		t.Errorf("want(-) got(+):\n%s", diff)
	}
	if !health.Ready(parts) {
		t.Error("got not ready, want that it works without files")
	}
	if public := health.Public(parts); public[1].Detail != "" || public[1].Reason == "" || parts[1].Detail == "" {
		t.Errorf("got %+v, want the reason without the detail", public[1])
	}
}

func TestWorstOfAll(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		states []health.State
		want   health.State
		ready  bool
	}{
		{nil, health.OK, true},
		{[]health.State{health.OK, health.Degraded, health.OK}, health.Degraded, true},
		{[]health.State{health.Starting, health.Degraded}, health.Starting, false},
		{[]health.State{health.Starting, health.Down}, health.Down, false},
	} {
		var parts []health.Part
		for _, s := range test.states {
			parts = append(parts, health.Part{State: s})
		}
		if got := health.Worst(parts); got != test.want || health.Ready(parts) != test.ready {
			t.Errorf("%v: got %s, ready %v, want %s, %v", test.states, got, health.Ready(parts), test.want, test.ready)
		}
	}
}

func TestManyAskAndFewLook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int64
		room := health.NewRoom("production", "polls", health.Check{Name: "database", Failed: health.Down, Look: func(ctx context.Context) error {
			looks.Add(1)
			<-ctx.Done() // nobody waits longer than the look may take
			return ctx.Err()
		}})
		left, leave := context.WithCancel(t.Context())
		leave()
		for range 3 {
			if parts := room.Parts(left); health.Ready(parts) || looks.Load() != 1 {
				t.Errorf("got %+v after %d looks, want it down after one", parts, looks.Load())
			}
		}
		time.Sleep(2 * time.Second)
		room.Parts(t.Context())
		if looks.Load() != 2 {
			t.Errorf("got %d looks, want another one after a while", looks.Load())
		}
	})
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	well := []health.Part{{Environment: "staging", Room: "polls", Name: "database", State: health.OK}}
	down := append(well, health.Part{Room: "ratelimit", Name: "service", State: health.Down, Reason: "it ends", Detail: "signal"})
	for _, test := range []struct {
		name, path, accept string
		parts              []health.Part
		status             int
		want               string
	}{
		{"well", "/readyz", "*/*", well, 200, "OK"},
		{"nothing there", "/readyz", "", nil, 200, "OK"},
		{"down", "/readyz", "", down, 503, "ratelimit service: down: it ends: signal\n"},
		{"verbose", "/readyz?verbose", "", well, 200, `{"parts":[{"environment":"staging","room":"polls","name":"database","state":"ok"}],"state":"ok"}` + "\n"},
		{"nothing there, as JSON", "/readyz", "text/html, application/json", nil, 200, `{"parts":[],"state":"ok"}` + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, test.path, nil)
			r.Header.Set("Accept", test.accept)
			health.Answer(w, r, test.parts, http.StatusServiceUnavailable)
			if w.Code != test.status || w.Body.String() != test.want {
				t.Errorf("got %d %q, want %d %q", w.Code, w.Body, test.status, test.want)
			}
		})
	}
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/readyz?verbose", nil)
	health.Answer(w, r, down, http.StatusInternalServerError)
	var got struct{ State string }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 500 || got.State != "down" {
		t.Errorf("got %d %s, want 500 and the state down", w.Code, w.Body)
	}
}
