package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// server is a process under test.
type server struct {
	name    string
	address string // gRPC
	stats   string // URL of its figures
	over    bool   // it is asked for keys that are over their limit
	process *os.Process
}

const rules = `domain: bench
descriptors:
  - key: path
    descriptors:
      - key: user
        rate_limit: {unit: hour, requests_per_unit: 1000000000}
  - key: blocked
    descriptors:
      - key: user
        rate_limit: {unit: hour, requests_per_unit: 1}
`

// startServers builds and starts everything; stop ends it.
func startServers(ctx context.Context, dir string) (servers []*server, stop func(), err error) {
	var started []*os.Process
	stop = func() {
		for _, p := range started {
			_ = p.Kill()
			_, _ = p.Wait()
		}
	}
	start := func(environ []string, name string, args ...string) (*os.Process, error) {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Env = append(os.Environ(), environ...)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		started = append(started, cmd.Process)
		return cmd.Process, nil
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", dir+"/", "./cmd/stoa", "./bench/ratelimit/bare")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return nil, stop, fmt.Errorf("build: %w", err)
	}
	config := filepath.Join(dir, "runtime", "config")
	if err := os.MkdirAll(config, 0o755); err != nil {
		return nil, stop, err
	}
	if err := os.WriteFile(filepath.Join(config, "bench.yaml"), []byte(rules), 0o644); err != nil {
		return nil, stop, err
	}
	redis := freeAddress()
	_, redisPort, _ := net.SplitHostPort(redis)
	if _, err := start(nil, "redis-server", "--port", redisPort, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dir, "--loglevel", "warning"); err != nil {
		return nil, stop, fmt.Errorf("redis-server: %w (make deps installs it)", err)
	}
	redisEnviron := []string{"BACKEND_TYPE=redis", "REDIS_SOCKET_TYPE=tcp", "REDIS_URL=" + redis}
	stoa := []string{"stoa", "serve", "ratelimit"}
	for _, s := range []struct {
		name    string
		environ []string
		args    []string
	}{
		{"bare gRPC", nil, []string{"bare", "-tuned=false"}},
		{"bare gRPC, our settings", nil, []string{"bare"}},
		{"stoa, memory", []string{"BACKEND_TYPE=memory"}, stoa},
		{"stoa, redis", redisEnviron, stoa},
		{"stoa, redis, all known over", append(redisEnviron, "LOCAL_CACHE_SIZE_IN_BYTES=67108864"), stoa},
	} {
		grpc, debug := freeAddress(), freeAddress()
		args := s.args[1:]
		if s.args[0] == "bare" {
			args = append(args, "-grpc", grpc, "-debug", debug)
		}
		process, err := start(append(s.environ, stoaEnviron(dir, grpc, debug)...), filepath.Join(dir, s.args[0]), args...)
		if err != nil {
			return nil, stop, err
		}
		servers = append(servers, &server{
			name: s.name, address: grpc, stats: "http://" + debug + "/stats?format=json", process: process,
			over: strings.HasSuffix(s.name, "over"),
		})
		if err := waitFor(ctx, grpc); err != nil {
			return nil, stop, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return servers, stop, nil
}

func stoaEnviron(dir, grpc, debug string) []string {
	_, grpcPort, _ := net.SplitHostPort(grpc)
	_, debugPort, _ := net.SplitHostPort(debug)
	_, httpPort, _ := net.SplitHostPort(freeAddress())
	return []string{
		"HOST=127.0.0.1", "GRPC_HOST=127.0.0.1", "DEBUG_HOST=127.0.0.1", "LOG_LEVEL=error", "USE_STATSD=false", "USE_PROMETHEUS=true",
		"PROMETHEUS_ADDR=127.0.0.1:0", "PORT=" + httpPort, "GRPC_PORT=" + grpcPort, "DEBUG_PORT=" + debugPort,
		"RUNTIME_ROOT=" + filepath.Join(dir, "runtime"),
	}
}

func freeAddress() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "127.0.0.1:0"
	}
	defer l.Close()
	return l.Addr().String()
}

func waitFor(ctx context.Context, address string) error {
	for range 100 {
		if conn, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("does not listen after 10 s")
}

// usage is what a process has used so far.
type usage struct {
	cpu     time.Duration
	mallocs float64
}

// tick is the unit of the CPU times in /proc: 100 a second on every Linux that Go runs on.
const tick = 10 * time.Millisecond

func (s *server) usage() (usage, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.process.Pid))
	if err != nil {
		return usage{}, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may hold blanks
	fields := strings.Fields(rest)
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		return usage{}, err
	}
	system, err := strconv.Atoi(fields[12])
	if err != nil {
		return usage{}, err
	}
	response, err := http.Get(s.stats)
	if err != nil {
		return usage{}, err
	}
	defer response.Body.Close()
	var figures map[string]float64
	if err := json.NewDecoder(response.Body).Decode(&figures); err != nil {
		return usage{}, err
	}
	return usage{time.Duration(user+system) * tick, figures["ratelimit.go.mallocs"]}, nil
}
