package polls_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/stats"
	"stoa/polls"
)

// event is one event of a stream; name is empty for a comment or a setting.
type event struct{ name, data string }

// live is a stream that a client has open.
type live struct {
	t      testing.TB
	answer *http.Response
	in     *bufio.Reader
	leave  context.CancelFunc
}

// watch opens a stream. It ends with the test at the latest.
func (s *site) watch(poll int64) *live {
	s.t.Helper()
	ctx, leave := context.WithCancel(s.t.Context())
	s.t.Cleanup(leave)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/api/v4/polls/%d/events", s.server.URL, poll), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { w.Body.Close() })
	return &live{s.t, w, bufio.NewReader(w.Body), leave}
}

// next waits for the next event. At the end of the stream it is "end".
func (l *live) next() event {
	l.t.Helper()
	var e event
	for {
		line, err := l.in.ReadString('\n')
		if err == io.EOF {
			return event{name: "end"}
		}
		if err != nil {
			l.t.Fatalf("read the stream: %v", err)
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if e.name != "" {
				return e
			}
		}
	}
}

// until waits for results of so many votes, which must agree with each other.
func (l *live) until(first, second int64) {
	l.t.Helper()
	for {
		e := l.next()
		if e.name != "results" {
			l.t.Fatalf("got %v want results of %d to %d", e, first, second)
		}
		var o object
		if err := json.Unmarshal([]byte(e.data), &o); err != nil {
			l.t.Fatalf("got data %q want JSON: %v", e.data, err)
		}
		a, b := number(o["firstChoiceVoteCount"]), number(o["secondChoiceVoteCount"])
		if number(o["voteCount"]) != a+b || number(o["firstChoicePercentage"])+number(o["secondChoicePercentage"]) != 100*min(1, a+b) ||
			o["firstWinning"] != (a > b) || o["secondWinning"] != (b > a) {
			l.t.Fatalf("got %s want numbers that agree", e.data)
		}
		if a == first && b == second {
			return
		}
	}
}

func TestStreamShowsVotesAsTheyCome(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, poll := newSite(t, d), plantPoll(t, d)
		v := s.voter()
		v.cast(poll, 1).object()
		l := s.watch(poll)
		if got := l.answer.Header.Get("Content-Type"); l.answer.StatusCode != 200 || got != "text/event-stream" {
			t.Fatalf("got %d %s want an event stream", l.answer.StatusCode, got)
		}
		if line, err := l.in.ReadString('\n'); line != "retry: 3000\n" {
			t.Errorf("got %q, %v want retry: 3000", line, err)
		}
		l.until(1, 0)
		v.cast(poll, 2).object()
		l.until(0, 1)
		s.voter().cast(poll, 2).object()
		l.until(0, 2)
		v.remove(poll).object()
		l.until(0, 1)
	})
}

// Whoever votes just while a stream begins is seen by it.
func TestStreamMissesNothingAtItsBeginning(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, poll := newSite(t, d), plantPoll(t, d)
		for n := range int64(10) {
			voted := make(chan object)
			v := s.voter()
			go func() { voted <- v.cast(poll, 1).success() }()
			l := s.watch(poll)
			<-voted
			l.until(n+1, 0)
			l.leave()
		}
	})
}

func TestStreamEndsWhenThePollIsDeleted(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		poll := plantPollOf(t, d, ann.id)
		here, there := s.watch(poll), newOther(t, d, s).watch(poll)
		here.until(0, 0)
		there.until(0, 0)
		ann.call("DELETE", fmt.Sprint("/polls/", poll), nil).object()
		for _, l := range []*live{here, there} {
			if e := l.next(); e.name != "deleted" {
				t.Errorf("got %v want deleted", e)
			}
			if e := l.next(); e.name != "end" {
				t.Errorf("got %v want the end", e)
			}
		}
		s.call("GET", fmt.Sprintf("/polls/%d/events", poll), nil).refused(404, "poll_not_found", "poll_id")
	})
}

func TestStreamsAreForThoseWhoMaySeeThePoll(t *testing.T) {
	t.Parallel()
	d := openSQLite(t)
	s := newSite(t, d)
	ann := plantLogin(s, d, "ann")
	poll := plantPollOf(t, d, ann.id)
	exec(t, d, "UPDATE polls SET private = TRUE WHERE id = $1", poll)
	path := fmt.Sprintf("/polls/%d/events", poll)
	s.call("GET", path, nil).refused(404, "poll_not_found", "poll_id")
	s.call("GET", path, object{"auth_token": "pt_x"}).refused(401, "invalid_token", "auth_token")
	if a := s.call("HEAD", path+"?auth_token="+ann.token, nil); a.status != 200 {
		t.Errorf("got %d want 200 for the creator", a.status)
	}
}

