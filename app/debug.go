package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/pprof"
	"slices"

	"stoa/internal/health"
	"stoa/internal/stats"
	"stoa/ratelimit/rls"
)

// debugPort is what operators ask, whatever runs: profiles, metrics, health, and
// what each service adds.
type debugPort struct {
	metrics http.Handler
	shown   *stats.Registry // what /stats shows
	health  func(context.Context) []health.Part
	added   rls.Routes
}

// routes is the whole port, in the order of paths.
func (d *debugPort) routes() rls.Routes {
	routes := append(rls.Routes{
		{Path: "/debug/pprof/", Help: "profiles: index, heap, goroutine, allocs, block, mutex, threadcreate", Serve: pprof.Index},
		{Path: "/debug/pprof/cmdline", Help: "the command line", Serve: pprof.Cmdline},
		{Path: "/debug/pprof/profile", Help: "CPU profile, ?seconds=30", Serve: pprof.Profile},
		{Path: "/debug/pprof/symbol", Help: "names of program counters", Serve: pprof.Symbol},
		{Path: "/debug/pprof/trace", Help: "execution trace, ?seconds=1", Serve: pprof.Trace},
		{Path: "/healthz", Help: "200 while the process lives", Serve: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "OK") }},
		{Path: "/metrics", Help: "Prometheus metrics", Serve: d.metrics.ServeHTTP},
		{Path: "/readyz", Help: "200 when healthy, else 500; every room and backend with ?verbose", Serve: d.readyz},
		{Path: "/stats", Help: "every counter and gauge, ?format=json", Serve: stats.Handler(d.shown).ServeHTTP},
	}, d.added...)
	slices.SortFunc(routes, func(a, b rls.Route) int { return cmp.Compare(a.Path, b.Path) })
	index := func(w http.ResponseWriter, _ *http.Request) {
		for _, r := range routes {
			fmt.Fprintf(w, "%s: %s\n", r.Path, r.Help)
		}
	}
	return append(rls.Routes{{Path: "/{$}", Help: "this list", Serve: index}}, routes...)
}

func (d *debugPort) readyz(w http.ResponseWriter, r *http.Request) {
	health.Answer(w, r, d.health(r.Context()), http.StatusInternalServerError)
}

// openDebug opens the debug port before anything else, and returns what serves it:
// a back, so that one can look while the fronts drain. That it does not open is not
// the end of the process.
func (a *App) openDebug(ctx context.Context) func(context.Context) error {
	listener, err := a.listen(ctx, "debug", a.cfg.Ratelimit.Edge.DebugAddress())
	if err != nil {
		a.log.Error("the debug port does not open", "error", err)
		return func(context.Context) error { return nil }
	}
	server := newHTTPServer(mux(a.debug.routes()), a.log)
	return func(ctx context.Context) error {
		stop := context.AfterFunc(ctx, func() { _ = server.Close() })
		defer stop()
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("debug port: %w", err)
		}
		return nil
	}
}

func mux(routes rls.Routes) *http.ServeMux {
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.HandleFunc(r.Path, r.Serve)
	}
	return mux
}
