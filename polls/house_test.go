package polls_test

import (
	"testing"
	"time"

	"stoa/internal/blob/memory"
	"stoa/internal/db"
	"stoa/polls"
)

// exec changes the database behind the service's back.
func count(t *testing.T, d *db.DB, text string, args ...any) (n int) {
	t.Helper()
	if err := d.QueryRow(t.Context(), text, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func ago(life time.Duration) int64 { return db.Micros(time.Now().Add(-life)) }

const day = 24 * time.Hour

func TestAbandonedPollsAreDeleted(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		files := memory.New()
		s := newSite(t, d, func(o *polls.Options) { o.Blobs = files })
		ann := plantLogin(s, d, "ann")
		old, young, ready := ann.draft(nil), ann.draft(nil), ann.ready(nil)
		s.upload(old, somePicture)
		exec(t, d, "UPDATE polls SET created_at = $1 WHERE id <> $2", ago(day+time.Minute), pollID(young))
		kept := len(keys(t, files)) - 1
		s.service.KeepHouse(t)
		ann.call("GET", pollPath(old), nil).refused(404, "poll_not_found", "poll_id")
		ann.call("GET", pollPath(young), nil).object()
		ann.call("GET", pollPath(ready), nil).object()
		s.service.KeepHouse(t)
		if left := keys(t, files); len(left) != kept {
			t.Errorf("got %v want the files of the ready poll", left)
		}
	})
}

func TestVotesOfDeletedPollsAreErased(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		old, young, there := ann.ready(nil), ann.ready(nil), ann.ready(nil)
		for _, poll := range []object{old, young, there} {
			ann.call("POST", pollPath(poll)+"/votes", object{"option": 1}).object()
			exec(t, d, "INSERT INTO favorites (user_id, poll_id, created_at) VALUES ($1, $2, 1)", ann.id, pollID(poll))
			exec(t, d, "INSERT INTO comments (id, poll_id, user_id, body, created_at) VALUES ($1, $1, $2, 'c', 1)", pollID(poll), ann.id)
		}
		ann.call("DELETE", pollPath(old), nil).object()
		ann.call("DELETE", pollPath(young), nil).object()
		s.service.KeepHouse(t)
		if got := count(t, d, "SELECT count(*) FROM votes"); got != 3 {
			t.Errorf("got %d votes want all kept at first", got)
		}
		exec(t, d, "UPDATE polls SET deleted_at = $1 WHERE id = $2", ago(31*day), pollID(old))
		s.service.KeepHouse(t)
		for _, table := range []string{"votes", "favorites", "comments"} {
			if of, all := count(t, d, "SELECT count(*) FROM "+table+" WHERE poll_id = $1", pollID(old)), count(t, d, "SELECT count(*) FROM "+table); of != 0 || all != 2 {
				t.Errorf("got %d, in all %d %s want those of the poll deleted long ago erased", of, all, table)
			}
		}
		ann.call("DELETE", pollPath(old), nil).object()
	})
}

func TestOldAnswersAndTokensAreForgotten(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		for key, at := range map[string]int64{"old": ago(25 * time.Hour), "young": ago(23 * time.Hour)} {
			exec(t, d, "INSERT INTO answers (caller, key, request_hash, status, body, location, created_at) VALUES ('u1', $1, $2, 200, $2, '', $3)",
				key, []byte("x"), at)
			exec(t, d, "INSERT INTO tokens (hash, user_id, created_at, used_at) VALUES ($1, $2, $3, $3)", []byte(key), ann.id, at-int64(89*day/time.Microsecond))
		}
		s.service.KeepHouse(t)
		if got := count(t, d, "SELECT count(*) FROM answers"); got != 1 {
			t.Errorf("got %d answers want the young one", got)
		}
		if got := count(t, d, "SELECT count(*) FROM tokens"); got != 2 {
			t.Errorf("got %d tokens want the young ones", got)
		}
	})
}

func TestLeaseHasOneHolder(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		release := s.service.Lease(t, "test")
		if release == nil {
			t.Fatal("got no lease want it free")
		}
		if s.service.Lease(t, "test") != nil {
			t.Error("got a second lease want one holder")
		}
		exec(t, d, "UPDATE leases SET until = $1 WHERE name = 'test'", ago(time.Second))
		if s.service.Lease(t, "test") == nil {
			t.Error("got no lease want that of a dead holder taken over")
		}
		release() // of a lease that somebody else has by now
		if s.service.Lease(t, "test") != nil {
			t.Error("got a lease want only one's own released")
		}
	})
}
