package app

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"stoa/internal/health"
)

// room is a service of an environment that people meet.
type room struct {
	name      string // of its port: web, video
	room      string // polls, video
	setting   string // that says where the port is
	listen    Address
	publicURL PublicURL
	open      func(ctx context.Context, e *environment, s *store, origin string) (roomService, error)

	service  roomService
	listener net.Listener // nil: nobody meets it in this process
}

// roomService is what a room is once it is open: *polls.Service, *video.Service.
type roomService interface {
	Handler() http.Handler
	Run(context.Context) error // what goes on beside the requests
	Health(context.Context) []health.Part
	EndStreams() // ends answers that have no end of their own
}

// openRoom opens a room, and its port, since only a listener that is there knows its
// address.
func (e *environment) openRoom(ctx context.Context, r *room, s *store) (err error) {
	origin := r.publicURL.origin()
	if !e.worker {
		if err := e.fetchable(r); err != nil {
			return err
		}
		if r.listen == "" {
			return fmt.Errorf("%s: want host:port or :port, such as 127.0.0.1:8000", r.setting)
		}
		if r.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", string(r.listen)); err != nil {
			return fmt.Errorf("the port of %s: %w", e.portName(r), err)
		}
		origin = e.origin(r)
	}
	if r.service, err = r.open(ctx, e, s, origin); err != nil {
		return err
	}
	if !e.worker {
		e.app.announce(e.portName(r), announced(string(r.listen), r.listener))
	}
	return nil
}

// portName is how the port is announced.
func (e *environment) portName(r *room) string {
	if e.place.environment == production {
		return r.name
	}
	return r.name + " of " + e.place.environment
}

// origin is the address that links are made of: the one that people see, or else
// the listener's own. Who listens everywhere is reached on this machine at least.
func (e *environment) origin(r *room) string {
	if r.publicURL != "" {
		return r.publicURL.origin()
	}
	host, port, _ := net.SplitHostPort(announced(string(r.listen), r.listener))
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	if e.certificate != nil {
		return "https://" + net.JoinHostPort(host, port)
	}
	return "http://" + net.JoinHostPort(host, port)
}

// The limits of a request. Uploads, media and streams move their own deadlines on.
const (
	maxHeader   = 16 << 10 // request line and headers, bytes
	headerSlack = 4 << 10  // what net/http reads beyond its setting
	maxRequest  = 30 * time.Second
	maxAnswer   = 2 * time.Minute // from the end of the headers to that of the answer
)

func (e *environment) server(r *room) *http.Server {
	server := newHTTPServer(e.traced(r, e.handler(r)), e.app.log)
	server.ReadTimeout, server.WriteTimeout = maxRequest, maxAnswer
	server.MaxHeaderBytes = maxHeader - headerSlack
	for _, open := range e.rooms { // any of them may be met here
		server.RegisterOnShutdown(open.service.EndStreams)
	}
	if e.certificate != nil {
		server.TLSConfig = e.certificate.ServerConfig()
	}
	return server
}
