package memcache

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"

	gomemcache "github.com/bradfitz/gomemcache/memcache"
)

// A server is one memcached. It keeps its name, not an address: the name is
// looked up for each new connection and is what a certificate must be for.
type server struct {
	name   string
	client *gomemcache.Client
	gate   gate
	log    *slog.Logger

	idle   int // connections to keep while little is asked
	opened int // at most so many are open; for tidy
}

func newServer(name string, idle int, tlsConfig *tls.Config, resolver *net.Resolver, log *slog.Logger) *server {
	s := &server{name: name, log: log, idle: cmp.Or(idle, gomemcache.DefaultMaxIdleConns)}
	s.client = gomemcache.NewFromSelector(only{s})
	s.client.Timeout = answerTime
	s.client.MaxIdleConns = mostInside
	s.client.DialContext = dialer(name, tlsConfig, resolver)
	return s
}

// Network and String make a server its own net.Addr.
func (s *server) Network() string {
	if isSocket(s.name) {
		return "unix"
	}
	return "tcp"
}

func (s *server) String() string { return s.name }

// only selects the same server for every key.
type only struct{ s *server }

func (o only) PickServer(string) (net.Addr, error)     { return o.s, nil }
func (o only) Each(visit func(a net.Addr) error) error { return visit(o.s) }

// tidy closes connections that the last while did not need. The client would
// close them right after use: under load that is a new connection for almost
// every call, until the machine has no more ports.
func (s *server) tidy() {
	peak := s.gate.peakSince()
	s.opened = max(s.opened, peak)
	keep := s.idle
	if peak > s.idle {
		keep = 2 * peak
	}
	if s.opened > keep {
		s.client.Close()
		s.opened = peak
	}
}

// do runs one exchange with the server unless the gate is shut. Miss and
// not-stored are answers, returned as they are.
func (s *server) do(exchange func(*gomemcache.Client) error) error {
	err := s.gate.enter()
	if err == nil {
		err = exchange(s.client)
		if s.gate.leave(err) {
			s.log.Info("memcached answers again", "server", s.name)
		}
	}
	switch {
	case err == nil, errors.Is(err, gomemcache.ErrCacheMiss), errors.Is(err, gomemcache.ErrNotStored):
		return err
	case lost(err), timedOut(err):
		s.client.Close() // the idle connections are most likely dead too
	}
	return fmt.Errorf("memcached %s: %w", s.name, err)
}

// lost tells whether a connection broke: often an idle one whose server went
// away, so that a new one may do.
func lost(err error) bool {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return true
	}
	_, ok := errors.AsType[*net.OpError](err)
	return ok && !timedOut(err) && !isDial(err)
}

// read sets the stored count of each key, or its err. The keys are all of this
// server and different.
func (s *server) read(keys []*key) {
	err := s.do(func(c *gomemcache.Client) error { return get(c, keys) })
	if lost(err) {
		err = s.do(func(c *gomemcache.Client) error { return get(c, keys) })
	}
	if err != nil {
		for _, k := range keys {
			k.err = err
		}
	}
}

func get(c *gomemcache.Client, keys []*key) error {
	if len(keys) == 1 { // saves the goroutine and the map of GetMulti
		item, err := c.Get(keys[0].name)
		if errors.Is(err, gomemcache.ErrCacheMiss) {
			return nil
		}
		if err == nil {
			keys[0].count, keys[0].found = number(item.Value), true
		}
		return err
	}
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	items, err := c.GetMulti(names)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if item, ok := items[k.name]; ok {
			k.count, k.found = number(item.Value), true
		}
	}
	return nil
}

// number reads a stored count; what is none counts as 0. A value that was
// decremented to fewer digits has blanks at its end.
func number(value []byte) uint64 {
	n, err := strconv.ParseUint(strings.TrimSpace(string(value)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func dialer(name string, tlsConfig *tls.Config, resolver *net.Resolver) func(ctx context.Context, network, address string) (net.Conn, error) {
	plain := &net.Dialer{Resolver: resolver}
	dial := plain.DialContext
	if tlsConfig != nil {
		dial = (&tls.Dialer{NetDialer: plain, Config: namedConfig(tlsConfig, name)}).DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, &dialError{err}
		}
		return conn, nil
	}
}
