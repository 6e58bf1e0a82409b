package rulefiles

import (
	"context"
	"log/slog"
	"sync"

	"github.com/fsnotify/fsnotify"

	"stoa/internal/stats"
	"stoa/ratelimit"
)

// Options is what a Watcher needs.
type Options struct {
	Log   *slog.Logger
	Stats *stats.Registry

	// Load is given each set that was read, with what is wrong about it. It logs
	// for itself; its error changes nothing here.
	Load func([]ratelimit.DomainSpec, ratelimit.Faults) error
}

// Watcher hands the rules below a folder to Load, once at the start and again
// after each change.
type Watcher struct {
	Options
	changes
	cfg Config
	dir string

	loaded     chan struct{}
	loadedOnce sync.Once
	last       listing
	warned     map[string]bool // names skipped in the last set

	attempts, failures *stats.Counter
	values             *stats.Gauge
}

// New makes a Watcher, which does nothing before Run.
func New(cfg Config, o Options) *Watcher {
	w := &Watcher{
		Options: o, cfg: cfg, dir: cfg.Dir(),
		loaded:   make(chan struct{}),
		attempts: o.Stats.Counter("runtime.load_attempts"),
		failures: o.Stats.Counter("runtime.load_failures"),
		values:   o.Stats.Gauge("runtime.num_values"),
	}
	w.changes = changes{log: o.Log, of: w.dir, places: cfg.places, differs: w.differ, notify: fsnotify.NewWatcher}
	return w
}

// Loaded is closed after the first set was read, good or rejected.
func (w *Watcher) Loaded() <-chan struct{} { return w.loaded }

// Run reads and watches until the context ends, and then returns nil.
func (w *Watcher) Run(ctx context.Context) error {
	w.each(ctx, w.load)
	return nil
}

// differ tells whether the files are others than those that were read last.
func (w *Watcher) differ() bool {
	now, _ := list(w.dir, w.cfg.IgnoreDotFiles)
	return !now.same(w.last)
}

func (w *Watcher) load() {
	w.attempts.Add(1)
	r, err := read(w.dir, w.cfg.IgnoreDotFiles)
	if err != nil {
		r.fault(w.dir, err)
	}
	if r.unread > 0 {
		w.failures.Add(1)
	}
	w.values.Set(int64(r.read))
	w.warn(r)
	w.last = r.listing
	_ = w.Load(r.specs, r.faults)
	w.loadedOnce.Do(func() { close(w.loaded) })
}

// warn tells what was not read, each name once while it is there.
func (w *Watcher) warn(r reading) {
	now := make(map[string]bool, len(r.skipped)+1)
	if r.missing {
		now[""] = true
		if !w.warned[""] {
			w.Log.Warn("No rule directory, so no limits until it appears", "directory", w.dir)
		}
	}
	for _, name := range r.skipped {
		now[name] = true
		if !w.warned[name] {
			w.Log.Warn("Not read as rules: not a file *.yaml or *.yml", "directory", w.dir, "file", name)
		}
	}
	w.warned = now
}
