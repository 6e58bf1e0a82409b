package memcachetest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Pause stops the process: it takes connections and does not answer.
func (s *Server) Pause() {
	s.t.Helper()
	s.signal(syscall.SIGSTOP)
	for end := time.Now().Add(startTime); !s.stopped(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatal("memcached did not stop")
		}
	}
}

// Resume ends a pause.
func (s *Server) Resume() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(signal syscall.Signal) {
	select {
	case <-s.exited: // the id may be someone else's by now
	default:
		s.cmd.Process.Signal(signal)
	}
}

// stopped tells whether every thread has stopped: the signal is delivered some
// time after it was sent.
func (s *Server) stopped() bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", s.cmd.Process.Pid))
	for _, file := range threads {
		stat, err := os.ReadFile(file)
		if err == nil && !bytes.Contains(stat, []byte(") T ")) {
			return false
		}
	}
	return len(threads) > 0
}
