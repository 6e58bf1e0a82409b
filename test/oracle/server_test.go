//go:build oracle

package oracle

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"

	"stoa/app"
	"stoa/ratelimit/redis/redistest"
)

// server is one of the two, with a redis and a StatsD of its own.
type server struct {
	http, debug string
	client      rlsv3.RateLimitServiceClient
	redis       []*redistest.Server
	statsd      *statsd
	stop        func()
}

// environ writes the rules and makes the settings that both take.
func environ(t *testing.T, s *server, rules string, set map[string]string) map[string]string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "ratelimit", "config")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, text := range strings.Split(rules, fileMark) {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.yaml", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.redis = []*redistest.Server{redistest.Start(t), redistest.Start(t)}
	s.statsd = listenStatsD(t)
	all := map[string]string{
		"HOST": "127.0.0.1", "GRPC_HOST": "127.0.0.1", "DEBUG_HOST": "127.0.0.1", "LOG_LEVEL": "ERROR",
		"PORT": freePort(t), "GRPC_PORT": freePort(t), "DEBUG_PORT": freePort(t),
		"RUNTIME_ROOT": root, "RUNTIME_SUBDIRECTORY": "ratelimit", "RUNTIME_WATCH_ROOT": "false",
		"BACKEND_TYPE": "redis", "REDIS_SOCKET_TYPE": "tcp", "REDIS_URL": s.redis[0].Addr(),
		"REDIS_PERSECOND_SOCKET_TYPE": "tcp", "REDIS_PERSECOND_URL": s.redis[1].Addr(),
		"STATSD_HOST": "127.0.0.1", "STATSD_PORT": s.statsd.port, "STATS_FLUSH_INTERVAL": "200ms", "EXPIRATION_JITTER_MAX_SECONDS": "0",
	}
	maps.Copy(all, set)
	return all
}

func (s *server) connect(t *testing.T, set map[string]string) {
	t.Helper()
	s.http, s.debug = "http://127.0.0.1:"+set["PORT"], "http://127.0.0.1:"+set["DEBUG_PORT"]
	conn, err := grpc.NewClient("127.0.0.1:"+set["GRPC_PORT"], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	s.client = rlsv3.NewRateLimitServiceClient(conn)
	deadline := time.Now().Add(30 * time.Second)
	for ; time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		response, err := http.Get(s.http + "/healthcheck")
		if err != nil {
			continue
		}
		response.Body.Close()
		if response.StatusCode == http.StatusOK && strings.TrimSpace(strings.Join(s.rlconfig(t), "")) != "" {
			return
		}
	}
	t.Fatal("a server does not become healthy")
}

func startTheirs(t *testing.T, rules string, set map[string]string) *server {
	t.Helper()
	s := new(server)
	all := environ(t, s, rules, set)
	cmd := exec.Command(*binary)
	for name, value := range all {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	log := new(strings.Builder)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.stop = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("their log:\n%.3000s", log)
		}
	})
	t.Cleanup(s.stop)
	s.connect(t, all)
	return s
}

func startOurs(t *testing.T, rules string, set map[string]string) *server {
	t.Helper()
	s := new(server)
	all := environ(t, s, rules, set)
	cfg, err := app.ReadConfig(app.Settings{}, all)
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.New(cfg, app.Options{Stdout: io.Discard, Stderr: os.Stderr}, "ratelimit")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	s.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(s.stop)
	s.connect(t, all)
	return s
}

func (s *server) post(t *testing.T, body string) (code int, text string) {
	t.Helper()
	response, err := http.Post(s.http+"/json", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(got)
}

func (s *server) rlconfig(t *testing.T) []string {
	t.Helper()
	response, err := http.Get(s.debug + "/rlconfig")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return sortedLines(string(text))
}

// counters is every key of both redises; those at 0 only look.
func (s *server) counters(t *testing.T) map[string]string {
	t.Helper()
	counters := make(map[string]string)
	for i, redis := range s.redis {
		out, err := redis.Command("KEYS", "*")
		if err != nil {
			t.Fatal(err)
		}
		for key := range strings.Lines(out) {
			if key = strings.TrimSuffix(key, "\n"); key == "" {
				continue
			}
			value, err := redis.Command("GET", key)
			if err != nil {
				t.Fatal(err)
			}
			if value = strings.TrimSpace(value); value != "0" && value != "" {
				counters[fmt.Sprint(i, " ", key)] = value
			}
		}
	}
	return counters
}

func marshal(t *testing.T, r *rlsv3.RateLimitRequest) string {
	t.Helper()
	body, err := protojson.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// statsd adds up the counters that arrive.
type statsd struct {
	port string
	mu   sync.Mutex
	sums map[string]int64
}

func listenStatsD(t *testing.T) *statsd {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	s := &statsd{sums: make(map[string]int64)}
	_, s.port, _ = net.SplitHostPort(listener.Addr().String())
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for scanner := bufio.NewScanner(conn); scanner.Scan(); {
					s.take(scanner.Text())
				}
			}()
		}
	}()
	return s
}

// compared is the statistics of decisions; others are about the process.
var compared = regexp.MustCompile(`^(ratelimit\.service\..*|ratelimit_server\.ShouldRateLimit\.total_requests):(\d+)\|c$`)

func (s *statsd) take(line string) {
	if m := compared.FindStringSubmatch(line); m != nil {
		n, _ := strconv.ParseInt(m[2], 10, 64)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.sums[plainName(m[1])] += n
	}
}

func (s *statsd) figures(set map[string]string) map[string]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	figures := maps.Clone(s.sums)
	maps.DeleteFunc(figures, func(name string, _ int64) bool { return differentFigure(name, set) })
	return figures
}
