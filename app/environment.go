package app

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"

	"stoa/console"
	"stoa/internal/jobs"
	"stoa/polls"
	"stoa/video"
)

// environment is one environment of a process: what it keeps, the rooms that people
// meet in it, each at a port of its own, and the jobs that they leave to be done.
type environment struct {
	app         *App
	place       place
	certificate serverTLS // nil: plain HTTP
	rooms       []*room
	limits      []console.LimitSource // of the rooms
	worker      bool                  // only does jobs, beside a server
	store       *store

	open atomic.Bool
}

// environments finds those that there are, and makes them known the first time. Nobody
// may miss the second one, so the log says why it is not there.
func (a *App) environments() ([]*environment, error) {
	if a.known != nil {
		return a.known, nil
	}
	certificates, err := a.openCertificate()
	if err != nil {
		return nil, err
	}
	for _, name := range Environments() {
		where, err := a.cfg.Settings.place(name)
		if errors.Is(err, errSecondOff) {
			continue
		}
		if err != nil {
			a.log.Info(err.Error())
			continue
		}
		e := &environment{app: a, place: where, certificate: certificates}
		a.known = append(a.known, e)
		a.fronts = append(a.fronts, e.Run)
		a.health = append(a.health, e.health)
	}
	return a.known, nil
}

// Run opens what there is to open and serves until the context ends.
func (e *environment) Run(ctx context.Context) error {
	err := e.run(ctx)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return nil // told to stop before all was open
	}
	return err
}

func (e *environment) run(ctx context.Context) error {
	store, err := e.place.open(ctx, e.app.cfg.Bucket, e.app.log, e.app.stats)
	if err != nil {
		return err
	}
	defer e.letGo("storage", store.Close)
	if !e.worker {
		release, err := store.db.Own()
		if err != nil {
			return err
		}
		defer e.letGo("database", release)
	}
	if err := store.migrate(ctx); err != nil {
		return err
	}
	store.queue = e.newQueue(store)
	e.store = store
	defer e.closeListeners()
	for _, r := range e.rooms {
		if err := e.openRoom(ctx, r, store); err != nil {
			return err
		}
	}
	e.open.Store(true)
	return e.serve(ctx, store.queue)
}

func (e *environment) letGo(what string, f func() error) {
	if err := f(); err != nil {
		e.app.log.Warn("close the "+what, "environment", e.place.environment, "error", err)
	}
}

func (e *environment) closeListeners() {
	for _, r := range e.rooms {
		if r.listener != nil {
			_ = r.listener.Close() // a server that ran has closed it
		}
	}
}

// newQueue is the jobs of the environment. What needs much of the machine, or waits for
// other servers, has a lane of its own, so that nothing else waits behind it.
func (e *environment) newQueue(s *store) *jobs.Queue {
	return jobs.New(s.db, jobs.Options{
		Log:   e.app.log.With("environment", e.place.environment),
		Stats: e.app.stats, Environment: e.place.environment, Tracer: e.app.tracerProvider(),
		Workers: map[string]int{
			jobs.DefaultLane: 8,
			video.HookLane:   video.HookPlaces,
			video.ImportLane: 16, // these wait for the network, not for the machine
			video.EncodeLane: e.app.cfg.Settings.Video.EncodersHere(),
		},
		Grace: e.app.cfg.Options.drainLimit / 5,
	})
}

// serve answers and works until the context ends or something fails. What the requests in
// flight wait for ends after them.
func (e *environment) serve(ctx context.Context, queue *jobs.Queue) error {
	fronts := []func(context.Context) error{e.outlivePublishers(ctx)}
	backs := []func(context.Context) error{queue.Run, e.fetchCertificates}
	for _, r := range e.rooms {
		backs = append(backs, r.service.Run)
		if r.listener != nil {
			fronts = append(fronts, func(ctx context.Context) error { return e.serveRoom(ctx, r) })
		}
	}
	return runInOrder(ctx, fronts, backs)
}

// serveRoom answers at the port of a room until the context ends, and then lets
// requests in flight end.
func (e *environment) serveRoom(ctx context.Context, r *room) error {
	server := e.server(r)
	served := make(chan error, 1)
	go func() { served <- serveWith(server, r.listener) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-served:
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.app.cfg.Options.drainLimit)
	defer cancel()
	if server.Shutdown(drain) != nil {
		_ = server.Close()
	}
	return err
}

func serveWith(server *http.Server, listener net.Listener) error {
	serve := server.Serve
	if server.TLSConfig != nil {
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	if err := serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// handler is what a room's port answers: the room, and every other room of the
// environment to whom it is asked by that one's own host.
func (e *environment) handler(r *room) http.Handler {
	own := e.roomHandler(r)
	others := map[string]http.Handler{}
	for _, other := range e.rooms {
		if host := other.publicURL.host(); other != r && host != "" && r.publicURL != "" && host != r.publicURL.host() {
			others[host] = e.roomHandler(other)
		}
	}
	if len(others) == 0 {
		return own
	}
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if other := others[request.Host]; other != nil {
			other.ServeHTTP(w, request)
			return
		}
		own.ServeHTTP(w, request)
	})
}

// roomHandler is what a room answers. The console stands beside the pages.
func (e *environment) roomHandler(r *room) http.Handler {
	if pages, ok := r.service.(*polls.Service); ok {
		return e.withConsole(pages, pages.Handler())
	}
	return r.service.Handler()
}
