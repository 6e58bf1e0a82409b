// Package app assembles one process: it reads the settings, opens what they ask
// for and runs it until told to stop. Tests call it too, on port 0.
package app

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"stoa/console"
	"stoa/internal/config"
	"stoa/internal/health"
	"stoa/internal/heap"
	"stoa/internal/logs"
	"stoa/internal/stats"
	"stoa/internal/stats/prom"
	"stoa/internal/tracing"
	"stoa/video/ingest"
)

// services is everything that serve can run, in the order of opening.
var services = []struct {
	name string
	open func(*App) error
}{
	{"ratelimit", (*App).openRatelimit},
	{"polls", (*App).openPolls},
	{"video", (*App).openVideo},
}

// Services is the names that serve takes.
func Services() []string {
	var names []string
	for _, s := range services {
		names = append(names, s.name)
	}
	return names
}

// App is a process in the making, and then running.
type App struct {
	cfg     Config
	log     *slog.Logger
	stats   *stats.Registry
	metrics *prom.Exporter
	tracing *tracing.Tracing
	debug   debugPort
	health  []func(context.Context) []health.Part // of each service that can be unwell
	rules   []console.LimitSource                 // of the rate limit service, where this process runs it
	shared  *backend                              // what the limits of the rooms are counted in, when it is not memory

	known  []*environment
	ingest *ingest.Listeners // nil: no live streams are taken

	fronts []func(context.Context) error // what callers meet; ends first, after its calls
	backs  []func(context.Context) error // what the fronts stand on; ends after them
	closes []func() error                // last, in reverse order
}

// heapSlack is how much a process may grow before it collects garbage.
const heapSlack = 64 << 20

// Options is where a process writes.
type Options struct {
	Stdout  io.Writer // statistics as JSON lines, when they are asked for
	Stderr  io.Writer // the log
	Version string    // of the program
	// Settings is where the values of Config.Settings come from, for operators to see.
	Settings []config.Setting
	// Opened is told each address that is listened on: debug, http, grpc, prometheus,
	// web, web of staging, video, video of staging, rtmp, rtmps, srt, whip.
	Opened func(name, address string)

	drainLimit time.Duration // the longest that open calls hold up the end
}

const defaultDrainLimit = 25 * time.Second

// NewWorker is a process that only does the jobs of servers on the same storage.
func NewWorker(cfg Config, o Options) (*App, error) {
	a, err := prepare(cfg, o)
	if err != nil {
		return nil, err
	}
	return a, a.openWork()
}

// New opens the named services, or all when none is named. It listens on nothing yet.
func New(cfg Config, o Options, names ...string) (*App, error) {
	for _, name := range names {
		if !slices.Contains(Services(), name) {
			return nil, fmt.Errorf("no service %q: want some of %s", name, strings.Join(Services(), ", "))
		}
	}
	a, err := prepare(cfg, o)
	if err != nil {
		return nil, err
	}
	for _, s := range services {
		if len(names) > 0 && !slices.Contains(names, s.name) {
			continue
		}
		if err := s.open(a); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// prepare is what every process has.
func prepare(cfg Config, o Options) (*App, error) {
	if o.Opened == nil {
		o.Opened = func(string, string) {}
	}
	o.drainLimit = cmp.Or(o.drainLimit, defaultDrainLimit)
	cfg.Options = o
	a := &App{cfg: cfg, log: logs.New(o.Stderr, cfg.Log.Format, cfg.Log.Level), stats: stats.NewRegistry()}
	if !cfg.GOGC {
		a.backs = append(a.backs, func(ctx context.Context) error { return heap.Pace(ctx, heapSlack) })
	}
	return a, a.openTelemetry()
}

// Run runs until the context ends or something fails, and then stops in order and lets
// go of everything.
func (a *App) Run(ctx context.Context) error {
	err := runInOrder(ctx, a.fronts, append(a.backs, a.openDebug(ctx)))
	for _, c := range slices.Backward(a.closes) {
		if err := c(); err != nil {
			a.log.Warn("close", "error", err)
		}
	}
	return err
}
