package memcachetest

import (
	"bufio"
	"fmt"
	"net"
	"strconv"
	"strings"
)

// Stat asks a plain server for one of its numbers, such as curr_connections.
func (s *Server) Stat(name string) int {
	s.t.Helper()
	value, err := s.stat(name)
	if err != nil {
		s.t.Fatalf("memcached %s: %v", name, err)
	}
	return value
}

func (s *Server) stat(name string) (int, error) {
	conn, err := net.Dial(s.network(), s.Addr)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("stats\r\n")); err != nil {
		return 0, err
	}
	lines := bufio.NewScanner(conn)
	for lines.Scan() && lines.Text() != "END" {
		if text, ok := strings.CutPrefix(lines.Text(), "STAT "+name+" "); ok {
			return strconv.Atoi(text)
		}
	}
	return 0, fmt.Errorf("no such statistic (%v)", lines.Err())
}
