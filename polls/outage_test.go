package polls_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/polls"
)

// wirecutter stands between a service and its database.
type wirecutter struct {
	listener net.Listener
	to       string
	silent   atomic.Bool  // new connections are closed
	muted    atomic.Bool  // the next COMMIT gets through, and its answer does not
	hold     sync.RWMutex // locked: nothing that the service says gets through

	mu    sync.Mutex
	conns []net.Conn
}

// cutWires leads the URL of a database over a wirecutter.
func cutWires(t *testing.T, where string) (*wirecutter, string) {
	t.Helper()
	u, err := url.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wirecutter{listener: l, to: u.Host}
	var serving sync.WaitGroup
	serving.Go(func() { w.serve(&serving) })
	t.Cleanup(func() { l.Close(); w.cut(); serving.Wait() })
	u.Host = l.Addr().String()
	return w, u.String()
}

// overWires is a database of PostgreSQL behind a wirecutter.
func overWires(t *testing.T) (*wirecutter, *db.DB) {
	t.Helper()
	wires, where := cutWires(t, dbtest.Postgres(t))
	d := dbtest.Open(t, where)
	if err := d.Migrate(t.Context(), polls.Room, polls.Migrations()); err != nil {
		t.Fatal(err)
	}
	return wires, d
}

func (w *wirecutter) serve(all *sync.WaitGroup) {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", w.to)
		if err != nil || w.silent.Load() {
			near.Close()
			continue
		}
		w.mu.Lock()
		w.conns = append(w.conns, near, far)
		w.mu.Unlock()
		var deaf atomic.Bool
		all.Go(func() { defer far.Close(); w.pass(far, near, &deaf) })
		all.Go(func() {
			defer near.Close()
			_, _ = io.Copy(writerFunc(func(p []byte) (int, error) {
				if deaf.Load() {
					return 0, io.ErrClosedPipe
				}
				return near.Write(p)
			}), far)
		})
	}
}

