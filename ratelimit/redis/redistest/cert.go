package redistest

import (
	"crypto/tls"
	"net"
	"time"

	"stoa/internal/certtest"
)

// Certs are the PEM files of a TLS server: its authority, its own pair and a
// pair for clients.
type Certs struct {
	CA                    string
	ServerCert, ServerKey string
	ClientCert, ClientKey string
}

func makeCerts(dir string, hosts []string) (*Certs, error) {
	if len(hosts) == 0 {
		hosts = []string{"127.0.0.1", "localhost"}
	}
	ca, err := certtest.NewAuthority(dir)
	if err != nil {
		return nil, err
	}
	server, err := ca.Issue("server", hosts...)
	if err != nil {
		return nil, err
	}
	client, err := ca.Issue("client", hosts...)
	if err != nil {
		return nil, err
	}
	return &Certs{ca.File, server.Cert, server.Key, client.Cert, client.Key}, nil
}

// dial connects as the server wants it.
func (s *Server) dial() (net.Conn, error) {
	dialer := net.Dialer{Timeout: time.Second}
	switch {
	case s.set.socket:
		return dialer.Dial("unix", s.addr)
	case s.set.tls:
		pair, err := tls.LoadX509KeyPair(s.Certs.ClientCert, s.Certs.ClientKey)
		if err != nil {
			return nil, err
		}
		config := &tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{pair}} // only to see whether it is there
		return tls.DialWithDialer(&dialer, "tcp", s.addr, config)
	}
	return dialer.Dial("tcp", s.addr)
}
