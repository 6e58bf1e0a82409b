package video_test

import (
	"net/http"
	"sync/atomic"
	"testing"

	"stoa/internal/db"
	"stoa/internal/jobs"
)

// retryAll has everything tried again that was given up; want is how many jobs.
func (s *site) retryAll(want int) {
	s.t.Helper()
	until(s.t, "the jobs given up", func() bool {
		given, err := s.Queue.List(s.t.Context(), jobs.Which{State: jobs.GivenUp}, 100)
		if err != nil {
			s.t.Fatal(err)
		}
		return len(given) == want
	})
	if got, refused, err := s.Queue.RetryAll(s.t.Context(), ""); got != want || refused != 0 || err != nil {
		s.t.Errorf("got %d, %d, %v want %d jobs tried again", got, refused, err, want)
	}
}

func TestSourceThatCouldNotBeFetchedIsFetchedAgain(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d, reachElsewhere)
		var there atomic.Bool
		server := elsewhere(t, func(w http.ResponseWriter, _ *http.Request) {
			if !there.Load() {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			_, _ = w.Write(film(1000))
		})
		s.work()
		id := s.newVideoFrom(server.URL + "/film")
		deleted := s.newVideoFrom(server.URL + "/other")
		for _, id := range []string{id, deleted} {
			s.until("a quality that failed", func() bool {
				_, encoding := s.status(id)
				return len(encoding["qualities"].([]any)) > 0
			})
		}
		s.call("DELETE", "/videos/"+deleted, nil).want(204)
		there.Store(true)
		s.retryAll(2)
		s.until("the source", func() bool { ingest, _ := s.status(id); return ingest["status"] == "ingested" })
		s.until("nothing left of the deleted", func() bool { return len(s.givenUp(deleted)) == 0 })
	})
}

// givenUp is the jobs about a video that were given up.
func (s *site) givenUp(id string) (found []jobs.Job) {
	s.t.Helper()
	all, err := s.Queue.List(s.t.Context(), jobs.Which{State: jobs.GivenUp}, 100)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, j := range all {
		if contains(j.Args, id) {
			found = append(found, j)
		}
	}
	return found
}

func TestSourceThatIsNoVideoIsLookedAtAgain(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.work()
		id := w.newVideo("text")
		if err := w.PlantSource(t.Context(), id, "not a video"); err != nil {
			t.Fatal(err)
		}
		w.untilAll(id, "failed")
		until(t, "it given up", func() bool { return len(w.givenUp(id)) == 1 })
		first := w.givenUp(id)[0]
		w.retryAll(1)
		until(t, "it given up again", func() bool { g := w.givenUp(id); return len(g) == 1 && g[0].Due.After(first.Due) })
		w.untilAll(id, "failed")
	})
}
