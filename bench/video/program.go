package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// build makes the program as `make build` does.
func build(ctx context.Context, dir string) (string, error) {
	program := filepath.Join(dir, "stoa")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "stoa/cmd/stoa")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	return program, cmd.Run()
}

// home is the program with a data folder of its own.
type home struct{ program, dir string }

// newHome is one in a new folder, and the key to its API.
func newHome(ctx context.Context, program, dir string) (h *home, key string, err error) {
	if program, err = filepath.Abs(program); err != nil {
		return nil, "", err
	}
	h = &home{program, dir}
	if _, err := h.run(ctx, "migrate"); err != nil {
		return nil, "", err
	}
	key, err = h.run(ctx, "apikey", "create", "bench")
	return h, key, err
}

// openHome is one in a folder that goes when it is shut, and a server of it that has
// settings besides the usual ones.
func openHome(ctx context.Context, program string, settings ...string) (h *home, site *server, shut func(), err error) {
	dir, err := os.MkdirTemp("", "stoa-bench-*")
	if err != nil {
		return nil, nil, nil, err
	}
	var key string
	if h, key, err = newHome(ctx, program, dir); err == nil {
		site, err = h.serve(ctx, key, settings...)
	}
	if err != nil {
		return nil, nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return h, site, func() {
		site.stop()
		_ = os.RemoveAll(dir)
	}, nil
}

func (h *home) data() string { return filepath.Join(h.dir, "data") }

// command is the program on this folder, whatever settings the one who measures has.
func (h *home) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, h.program, append(args, "--data", h.data(), "--second-listen", "off")...)
	cmd.Dir = h.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + h.dir, "TMPDIR=" + h.dir,
		"DEBUG_HOST=127.0.0.1", "DEBUG_PORT=0", "USE_STATSD=false", "LOG_LEVEL=warn",
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	return cmd
}

// run runs a command that ends by itself, and returns what it prints.
func (h *home) run(ctx context.Context, args ...string) (string, error) {
	cmd := h.command(ctx, args...)
	var troubles bytes.Buffer
	cmd.Stderr = &troubles
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("stoa %s: %w: %s", args[0], err, &troubles)
	}
	return strings.TrimSpace(string(out)), nil
}

// serve starts a server that encodes nothing itself.
func (h *home) serve(ctx context.Context, key string, settings ...string) (*server, error) {
	args := append([]string{"serve", "video", "--video-listen", "127.0.0.1:0", "--limits", "off", "--video-encoders", "0",
		"--rtmp-listen", "off", "--srt-listen", "off", "--whip-listen", "off"}, settings...)
	s, err := h.start("video", h.command(ctx, args...))
	if err != nil {
		return nil, err
	}
	s.key = key
	return s, nil
}

// work starts a process that encodes one chunk at a time.
func (h *home) work(ctx context.Context) (*server, error) {
	return h.start("debug", h.command(ctx, "work", "--video-encoders", "1"))
}

// start waits until a port is open.
func (h *home) start(port string, cmd *exec.Cmd) (*server, error) {
	log := &startLog{port: port, opened: make(chan string, 1)}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{name: "stoa", cmd: cmd}
	select {
	case s.Address = <-log.opened:
		return s, nil
	case <-time.After(time.Minute):
		s.stop()
		return nil, errors.New("stoa does not open its port:\n" + log.String())
	}
}

// startLog is what a program says about itself; it finds the address of a port there.
type startLog struct {
	port   string
	opened chan string
	mu     sync.Mutex
	text   bytes.Buffer
	found  bool
}

func (l *startLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.found {
		return os.Stderr.Write(p) // from now on only troubles
	}
	l.text.Write(p)
	open := regexp.MustCompile(`Listening for ` + l.port + ` on '([^']+)'`).FindSubmatch(l.text.Bytes())
	if open != nil {
		l.found = true
		l.opened <- string(open[1])
	}
	return len(p), nil
}

func (l *startLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
