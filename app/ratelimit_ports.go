package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"google.golang.org/grpc"

	"stoa/ratelimit/rls"
)

// ratelimitPorts opens the ports of the rate limit service one after another, as
// it becomes able to answer, and closes them without losing a call.
type ratelimitPorts struct {
	app     *App
	service *rls.Service
	options []grpc.ServerOption
	loaded  <-chan struct{}             // a first set of rules was read
	connect func(context.Context) error // returns when the backend answers
}

// Run serves until the context ends.
//
// HTTP opens with the first rules, also while the backend is away: it then answers
// that it is not well. gRPC opens when both are there, so that no proxy sends calls
// before.
func (p *ratelimitPorts) Run(outer context.Context) error {
	ctx, fail := context.WithCancelCause(outer)
	defer fail(nil)
	err := p.run(ctx, fail)
	if err == nil && outer.Err() == nil {
		return context.Cause(ctx)
	}
	return err
}

// run returns nil when the context ends, of which fail is one way.
func (p *ratelimitPorts) run(ctx context.Context, fail context.CancelCauseFunc) error {
	connected := make(chan struct{})
	go func() {
		if err := p.connect(ctx); err != nil {
			fail(err)
			return
		}
		close(connected)
	}()
	if !wait(ctx, p.loaded) {
		return nil
	}
	web, err := p.serveHTTP(ctx, fail)
	if err != nil {
		return err
	}
	defer web.Close()
	if !wait(ctx, connected) {
		return nil
	}
	server, err := p.serveGRPC(ctx, fail)
	if err != nil {
		return err
	}
	<-ctx.Done()
	p.app.log.Info("stopping")
	p.service.Health.Set(rls.Running, false)
	p.drain(server, web)
	return nil
}

func wait(ctx context.Context, done <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-done:
		return true
	}
}

// drain lets calls in flight finish, those of gRPC first: HTTP goes on until then
// and says that it is not well. What is open at the limit, watches too, is cut.
func (p *ratelimitPorts) drain(server *grpc.Server, web *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), p.app.cfg.Options.drainLimit)
	defer cancel()
	stop := context.AfterFunc(ctx, server.Stop)
	defer stop()
	server.GracefulStop()
	_ = web.Shutdown(ctx)
}

func (p *ratelimitPorts) serveHTTP(ctx context.Context, fail context.CancelCauseFunc) (*http.Server, error) {
	listener, err := p.app.listen(ctx, "HTTP", p.service.Config.HTTPAddress())
	if err != nil {
		return nil, err
	}
	server := newHTTPServer(mux(p.traced(p.service.HTTPRoutes())), p.app.log)
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			fail(fmt.Errorf("HTTP port: %w", err))
		}
	}()
	return server, nil
}

func (p *ratelimitPorts) serveGRPC(ctx context.Context, fail context.CancelCauseFunc) (*grpc.Server, error) {
	listener, address, err := p.listenGRPC(ctx)
	if err != nil {
		return nil, fmt.Errorf("gRPC port: %w", err)
	}
	server := p.service.GRPCServer(p.options...)
	go func() {
		if err := server.Serve(listener); err != nil {
			fail(fmt.Errorf("gRPC port: %w", err))
		}
	}()
	p.service.Health.Set(rls.Started, true)
	p.app.announce("gRPC", address) // who hears of it finds the whole service well
	return server, nil
}

func (p *ratelimitPorts) listenGRPC(ctx context.Context) (l net.Listener, address string, err error) {
	if path := p.service.Config.GRPCUDS; path != "" {
		l, err = listenUnix(ctx, path)
		return l, path, err
	}
	address = p.service.Config.GRPCAddress()
	if l, err = listenTCP(ctx, address); err != nil {
		return nil, "", err
	}
	return l, announced(address, l), nil
}
