package rulefiles_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/rulefiles"
)

// service is a limiter whose rules are watched until the test ends.
type service struct {
	t       *testing.T
	limiter *ratelimit.Limiter
	stats   *stats.Registry
	log     *lines
}

func serve(t *testing.T, cfg rulefiles.Config) *service {
	t.Helper()
	s := &service{t: t, stats: stats.NewRegistry(), log: &lines{}}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	s.limiter = ratelimit.New(ratelimit.Options{Stats: s.stats})
	loader := ratelimit.NewLoader(s.limiter, false, log, func(int) {})
	w := rulefiles.New(cfg, rulefiles.Options{Log: log, Stats: s.stats, Load: loader.Load})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Run: got %v, want nil", err)
		}
	})
	select {
	case <-w.Loaded():
	case <-time.After(5 * time.Second):
		t.Fatal("no first load")
	}
	return s
}

func (s *service) domains() []string {
	if rules := s.limiter.Rules(); rules != nil {
		return rules.Domains()
	}
	return nil
}

func (s *service) good() uint64 {
	return s.stats.Counter("ratelimit.service.config_load_success").Total()
}

func (s *service) bad() uint64 {
	return s.stats.Counter("ratelimit.service.config_load_error").Total()
}

// wants waits for a set of domains, for as long as a reload may take.
func (s *service) wants(domains ...string) {
	s.t.Helper()
	within(s.t, fmt.Sprintf("domains %q", domains), func() bool { return slices.Equal(s.domains(), domains) })
}

func within(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in time: %s", what)
		}
	}
}

// at is the settings for rules in root/config.
func at(root string) rulefiles.Config {
	return rulefiles.Config{Root: root, AppDirectory: "config", WatchRoot: true}
}

func rules(domain string) string {
	return "domain: " + domain + "\ndescriptors:\n- key: k\n  rate_limit: {unit: hour, requests_per_unit: 5}\n"
}

// put writes a file and the folders it is in.
func put(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func link(t *testing.T, to, path string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.Symlink(to, path))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// lines is a log that may be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) count(part string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), part)
}
