package redistest

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startTime is how long a server may take to answer, or a set of servers to
// find each other.
const startTime = 20 * time.Second

// Server is one redis-server process.
type Server struct {
	Certs *Certs // set by TLS

	set     settings
	dir     string
	addr    string
	port    int
	busPort int
	cmd     *exec.Cmd
	exited  chan struct{}
}

// Start starts a server that ends with the test.
func Start(t testing.TB, opts ...Option) *Server {
	t.Helper()
	s, err := Launch(t.TempDir(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

// Launch starts a server that keeps its files in dir, and waits until it
// answers. The caller ends it with Kill.
func Launch(dir string, opts ...Option) (*Server, error) {
	var err error
	for range 3 { // somebody else may take the free port before the server does
		var s *Server
		if s, err = prepare(dir, opts...); err != nil {
			return nil, err
		}
		if err = s.run(); err == nil {
			return s, nil
		}
	}
	return nil, err
}

func prepare(dir string, opts ...Option) (*Server, error) {
	s := &Server{dir: dir}
	for _, opt := range opts {
		opt(&s.set)
	}
	var err error
	if s.port, err = freePort(); err != nil {
		return nil, err
	}
	if s.busPort, err = freePort(); err != nil {
		return nil, err
	}
	s.addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port))
	if s.set.socket {
		s.addr = filepath.Join(dir, "redis.sock")
	}
	if s.set.tls {
		if s.Certs, err = makeCerts(dir, s.set.hosts); err != nil {
			return nil, err
		}
	}
	text := strings.Join(s.config(), "\n") + "\n"
	return s, os.WriteFile(s.configFile(), []byte(text), 0o600)
}

func (s *Server) configFile() string { return filepath.Join(s.dir, "redis.conf") }

// Addr is host:port, or the path of the socket.
func (s *Server) Addr() string { return s.addr }

// run starts the process and waits until it answers.
func (s *Server) run() error {
	path, err := binary("redis-server")
	if err != nil {
		return err
	}
	args := []string{s.configFile()}
	if s.set.sentinel {
		args = append(args, "--sentinel")
	}
	s.cmd = exec.Command(path, args...)
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("start redis-server: %w", err)
	}
	exited := make(chan struct{})
	s.exited = exited
	go func() {
		_ = s.cmd.Wait() // how it ended is of no interest
		close(exited)
	}()
	for deadline := time.Now().Add(startTime); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		select {
		case <-exited:
			log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("redis-server ended at once: %s", log)
		default:
		}
		if s.answers() {
			return nil
		}
	}
	s.Kill()
	return errors.New("redis-server does not answer")
}

// answers asks without credentials: a refusal is an answer too.
func (s *Server) answers() bool {
	conn, err := s.dial()
	if err != nil {
		return false
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Second))
	fmt.Fprint(conn, "PING\r\n")
	n, _ := conn.Read(make([]byte, 1))
	return n == 1
}

// Pause makes the server stall: it keeps its connections, takes new ones and
// answers nothing.
func (s *Server) Pause() error { return s.cmd.Process.Signal(syscall.SIGSTOP) }

// Resume ends a Pause.
func (s *Server) Resume() error { return s.cmd.Process.Signal(syscall.SIGCONT) }

// Kill ends the server at once, without a farewell to its clients.
func (s *Server) Kill() {
	if s.cmd == nil || s.cmd.Process == nil {
		return
	}
	s.cmd.Process.Kill() // also ends a paused one
	<-s.exited
}

// Restart starts a killed server again at the same address, empty.
func (s *Server) Restart() error {
	s.Kill()
	return s.run()
}

func binary(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s is not installed: run make deps", name)
	}
	return path, nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// await asks again and again until ready says yes.
func await(what string, ready func() bool) error {
	for deadline := time.Now().Add(startTime); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if ready() {
			return nil
		}
	}
	return fmt.Errorf("%s: not within %s", what, startTime)
}
