// Package s3test starts a real S3 server for tests: versitygw, over a folder
// that ends with the test.
package s3test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// The only account, and the bucket that is there from the start.
const (
	AccessKey = "stoa-test"
	SecretKey = "stoa-test-secret"
	Bucket    = "stoa-test"
	Region    = "us-east-1"
)

const (
	program   = "versitygw-v1.8.0" // as scripts/versitygw.sh names it
	startTime = 20 * time.Second
)

// Server is one versitygw process.
type Server struct {
	dir    string
	addr   string
	cmd    *exec.Cmd
	exited chan struct{}
}

// Start starts a server that ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	var err error
	for range 3 { // somebody else may take the free port before the server does
		s := &Server{dir: t.TempDir()}
		if err = s.prepare(); err != nil {
			break
		}
		if err = s.run(); err == nil {
			t.Cleanup(s.Kill)
			return s
		}
	}
	t.Fatal(err)
	return nil
}

// prepare chooses the address and makes the folders. Metadata go into files of
// their own, since a temporary folder may have no extended attributes.
func (s *Server) prepare() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.addr = l.Addr().String()
	l.Close()
	return errors.Join(os.MkdirAll(filepath.Join(s.data(), Bucket), 0o700), os.MkdirAll(s.metadata(), 0o700))
}

func (s *Server) data() string     { return filepath.Join(s.dir, "data") }
func (s *Server) metadata() string { return filepath.Join(s.dir, "metadata") }

// URL is the bucket as a setting, all keys beginning with a prefix, which may
// be empty.
func (s *Server) URL(prefix string) string {
	query := url.Values{"endpoint": {"http://" + s.addr}, "region": {Region}}
	return (&url.URL{Scheme: "s3", Host: Bucket, Path: "/" + prefix, RawQuery: query.Encode()}).String()
}

// run starts the process and waits until it answers.
func (s *Server) run() error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	path := filepath.Join(cache, "stoa", program)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%s is not installed: run make deps", program)
	}
	s.cmd = exec.Command(path, "--port", s.addr, "--region", Region, "--health", "/health", "--quiet",
		"posix", "--sidecar", s.metadata(), s.data())
	s.cmd.Env = []string{"ROOT_ACCESS_KEY_ID=" + AccessKey, "ROOT_SECRET_ACCESS_KEY=" + SecretKey}
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // also when the test is killed
	log, err := os.Create(s.log())
	if err != nil {
		return err
	}
	defer log.Close()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", program, err)
	}
	exited := make(chan struct{})
	s.exited = exited
	go func() {
		_ = s.cmd.Wait() // how it ended is of no interest
		close(exited)
	}()
	return s.await()
}

func (s *Server) log() string { return filepath.Join(s.dir, "log") }

func (s *Server) await() error {
	for deadline := time.Now().Add(startTime); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		select {
		case <-s.exited:
			log, _ := os.ReadFile(s.log())
			return fmt.Errorf("%s ended at once: %s", program, log)
		default:
		}
		if s.answers() {
			return nil
		}
	}
	s.Kill()
	return fmt.Errorf("%s does not answer", program)
}

func (s *Server) answers() bool {
	client := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://" + s.addr + "/health")
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// Kill ends the server at once, without a farewell to its clients.
func (s *Server) Kill() {
	s.cmd.Process.Kill()
	<-s.exited
}

// Restart starts a killed server again at the same address, with its objects.
func (s *Server) Restart() error {
	s.Kill()
	return s.run()
}

// Pause makes the server stall: it takes connections and answers nothing.
func (s *Server) Pause() error { return s.cmd.Process.Signal(syscall.SIGSTOP) }

// Resume ends a Pause.
func (s *Server) Resume() error { return s.cmd.Process.Signal(syscall.SIGCONT) }
