package redis

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/redis/rueidis"
)

const (
	// An idle connection is asked for a sign of life this often. The client
	// hands the value to the dialer, which thereby tells sentinels from data.
	dataKeepAlive     = time.Second
	sentinelKeepAlive = 2 * time.Second
)

var (
	errSessionOver = errors.New("the session is over")
	errGivenUp     = errors.New("the client gave the connection up")
)

// A session is a client and the connections it opened. When redis is lost the
// whole session is given up, so nothing of its state outlives the trouble.
// Only a cluster's session stays: its nodes come and go one by one.
type session struct {
	pool   *pool
	client rueidis.Client  // set once it is connected
	ctx    context.Context // of its dials
	cancel context.CancelFunc

	mu     sync.Mutex
	conns  map[*conn]bool
	links  map[string]*link // the nodes of a cluster that are away
	over   bool
	broken error // how the first data connection ended
}

func newSession(p *pool) *session {
	s := &session{pool: p, conns: map[*conn]bool{}, links: map[string]*link{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// dial opens a connection for the client. The context of the call that happens
// to need it does not count: others wait for the same connection.
func (s *session) dial(_ context.Context, addr string, dialer *net.Dialer, config *tls.Config) (net.Conn, error) {
	if err := s.refusal(addr); err != nil {
		return nil, err
	}
	raw, err := s.pool.dial(s.ctx, addr, dialer, config)
	if err != nil {
		s.unreachable(addr, err)
		return nil, err
	}
	c := &conn{Conn: raw, session: s, addr: addr, data: dialer.KeepAlive != sentinelKeepAlive}
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		raw.Close()
		return nil, errSessionOver
	}
	s.conns[c] = true
	s.mu.Unlock()
	if c.data {
		s.pool.gauge.opened()
	}
	return c, nil
}

// closed is told of every connection that ended, whoever ended it.
func (s *session) closed(c *conn) {
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	if !c.data {
		return
	}
	s.pool.gauge.closed()
	switch {
	case !s.pool.cluster:
		cause := errGivenUp
		if why := c.cause.Load(); why != nil {
			cause = *why
		}
		s.breakOff(cause)
	case s.pool.late(c.unanswered.Load()):
		s.unreachable(c.addr, s.pool.silent)
	}
}

// breakOff ends the session for the loss of a connection. Before the session is
// in use the loss is only noted, and found when it is about to be.
func (s *session) breakOff(cause error) {
	s.mu.Lock()
	if s.broken == nil {
		s.broken = cause
	}
	s.mu.Unlock()
	s.pool.trip(s, cause)
}

func (s *session) brokenBy() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken
}

// end closes all connections. It does not wait for the client.
func (s *session) end(cause error) {
	s.mu.Lock()
	over, client := s.over, s.client
	s.over = true
	s.mu.Unlock()
	if over {
		return
	}
	s.cancel()
	for _, c := range s.connections() {
		c.closeFor(cause)
	}
	if client != nil {
		go client.Close()
	}
}

// hold keeps the client, to be closed with the session.
func (s *session) hold(client rueidis.Client) {
	s.mu.Lock()
	s.client = client
	over := s.over
	s.mu.Unlock()
	if over {
		client.Close()
	}
}

func (s *session) connections() []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	conns := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	return conns
}
