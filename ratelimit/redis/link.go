package redis

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"stoa/internal/fault"
)

// A link is a cluster node that is away: nobody dials it until a probe was
// answered. It is forgotten together with the session.
type link struct {
	cause error
	since time.Time
}

// refusal tells why addr is not to be dialed.
func (s *session) refusal(addr string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return errSessionOver
	}
	if l := s.links[addr]; l != nil {
		return l.cause
	}
	return nil
}

// unreachable leaves a node of a cluster alone until it answers again.
func (s *session) unreachable(addr string, cause error) {
	if !s.pool.cluster || s.ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.links[addr] != nil {
		return
	}
	l := &link{cause: fault.New(fault.Unavailable, "redis node %s is away: %s", addr, cause), since: time.Now()}
	s.links[addr] = l
	s.pool.log.Warn("redis node does not answer, its calls fail at once until it does", "address", addr, "cause", cause.Error())
	go s.probe(addr, l)
}

// probe asks the node until it answers, or until the client has forgotten it.
func (s *session) probe(addr string, l *link) {
	for wait := firstWait; ; wait = min(2*wait, maxWait) {
		select {
		case <-s.ctx.Done():
			return
		case <-time.After(wait):
		}
		if err := s.pool.knock(s.ctx, addr); err != nil {
			if s.knows(addr) {
				continue
			}
			s.forget(addr)
			return
		}
		s.forget(addr)
		s.pool.log.Warn("redis node answers again", "address", addr, "away", time.Since(l.since).Round(time.Millisecond))
		return
	}
}

func (s *session) forget(addr string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.links, addr)
}

func (s *session) knows(addr string) bool {
	s.mu.Lock()
	client := s.client
	s.mu.Unlock()
	if client == nil || slices.Contains(s.pool.target.addrs, addr) {
		return true
	}
	_, ok := client.Nodes()[addr]
	return ok
}

// knock asks for a sign of life on a fresh connection, without credentials: to
// be refused for their lack is one.
func (p *pool) knock(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, min(p.node.Timeout, maxWait))
	defer cancel()
	c, err := p.dial(ctx, addr, &net.Dialer{}, p.tls)
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(min(p.node.Timeout, maxWait)))
	if _, err := c.Write([]byte("PING\r\n")); err != nil {
		return err
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return err
	}
	if strings.HasPrefix(line, "-LOADING") || strings.HasPrefix(line, "-ERR max") {
		return fmt.Errorf("%s", strings.TrimSpace(line))
	}
	return nil
}