// A vote through one process reaches the streams of another, and an operator's
// command those of the server.
func TestStreamShowsWhatOtherProcessesDo(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, poll := newSite(t, d), plantPoll(t, d)
		other := newOther(t, d, s)
		l, m := s.watch(poll), other.watch(poll)
		l.until(0, 0)
		m.until(0, 0)
		other.voter().cast(poll, 1).object()
		l.until(1, 0)
		s.voter().cast(poll, 2).object()
		m.until(1, 1)
		exec(t, secondConnection(t, d), "UPDATE polls SET first_votes = first_votes + 1, version = version + 1 WHERE id = $1", poll)
		l.until(2, 1)
		m.until(2, 1)
	})
}

// secondConnection is the database as another process has it open.
func secondConnection(t *testing.T, d *db.DB) *db.DB {
	t.Helper()
	if d.Postgres() {
		return d
	}
	var where string
	if err := d.QueryRow(t.Context(), "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&where); err != nil {
		t.Fatal(err)
	}
	return dbtest.Open(t, where)
}

func TestStreamsOfOneAddressAreBounded(t *testing.T) {
	t.Parallel()
	d := openSQLite(t)
	s, poll := newSite(t, d, func(o *polls.Options) { o.StreamsPerAddress = 2 }), plantPoll(t, d)
	path := fmt.Sprintf("/polls/%d/events", poll)
	first, second := s.watch(poll), s.watch(poll)
	first.until(0, 0)
	second.until(0, 0)
	a := s.call("GET", path, nil)
	a.refused(503, "unavailable", "")
	if after := a.header.Get("Retry-After"); after != "5" {
		t.Errorf("got Retry-After %q want what the message says", after)
	}
	first.leave()
	eventually(t, "a place is free when somebody leaves", func() bool { return s.call("HEAD", path, nil).status == 200 })
}

func TestStreamsOfOneAddressAreAsTheRulesSay(t *testing.T) {
	t.Parallel()
	d := openSQLite(t)
	s, poll := newSite(t, d, func(o *polls.Options) { o.StreamsPerAddress = 0; o.Rules = "default" }), plantPoll(t, d)
	for range 10 {
		s.watch(poll).until(0, 0)
	}
	s.call("GET", fmt.Sprintf("/polls/%d/events", poll), nil).refused(503, "unavailable", "")
}

// Ten thousand streams are asked for: as many as are allowed go on and are told of
// votes, and the others know at once where they are.
func TestTenThousandStreams(t *testing.T) {
	t.Parallel()
	d, registry := openSQLite(t), stats.NewRegistry()
	const allowed, asked = 100, 10_000
	s, poll := newSite(t, d, func(o *polls.Options) { o.Streams, o.StreamsPerAddress, o.Stats = allowed, asked, registry }), plantPoll(t, d)
	var open []*live
	for range allowed {
		l := s.watch(poll)
		l.until(0, 0)
		open = append(open, l)
	}
	var next atomic.Int64
	done := make(chan struct{})
	for range 8 {
		go func() {
			defer func() { done <- struct{}{} }()
			for next.Add(1) <= asked-allowed {
				w, err := s.server.Client().Get(fmt.Sprintf("%s/api/v4/polls/%d/events", s.server.URL, poll))
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, w.Body)
				w.Body.Close()
				if w.StatusCode != http.StatusServiceUnavailable {
					t.Errorf("got %d want 503", w.StatusCode)
				}
			}
		}()
	}
	for range 8 {
		<-done
	}
	if got := registry.Counter("stoa.polls.streams_refused").Total(); got != asked-allowed {
		t.Errorf("got %d refused want %d", got, asked-allowed)
	}
	if got := registry.Gauge("stoa.polls.streams", stats.Tag{Key: "environment", Value: polls.Production}).Value(); got != allowed {
		t.Errorf("got %d open want %d", got, allowed)
	}
	s.voter().cast(poll, 2).object()
	for _, l := range open {
		l.until(0, 1)
	}
}

func TestStreamsEndWithTheService(t *testing.T) {
	t.Parallel()
	d := openSQLite(t)
	s, poll := newSite(t, d), plantPoll(t, d)
	l := s.watch(poll)
	l.until(0, 0)
	s.service.EndStreams()
	if e := l.next(); e.name != "end" {
		t.Errorf("got %v want the end", e)
	}
	s.call("GET", fmt.Sprintf("/polls/%d/events", poll), nil).refused(503, "unavailable", "")
}
