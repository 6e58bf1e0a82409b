package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"stoa/internal/certificate"
	"stoa/polls"
	"stoa/ratelimit"
)

// environment is the polls of one environment, with everything that it alone stands
// on: database, files, keys, and the port where people meet it.
type environment struct {
	app         *App
	place       place
	listen      Address
	publicURL   PublicURL
	certificate *certificate.Pair // nil: plain HTTP
	decider     ratelimit.Decider // nil: nothing is limited
	passwords   *polls.Passwords
	mail        func(ctx context.Context, to, subject, text string) error // nil: none is sent

	running atomic.Pointer[polls.Service]
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
	store, err := e.place.open(ctx, e.app.cfg.Bucket, e.app.log)
	if err != nil {
		return err
	}
	defer e.letGo("storage", store.Close)
	release, err := store.db.Own()
	if err != nil {
		return err
	}
	defer e.letGo("database", release)
	if err := store.migrate(ctx); err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", string(e.listen))
	if err != nil {
		return fmt.Errorf("the port of %s: %w", e.place.environment, err)
	}
	defer listener.Close()
	address := announced(string(e.listen), listener)
	origin := e.origin(address)
	service, err := polls.New(ctx, e.options(store, origin))
	if err != nil {
		return err
	}
	if err := e.welcome(ctx, service, origin); err != nil {
		return err
	}
	e.running.Store(service)
	e.app.announce(e.portName(), address)
	return e.serve(ctx, listener, service)
}

func (e *environment) letGo(what string, f func() error) {
	if err := f(); err != nil {
		e.app.log.Warn("close the "+what, "environment", e.place.environment, "error", err)
	}
}

// portName is how the port is announced.
func (e *environment) portName() string {
	if e.place.environment == polls.Production {
		return "web"
	}
	return "web of " + e.place.environment
}

// origin is the address that links are made of: the one that people see, or else
// the listener's own. Who listens everywhere is reached on this machine at least.
func (e *environment) origin(address string) string {
	if e.publicURL != "" {
		return e.publicURL.origin()
	}
	host, port, _ := net.SplitHostPort(address)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	if e.certificate != nil {
		return "https://" + net.JoinHostPort(host, port)
	}
	return "http://" + net.JoinHostPort(host, port)
}

// errStarting is what a service that is not open yet says of itself.
var errStarting = errors.New("the polls are starting")

func (e *environment) ready(ctx context.Context) error {
	service := e.running.Load()
	if service == nil {
		return errStarting
	}
	return service.Ready(ctx)
}

// serve answers until the context ends, and then stops in order: streams, requests
// in flight, and last what they wait for.
func (e *environment) serve(ctx context.Context, listener net.Listener, service *polls.Service) error {
	server := e.server(service)
	behind, stopBehind := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBehind()
	worked, served := make(chan error, 1), make(chan error, 1)
	go func() { worked <- service.Run(behind) }()
	go func() { served <- serveWith(server, listener) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-served:
	case err = <-worked:
		worked <- nil // for the wait below
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.app.cfg.Options.drainLimit)
	defer cancel()
	if server.Shutdown(drain) != nil {
		_ = server.Close()
	}
	stopBehind()
	return errors.Join(err, <-worked)
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

// The limits of a request. Uploads and streams extend their own deadlines.
const (
	maxHeader   = 16 << 10 // request line and headers, bytes
	headerSlack = 4 << 10  // what net/http reads beyond its setting
	maxRequest  = 30 * time.Second
	maxAnswer   = 2 * time.Minute // from the end of the headers to that of the answer
)

func (e *environment) server(service *polls.Service) *http.Server {
	server := newHTTPServer(service.Handler(), e.app.log)
	server.ReadTimeout, server.WriteTimeout = maxRequest, maxAnswer
	server.MaxHeaderBytes = maxHeader - headerSlack
	server.RegisterOnShutdown(service.EndStreams)
	if e.certificate != nil {
		server.TLSConfig = e.certificate.ServerConfig()
	}
	return server
}
