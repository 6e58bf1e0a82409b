package main

import (
	"context"
	"encoding/json"
	"flag"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"stoa/internal/heap"
	"stoa/internal/stats"
)

// child is this program as one of the servers.
type child struct {
	db      string
	answers string // file of what the stub says
	limited bool
	polls   int
	fill    int // votes of the first poll
}

func (c *child) flags(f *flag.FlagSet) {
	f.StringVar(&c.db, "db", "", "for the program itself: database")
	f.StringVar(&c.answers, "answers", "", "for the program itself: file of answers")
	f.BoolVar(&c.limited, "limited", true, "for the program itself: ask the rate limiter")
	f.IntVar(&c.polls, "plant", 0, "for the program itself: polls to make")
	f.IntVar(&c.fill, "fill", 0, "for the program itself: votes of the first poll")
}

// hello is what a server tells when it is ready.
type hello struct{ Address, Debug string }

// listen serves until the context ends, with the settings of `stoa serve`.
func (c *child) listen(ctx context.Context, h http.Handler, registry *stats.Registry, run ...func(context.Context) error) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	debug, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return heap.Pace(ctx, 64<<20) })
	for _, r := range run {
		g.Go(func() error { return r(ctx) })
	}
	g.Go(func() error { return server.Serve(l) })
	g.Go(func() error { return http.Serve(debug, debugMux(registry)) })
	if err := json.NewEncoder(os.Stdout).Encode(hello{l.Addr().String(), debug.Addr().String()}); err != nil {
		return err
	}
	return g.Wait()
}

func debugMux(registry *stats.Registry) http.Handler {
	if registry == nil {
		registry = stats.NewRegistry()
	}
	mux := http.NewServeMux()
	mux.Handle("/stats", stats.Handler(registry))
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/allocs", pprof.Handler("allocs").ServeHTTP)
	return mux
}
