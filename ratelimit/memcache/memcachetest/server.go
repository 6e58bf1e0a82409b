// Package memcachetest starts real memcached servers for tests, on free ports of
// the loopback interface. They end with the test.
package memcachetest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// startTime bounds the start of a server.
const startTime = 10 * time.Second

// Server is a memcached process.
type Server struct {
	Addr string // 127.0.0.1:port, or the path of its socket
	Port int    // 0 with a socket

	t      testing.TB
	args   []string
	cmd    *exec.Cmd
	output *bytes.Buffer
	exited chan struct{}
}

// Start runs a plain memcached with 16 MB of memory.
func Start(t testing.TB) *Server {
	t.Helper()
	return start(t)
}

// StartSocket runs a memcached that listens on a socket at the path only.
func StartSocket(t testing.TB, path string) *Server {
	t.Helper()
	s := newServer(t, "-s", path)
	s.Addr = path
	if err := s.launch(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

func newServer(t testing.TB, args ...string) *Server {
	s := &Server{t: t, args: append([]string{"-U", "0", "-m", "16", "-t", "2"}, args...)}
	if os.Getuid() == 0 {
		s.args = append(s.args, "-u", "root") // it refuses to guess
	}
	return s
}

func start(t testing.TB, args ...string) *Server {
	t.Helper()
	s := newServer(t, append(args, "-l", "127.0.0.1")...)
	var err error
	for range 5 { // someone else may take the free port first
		s.Port = freePort(t)
		s.Addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port))
		if err = s.launch(); err == nil {
			t.Cleanup(s.Kill)
			return s
		}
	}
	t.Fatal(err)
	return nil
}

// launch starts the process and waits until it takes connections.
func (s *Server) launch() error {
	path, err := exec.LookPath("memcached")
	if err != nil {
		s.t.Fatalf("memcached is not installed: run make deps (%v)", err)
	}
	s.output = new(bytes.Buffer)
	s.cmd = exec.Command(path, slices.Concat(s.args, []string{"-p", strconv.Itoa(s.Port)})...)
	s.cmd.Stdout, s.cmd.Stderr = s.output, s.output
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("start memcached: %w", err)
	}
	cmd, exited := s.cmd, make(chan struct{})
	s.exited = exited
	go func() {
		cmd.Wait()
		close(exited)
	}()
	for deadline := time.Now().Add(startTime); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		select {
		case <-exited:
			return fmt.Errorf("memcached ended at once: %s", s.output)
		default:
		}
		conn, err := net.Dial(s.network(), s.Addr)
		if err == nil {
			return conn.Close()
		}
	}
	s.Kill()
	return fmt.Errorf("memcached did not open %s in %v: %s", s.Addr, startTime, s.output)
}

func (s *Server) network() string {
	if s.Port == 0 {
		return "unix"
	}
	return "tcp"
}

// Kill ends the process at once and waits for its end; what it kept is gone. To
// kill it again does nothing.
func (s *Server) Kill() {
	s.signal(syscall.SIGKILL)
	<-s.exited
}

// Restart starts an empty server on the same port, killing one that runs.
func (s *Server) Restart() {
	s.t.Helper()
	s.Kill()
	if err := s.launch(); err != nil {
		s.t.Fatal(err)
	}
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
