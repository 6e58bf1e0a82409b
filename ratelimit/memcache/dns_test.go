package memcache

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// nameServer is a DNS server on UDP that knows SRV records and IPv4 addresses.
type nameServer struct {
	conn net.PacketConn

	mu    sync.Mutex
	srv   map[string][]dnsmessage.SRVResource // by name, with the last dot
	hosts map[string][4]byte
	fail  bool
}

func startDNS(t *testing.T) *nameServer {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &nameServer{conn: conn, srv: map[string][]dnsmessage.SRVResource{}, hosts: map[string][4]byte{}}
	var serving sync.WaitGroup
	serving.Go(s.serve)
	t.Cleanup(func() {
		conn.Close()
		serving.Wait()
	})
	return s
}

// resolver asks this server only.
func (s *nameServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", s.conn.LocalAddr().String())
	}}
}

// set changes the servers of a name; each is on host, at one of the ports.
func (s *nameServer) set(name, host string, ports ...int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.srv[name] = nil
	for i, port := range ports {
		target := dnsmessage.MustNewName(host)
		s.srv[name] = append(s.srv[name], dnsmessage.SRVResource{Priority: uint16(i), Port: uint16(port), Target: target})
	}
}

func (s *nameServer) setHost(name string, ip [4]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hosts[name] = ip
}

func (s *nameServer) setFail(fail bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = fail
}

func (s *nameServer) serve() {
	packet := make([]byte, 1500)
	for {
		n, from, err := s.conn.ReadFrom(packet)
		if err != nil {
			return
		}
		var question dnsmessage.Message
		if question.Unpack(packet[:n]) != nil || len(question.Questions) != 1 {
			continue
		}
		if reply, err := s.reply(question).Pack(); err == nil {
			s.conn.WriteTo(reply, from)
		}
	}
}

func (s *nameServer) reply(m dnsmessage.Message) *dnsmessage.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := m.Questions[0]
	reply := &dnsmessage.Message{
		Header:    dnsmessage.Header{ID: m.ID, Response: true, Authoritative: true, RecursionAvailable: true},
		Questions: m.Questions,
	}
	header := dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET}
	name := strings.ToLower(q.Name.String())
	ip, host := s.hosts[name]
	records, srv := s.srv[name]
	switch {
	case s.fail:
		reply.RCode = dnsmessage.RCodeServerFailure
	case !host && !srv:
		reply.RCode = dnsmessage.RCodeNameError
	case q.Type == dnsmessage.TypeA && host:
		reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: ip}})
	case q.Type == dnsmessage.TypeSRV:
		for _, r := range records {
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: header, Body: &r})
		}
	}
	return reply
}
