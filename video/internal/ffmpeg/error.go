package ffmpeg

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
)

// Error is the failure of a program that was started. Its text is for the log.
type Error struct {
	Program  string
	Status   int    // exit status; -1 when Killed
	Killed   bool   // by a signal: a limit of ours, the system short of memory, or a crash
	TimedOut bool   // the limit of wall time had passed
	Stderr   string // the last lines it wrote
	cause    error
}

func (e *Error) Error() string {
	what := e.cause.Error()
	if e.TimedOut {
		what = "took too long: " + what
	}
	if e.Stderr == "" {
		return fmt.Sprintf("%s: %s", e.Program, what)
	}
	return fmt.Sprintf("%s: %s: %s", e.Program, what, strings.ReplaceAll(e.Stderr, "\n", "; "))
}

func (e *Error) Unwrap() error { return e.cause }

func newError(program, said string, state *os.ProcessState, late bool, err error) *Error {
	e := &Error{Program: program, Status: -1, Stderr: said, TimedOut: late, cause: err}
	if state != nil {
		e.Status = state.ExitCode()
		if status, ok := state.Sys().(syscall.WaitStatus); ok {
			e.Killed = status.Signaled()
		}
	}
	return e
}

// unwritten is why a file in the scratch folder is not whole, nil if it is. ffmpeg 5 may
// say so and end well all the same.
func unwritten(said string) error {
	switch {
	case strings.Contains(said, ": No space left on device"):
		return syscall.ENOSPC
	case strings.Contains(said, ": Disk quota exceeded"):
		return syscall.EDQUOT
	case strings.Contains(said, "Error writing trailer of "), strings.Contains(said, "Error closing file "):
		return errUnwritten
	}
	return nil
}

var errUnwritten = errors.New("a file could not be written to its end")

// tailSize is how much of what a program says is kept, in bytes.
const tailSize = 4 << 10

// tail keeps the end of what is written to it, in whole lines if it can.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	p = p[max(0, n-tailSize):]
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - tailSize; over > 0 {
		t.kept, t.cut = append(t.kept[:0], t.kept[over:]...), true
	}
	return n, nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.ToValidUTF8(string(t.kept), "?")
	if _, rest, found := strings.Cut(text, "\n"); t.cut && found {
		text = rest
	}
	return strings.TrimSpace(text)
}