// pass carries what the service says.
func (w *wirecutter) pass(far io.Writer, near io.Reader, deaf *atomic.Bool) {
	buffer := make([]byte, 64<<10)
	voting := false // the service does other things as well
	for {
		n, err := near.Read(buffer)
		if err != nil {
			return
		}
		voting = voting || bytes.Contains(buffer[:n], []byte("INSERT INTO votes"))
		if voting && bytes.Contains(buffer[:n], []byte("commit")) && w.muted.CompareAndSwap(true, false) {
			deaf.Store(true)
		}
		w.hold.RLock()
		_, err = far.Write(buffer[:n])
		w.hold.RUnlock()
		if err != nil {
			return
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// cut ends all connections.
func (w *wirecutter) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.conns {
		c.Close()
	}
	w.conns = nil
}

func TestVotesWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	wires, d := overWires(t)
	s, poll := newSite(t, d), plantPoll(t, d)
	v := s.voter()
	v.cast(poll, 1).object()
	l := s.watch(poll)
	l.until(1, 0)

	wires.silent.Store(true)
	wires.cut()
	for _, a := range []answer{v.cast(poll, 2), v.remove(poll), v.see(poll)} {
		a.refused(503, "unavailable", "")
	}
	wires.silent.Store(false)
	eventually(t, "votes count again", func() bool { return v.cast(poll, 2).status == 200 })
	eventually(t, "polls are read again", func() bool { return v.see(poll).status == 200 })
	stands(t, v.look(poll), 0, 1)
	l.until(0, 1)
}

func TestRequestsEndWhileTheDatabaseHangs(t *testing.T) {
	t.Parallel()
	wires, d := overWires(t)
	s, poll := newSite(t, d), plantPoll(t, d)
	ann := plantLogin(s, d, "ann")
	path := fmt.Sprintf("/polls/%d", poll)
	ann.call("GET", path, nil).object()

	wires.hold.Lock()
	var asking sync.WaitGroup
	asking.Go(func() { s.call("GET", path, nil).refused(503, "unavailable", "") })
	asking.Go(func() { ann.call("GET", path, nil).refused(503, "unavailable", "") })
	asking.Go(func() { ann.call("POST", path+"/votes", object{"option": 1}).refused(503, "unavailable", "") })
	asking.Wait()
	wires.hold.Unlock()
	eventually(t, "polls are read again", func() bool { return ann.call("GET", path, nil).status == 200 })
}

func TestVoteWhoseCommitIsNotAnswered(t *testing.T) {
	t.Parallel()
	wires, d := overWires(t)
	s, poll := newSite(t, d), plantPoll(t, d)
	v := s.voter()
	stands(t, v.look(poll), 0, 0)
	wires.muted.Store(true)
	v.cast(poll, 1).refused(503, "unavailable", "")
	eventually(t, "the vote is seen, since it holds", func() bool { return number(v.look(poll)["voteCount"]) == 1 })
	stands(t, v.cast(poll, 1).object(), 1, 0)
	if rows := count(t, d, "SELECT count(*) FROM votes"); rows != 1 {
		t.Errorf("got %d rows want 1", rows)
	}
}

// What one process has answered, the next read of the other shows, while both count
// votes on the same poll.
func TestTwoProcessesAnswerAsOne(t *testing.T) {
	t.Parallel()
	where := dbtest.Postgres(t)
	d := dbtest.Open(t, where)
	if err := d.Migrate(t.Context(), polls.Room, polls.Migrations()); err != nil {
		t.Fatal(err)
	}
	sites := []*site{newSite(t, d), newSite(t, dbtest.Open(t, where))}
	hot, others := plantPoll(t, d), []int64{plantPoll(t, d), plantPoll(t, d)}
	var wg sync.WaitGroup
	for i := range 40 {
		here, there := sites[i%2], sites[1-i%2]
		wg.Go(func() {
			v := here.voter()
			for j, poll := range slices.Concat(others[i%2:], []int64{hot, others[0]}) {
				cast := v.cast(poll, 1+(i+j)%2).success()
				read := voter{there, v.id}.see(poll).success()
				if number(read["userVote"]) != number(cast["userVote"]) || number(read["voteCount"]) < number(cast["voteCount"]) {
					t.Errorf("got %v votes and %v of one's own in one process after %v and %v in the other",
						read["voteCount"], read["userVote"], cast["voteCount"], cast["userVote"])
				}
			}
		})
	}
	wg.Wait()
	if n := count(t, d, `SELECT count(*) FROM polls WHERE first_votes + second_votes <>
		(SELECT count(*) FROM votes WHERE poll_id = polls.id)`); n != 0 {
		t.Errorf("got %d polls whose counters are not their rows", n)
	}
	ann := plantLogin(sites[0], d, "ann")
	path := fmt.Sprint("/polls/", hot)
	there := login{sites[1], ann.planted}
	there.call("GET", path, nil).object()
	ann.call("POST", "/users/sign_out", nil).object()
	there.call("GET", path, nil).refused(401, "invalid_token", "auth_token")
}

// The name of an answer is not used again for another one, also by the next server.
func TestTagOutlivesTheServer(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		path := fmt.Sprint("/polls/", plantPollOf(t, d, ann.id))
		tag := func(s *site) string { return s.call("GET", path, nil).header.Get("ETag") }
		before := tag(s)
		ann.call("PATCH", "/users/me", object{"name": "Ann"}).object()
		after := tag(s)
		next := newSite(t, d, func(o *polls.Options) { o.Origin = s.service.Origin })
		if again := tag(next); before == after || again != after {
			t.Errorf("got tags %s before, %s after a new name and %s from the next server", before, after, again)
		}
	})
}

// Who may see more has an answer of another name.
func TestTagTellsTheCreatorsAnswer(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		poll := ann.ready(object{"private": true})
		_, key, _ := strings.Cut(poll["url"].(string), "?k=")
		holder := s.call("GET", pollPath(poll), object{"poll_key": key})
		creator := ann.call("GET", pollPath(poll), object{"poll_key": key})
		if tag := holder.header.Get("ETag"); holder.object()["url"] == creator.object()["url"] || tag == creator.header.Get("ETag") {
			t.Errorf("got tag %s for both want one for each address", tag)
		}
	})
}

// Copies of a later time than the database go on to say that the poll is gone. Only
// servers on PostgreSQL are asked: one that owns a file is not restored under its feet.
func TestListsEndWhenTheDatabaseWentBack(t *testing.T) {
	t.Parallel()
	_, d := overWires(t)
	s := newSite(t, d)
	ann := plantLogin(s, d, "ann")
	poll := plantPollOf(t, d, ann.id)
	ann.call("DELETE", fmt.Sprint("/polls/", poll), nil).object()
	s.call("GET", fmt.Sprint("/polls/", poll), nil).refused(404, "poll_not_found", "poll_id")
	exec(t, d, "UPDATE polls SET state = 1, version = 1 WHERE id = $1", poll)
	for _, path := range []string{"/polls", "/users/ann/polls_created"} {
		s.call("GET", path, nil).refused(503, "unavailable", "")
	}
}
