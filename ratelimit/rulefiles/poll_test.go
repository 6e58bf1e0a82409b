package rulefiles

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"stoa/internal/stats"
	"stoa/ratelimit"
)

// Without watches, changes are found by looking.
func TestPollWithoutWatches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sets := make(chan int, 10)
	w := New(Config{Root: dir, AppDirectory: "config"}, Options{
		Log: slog.New(slog.DiscardHandler), Stats: stats.NewRegistry(),
		Load: func(specs []ratelimit.DomainSpec, _ ratelimit.Faults) error { sets <- len(specs); return nil },
	})
	w.notify = func() (*fsnotify.Watcher, error) { return nil, errors.New("too many open files") }
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = w.Run(ctx) }()
	defer func() { stop(); <-done }()

	want := func(specs int) {
		t.Helper()
		select {
		case got := <-sets:
			if got != specs {
				t.Errorf("got %d specs, want %d", got, specs)
			}
		case <-time.After(3 * time.Second):
			t.Fatal("not in time: a set")
		}
	}
	want(0)
	if err := os.Mkdir(filepath.Join(dir, "config"), 0o755); err != nil {
		t.Fatal(err)
	}
	want(0)
	if err := os.WriteFile(filepath.Join(dir, "config", "a.yaml"), []byte("domain: a"), 0o644); err != nil {
		t.Fatal(err)
	}
	want(1)
}
