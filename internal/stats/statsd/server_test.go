package statsd

import (
	"bufio"
	"net"
	"strings"
	"testing"
	"time"
)

const patience = 10 * time.Second

// server is a StatsD server over TCP that hands out the lines it gets.
type server struct {
	listener net.Listener
	lines    chan string
	conns    chan net.Conn
}

func listen(t *testing.T, address string) *server {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	s := &server{l, make(chan string, 1000), make(chan net.Conn, 10)}
	t.Cleanup(s.stop)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.conns <- conn
			go func() {
				for scan := bufio.NewScanner(conn); scan.Scan(); {
					s.lines <- scan.Text()
				}
			}()
		}
	}()
	return s
}

// stop closes the listener and what was accepted.
func (s *server) stop() {
	s.listener.Close()
	for {
		select {
		case conn := <-s.conns:
			conn.Close()
		default:
			return
		}
	}
}

// next returns the next line that has the prefix.
func (s *server) next(t *testing.T, prefix string) string {
	t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case line := <-s.lines:
			if strings.HasPrefix(line, prefix) {
				return line
			}
		case <-deadline:
			t.Fatalf("no line %q within %v", prefix, patience)
		}
	}
}
