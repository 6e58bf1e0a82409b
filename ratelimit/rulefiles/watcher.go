package rulefiles

import (
	"context"
	"log/slog"
	"sync"
	"time"

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
	cfg    Config
	dir    string
	notify func() (*fsnotify.Watcher, error)

	loaded     chan struct{}
	loadedOnce sync.Once
	last       listing
	warned     map[string]bool // names skipped in the last set
	polling    bool            // it was said that there are no watches

	attempts, failures *stats.Counter
	values             *stats.Gauge
}

// New makes a Watcher, which does nothing before Run.
func New(cfg Config, o Options) *Watcher {
	return &Watcher{
		Options: o, cfg: cfg, dir: cfg.Dir(), notify: fsnotify.NewWatcher,
		loaded:   make(chan struct{}),
		attempts: o.Stats.Counter("runtime.load_attempts"),
		failures: o.Stats.Counter("runtime.load_failures"),
		values:   o.Stats.Gauge("runtime.num_values"),
	}
}

// Loaded is closed after the first set was read, good or rejected.
func (w *Watcher) Loaded() <-chan struct{} { return w.loaded }

// Run reads and watches until the context ends, and then returns nil.
func (w *Watcher) Run(ctx context.Context) error {
	for {
		change, stop := w.watch()
		w.load()
		change(ctx)
		stop()
		if ctx.Err() != nil {
			return nil
		}
	}
}

// watch returns how to wait for a change after now. Without watches, as when the
// system has no more of them to give, it looks at the files once a second.
func (w *Watcher) watch() (change func(context.Context), stop func()) {
	e, err := newEvents(w.cfg, w.notify)
	if err != nil {
		if !w.polling {
			w.Log.Warn("Cannot watch the rule files, looking every second instead", "directory", w.dir, "error", err)
		}
		w.polling = true
		return w.poll, func() {}
	}
	w.polling = false
	return e.wait, e.close
}

func (w *Watcher) poll(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now, _ := list(w.dir, w.cfg.IgnoreDotFiles); !now.same(w.last) {
			return
		}
	}
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
