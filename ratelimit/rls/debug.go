package rls

import (
	"fmt"
	"io"
	"net/http"
	"net/http/pprof"

	"stoa/internal/stats"
)

// DebugRoutes is the debug port; metrics is the Prometheus text.
func (s *Service) DebugRoutes(metrics http.Handler) Routes {
	live := newLive(s)
	routes := Routes{
		{"/debug/pprof/", "profiles: index, heap, goroutine, allocs, block, mutex, threadcreate", pprof.Index},
		{"/debug/pprof/cmdline", "the command line", pprof.Cmdline},
		{"/debug/pprof/profile", "CPU profile, ?seconds=30", pprof.Profile},
		{"/debug/pprof/symbol", "names of program counters", pprof.Symbol},
		{"/debug/pprof/trace", "execution trace, ?seconds=1", pprof.Trace},
		{"/explain", "why a request would pass or not, without counting: ?domain=D&descriptors=k=v,k=v, or POST a /json body", s.handle(s.explain)},
		{"/healthz", "200 while the process lives", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "OK") }},
		{"/live", "what is limited right now, as a page", live.page},
		{"/live/events", "the same as a stream of JSON events", live.events},
		{"/live/live.css", "its style", live.asset("live.css")},
		{"/live/live.js", "its script", live.asset("live.js")},
		{"/metrics", "Prometheus metrics", metrics.ServeHTTP},
		{"/readyz", "200 when healthy, else 500", s.healthcheck},
		{"/rlconfig", "the limits in force", s.rlconfig},
		{"/stats", "every counter and gauge, ?format=json", stats.Handler(s.Shown).ServeHTTP},
	}
	index := func(w http.ResponseWriter, _ *http.Request) {
		for _, r := range routes {
			fmt.Fprintf(w, "%s: %s\n", r.Path, r.Help)
		}
	}
	return append(Routes{{"/{$}", "this list", index}}, routes...)
}

func (s *Service) rlconfig(w http.ResponseWriter, _ *http.Request) {
	rules := s.Limiter.Rules()
	if rules == nil {
		return
	}
	for rule := range rules.All() {
		fmt.Fprintln(w, rule)
	}
}
