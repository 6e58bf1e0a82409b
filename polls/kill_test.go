package polls_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	neturl "net/url"
	"os"
	programs "os/exec"
	"strings"
	"sync"
	"testing"

	"stoa/internal/blob/memory"
	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/secret"
	"stoa/internal/stats"
	"stoa/polls"
)

// childServes makes this test binary a server on the database it names.
const childServes = "STOA_TEST_CHILD_SERVES"

// TestChildServes is no test: it is what the process that gets killed runs.
func TestChildServes(t *testing.T) {
	where := os.Getenv(childServes)
	if where == "" {
		t.Skip("runs in the process that TestKilledServerHasEveryAnsweredVote kills")
	}
	d := dbtest.Open(t, where)
	box, err := secret.New("the secret of the tests")
	if err != nil {
		t.Fatal(err)
	}
	s, err := polls.New(t.Context(), polls.Options{
		Environment: polls.Production, Origin: "http://polls.example", DB: d, Blobs: memory.New(), Box: box,
		Log: slog.New(slog.DiscardHandler), Stats: stats.NewRegistry(),
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Run(context.Background()) }()
	fmt.Printf("\nserves %s\n", l.Addr())
	t.Fatal(http.Serve(l, s.Handler()))
}

// startChild starts a server on a database and tells where it listens.
func startChild(t *testing.T, where string) (address string, process *programs.Cmd) {
	t.Helper()
	process = programs.Command(os.Args[0], "-test.run=^TestChildServes$", "-test.timeout=5m")
	process.Env = append(os.Environ(), childServes+"="+where)
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(out)
	for said.Scan() {
		if address, found := strings.CutPrefix(said.Text(), "serves "); found {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return address, process
		}
	}
	_ = process.Process.Kill()
	t.Fatalf("the server did not start: %v", process.Wait())
	return "", nil
}

// storm is what people were answered: the option of each voter's only vote.
type storm struct {
	mu       sync.Mutex
	answered map[string]int
	asked    map[string]int
}

// rage votes as one new voter after the other until the server is gone. Each answer
// is told, if anybody listens.
func (s *storm) rage(client *http.Client, url string, here *polls.Service, told chan<- struct{}) {
	for option := 1; ; option = 3 - option {
		id := here.Mint()
		voter := here.Voter(id)
		s.note(s.asked, voter, option)
		w, err := client.PostForm(url, neturl.Values{"option": {fmt.Sprint(option)}, "anonymous_user_id": {id}})
		if err != nil {
			return
		}
		_, err = io.Copy(io.Discard, w.Body)
		w.Body.Close()
		if err != nil {
			return
		}
		if w.StatusCode == http.StatusOK {
			s.note(s.answered, voter, option)
			select {
			case told <- struct{}{}:
			default:
			}
		}
	}
}

func (s *storm) note(in map[string]int, voter string, option int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in[voter] = option
}

func TestKilledServerHasEveryAnsweredVote(t *testing.T) {
	t.Parallel()
	for engine, where := range map[string]func(testing.TB) string{"sqlite": dbtest.SQLite, "postgres": dbtest.Postgres} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			testKilledServer(t, where(t))
		})
	}
}

func testKilledServer(t *testing.T, where string) {
	d := dbtest.Open(t, where)
	if err := d.Migrate(t.Context(), polls.Room, polls.Migrations()); err != nil {
		t.Fatal(err)
	}
	poll, here := plantPoll(t, d), newSite(t, d).service // for the keys, which all servers have
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	s := &storm{answered: map[string]int{}, asked: map[string]int{}}
	for round := range 20 {
		address, process := startChild(t, where)
		url := fmt.Sprintf("http://%s/api/v4/polls/%d/votes", address, poll)
		told := make(chan struct{}, 1000)
		var people sync.WaitGroup
		for range 16 {
			people.Go(func() { s.rage(client, url, here, told) })
		}
		for range 40 + 7*round { // never at the same moment
			<-told
		}
		if err := process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = process.Wait() // it was killed
		people.Wait()
		s.check(t, d, poll)
	}
}

// check compares the rows with what people were answered, and the counters with
// the rows.
func (s *storm) check(t *testing.T, d *db.DB, poll int64) {
	t.Helper()
	var kept map[string]int
	var counted, rows [2]int
	err := d.InSnapshot(t.Context(), func(tx *db.Tx) error {
		if err := tx.QueryRow(t.Context(), "SELECT first_votes, second_votes FROM polls WHERE id = $1", poll).Scan(&counted[0], &counted[1]); err != nil {
			return err
		}
		var err error
		kept, err = readChoices(t.Context(), tx, poll)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for voter, option := range kept {
		rows[option-1]++
		if s.asked[voter] != option {
			t.Errorf("got a vote for %d that nobody cast", option)
		}
	}
	if counted != rows {
		t.Errorf("got counters %v want the rows %v", counted, rows)
	}
	for voter, option := range s.answered {
		if kept[voter] != option {
			t.Errorf("got %d want the answered vote for %d", kept[voter], option)
		}
	}
}

func readChoices(ctx context.Context, tx *db.Tx, poll int64) (map[string]int, error) {
	rows, err := tx.Query(ctx, "SELECT voter, choice FROM votes WHERE poll_id = $1", poll)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	choices := map[string]int{}
	for rows.Next() {
		var voter string
		var choice int
		if err := rows.Scan(&voter, &choice); err != nil {
			return nil, err
		}
		choices[voter] = choice
	}
	return choices, rows.Err()
}
