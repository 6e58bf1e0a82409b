package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// server is a process under test.
type server struct {
	hello
	name    string
	voters  []string                  // anonymous ids that it takes
	sent    map[string]*atomic.Uint64 // requests so far, by workload
	process *os.Process
}

// house starts the servers and ends them.
type house struct {
	dir     string
	started []*exec.Cmd
}

func (h *house) stop() {
	for _, cmd := range h.started {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// startAll starts the polls in every way there is, and the stub.
func (h *house) startAll(ctx context.Context, s settings) ([]*server, error) {
	sqlite, err := h.startStoa(ctx, "stoa, SQLite", s)
	if err != nil {
		return nil, err
	}
	unlimited, err := h.startStoa(ctx, "stoa, SQLite, no limits", s, "-limited=false")
	if err != nil {
		return nil, err
	}
	stub, err := h.startStub(ctx, sqlite)
	if err != nil {
		return nil, err
	}
	servers := []*server{stub, sqlite, unlimited}
	if s.postgres != "" {
		postgres, err := h.startStoa(ctx, "stoa, PostgreSQL", s, "-db", s.postgres)
		if err != nil {
			return nil, err
		}
		servers = append(servers, postgres)
	}
	return servers, nil
}

// startStoa starts the polls and gets ids for everybody who will vote.
func (h *house) startStoa(ctx context.Context, name string, s settings, more ...string) (*server, error) {
	file := filepath.Join(h.dir, fmt.Sprintf("%d.db", len(h.started)))
	server, err := h.start(ctx, name, append([]string{"-serve", "stoa", "-db", file, "-plant", strconv.Itoa(s.polls + 2)}, more...)...)
	if err != nil {
		return nil, err
	}
	return server, server.mint(ctx, s.voters)
}

// startStub records what the polls answer, and starts a server that answers it.
func (h *house) startStub(ctx context.Context, as *server) (*server, error) {
	var a answers
	var err error
	vote := fmt.Sprintf(`{"option":1,"anonymous_user_id":%q}`, as.voters[0])
	if a.Vote, err = as.record(ctx, http.MethodPost, "/polls/1/votes", vote); err != nil {
		return nil, err
	}
	if a.Poll, err = as.record(ctx, http.MethodGet, "/polls/2", ""); err != nil {
		return nil, err
	}
	if a.Polls, err = as.record(ctx, http.MethodGet, "/polls", ""); err != nil {
		return nil, err
	}
	data, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(h.dir, "answers.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return nil, err
	}
	stub, err := h.start(ctx, "stub", "-serve", "stub", "-answers", file)
	if err == nil {
		stub.voters = as.voters
	}
	return stub, err
}

func (h *house) start(ctx context.Context, name string, args ...string) (*server, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	h.started = append(h.started, cmd)
	s := &server{name: name, process: cmd.Process, sent: map[string]*atomic.Uint64{}}
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(&s.hello); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	fmt.Fprintf(os.Stderr, "%s: http://%s, profiles at http://%s/debug/pprof\n", name, s.Address, s.Debug)
	return s, nil
}

// client keeps the connections of those who mint.
var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}

func (s *server) record(ctx context.Context, method, path, body string) (recorded, error) {
	r, err := http.NewRequestWithContext(ctx, method, "http://"+s.Address+"/api/v4"+path, strings.NewReader(body))
	if err != nil {
		return recorded{}, err
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w, err := client.Do(r)
	if err != nil {
		return recorded{}, err
	}
	defer w.Body.Close()
	data, err := io.ReadAll(w.Body)
	if err == nil && w.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s %s", method, path, w.Status, data)
	}
	w.Header.Del("Date") // the server adds its own
	return recorded{w.Header, bytes.Clone(data)}, err
}

// mint asks for the ids of people.
func (s *server) mint(ctx context.Context, n int) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(16)
	s.voters = make([]string, n)
	for i := range s.voters {
		g.Go(func() error {
			answer, err := s.record(ctx, http.MethodGet, "/users/me", "")
			if err != nil {
				return err
			}
			var user struct{ AnonymousUserID string }
			err = json.Unmarshal(answer.Body, &user)
			s.voters[i] = user.AnonymousUserID
			return err
		})
	}
	return g.Wait()
}

// usage is what a server has used so far.
type usage struct {
	cpu           time.Duration
	votes, groups float64
}

// tick is the unit of the CPU times in /proc: 100 a second on every Linux that Go runs on.
const tick = 10 * time.Millisecond

func (s *server) usage(ctx context.Context) (usage, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.process.Pid))
	if err != nil {
		return usage{}, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may hold blanks
	fields := strings.Fields(rest)
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		return usage{}, err
	}
	system, err := strconv.Atoi(fields[12])
	if err != nil {
		return usage{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Debug+"/stats?format=json", nil)
	if err != nil {
		return usage{}, err
	}
	w, err := client.Do(r)
	if err != nil {
		return usage{}, err
	}
	defer w.Body.Close()
	var figures map[string]float64
	if err := json.NewDecoder(w.Body).Decode(&figures); err != nil {
		return usage{}, err
	}
	return usage{time.Duration(user+system) * tick, figures["stoa.polls.votes"], figures["stoa.polls.commits"]}, nil
}
