package redis_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/ratelimit"
	"stoa/ratelimit/countertest"
	"stoa/ratelimit/redis"
	"stoa/ratelimit/redis/redistest"
)

// open connects a counter and runs it until the test ends.
func open(t testing.TB, cfg redis.Config, opt redis.Options) *redis.Counter {
	t.Helper()
	c := start(t, cfg, opt)
	if err := c.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// start runs a counter that is not connected yet.
func start(t testing.TB, cfg redis.Config, opt redis.Options) *redis.Counter {
	t.Helper()
	c, err := redis.New(cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { c.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		wg.Wait()
		c.Close()
	})
	return c
}

func tcp(url string) redis.Config {
	return redis.Config{Main: redis.Node{SocketType: "tcp", URL: url, Timeout: 5 * time.Second}}
}

// A logBuffer collects log lines.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(line)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *logBuffer) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func TestCounter(t *testing.T) {
	kinds := map[string]func(*testing.T) redis.Config{
		"tcp": func(t *testing.T) redis.Config {
			return tcp(redistest.Start(t).Addr())
		},
		"unix": func(t *testing.T) redis.Config {
			return redis.Config{Main: redis.Node{URL: redistest.Start(t, redistest.Socket()).Addr()}}
		},
		"tls": func(t *testing.T) redis.Config {
			s := redistest.Start(t, redistest.TLS())
			cfg := tcp(s.Addr())
			cfg.Main.TLS = true
			cfg.CACert, cfg.ClientCert, cfg.ClientKey = s.Certs.CA, s.Certs.ClientCert, s.Certs.ClientKey
			return cfg
		},
		"without HELLO and CLIENT": func(t *testing.T) redis.Config {
			s := redistest.Start(t, redistest.Password("hush"), redistest.Line(`rename-command HELLO ""`), redistest.Line(`rename-command CLIENT ""`))
			cfg := tcp(s.Addr())
			cfg.Main.Auth = "hush"
			return cfg
		},
		"sentinel": func(t *testing.T) redis.Config {
			s := redistest.StartSentinel(t, redistest.Password("hush"), redistest.SentinelPassword("watch"))
			cfg := tcp(s.URL())
			cfg.Main.Type, cfg.Main.Auth, cfg.Main.SentinelAuth = "sentinel", "hush", "watch"
			return cfg
		},
		"cluster": func(t *testing.T) redis.Config {
			cfg := tcp(redistest.StartCluster(t, 3).URL())
			cfg.Main.Type = "Cluster"
			return cfg
		},
		"per second": func(t *testing.T) redis.Config {
			cfg := tcp(redistest.Start(t).Addr())
			cfg.PerSecond = true
			cfg.PerSecondNode = redis.Node{SocketType: "tcp", URL: redistest.Start(t).Addr()}
			return cfg
		},
	}
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := kind(t)
			var options []countertest.Option
			if name == "cluster" {
				options = append(options, countertest.TwoSteps())
			}
			countertest.Run(t, func(t *testing.T) ratelimit.Counter { return open(t, cfg, redis.Options{Jitter: 300}) }, options...)
		})
	}
}

func TestWaysToEnter(t *testing.T) {
	password := redistest.Start(t, redistest.Password("p@ss:word,1"))
	user := redistest.Start(t, redistest.User("ann", "s3cret"))
	tests := []struct {
		name, url, auth string
	}{
		{"password", password.Addr(), ":p@ss:word,1"},
		{"password in URL", "redis://:p%40ss%3Aword%2C1@" + password.Addr(), ""},
		{"user", user.Addr(), "ann:s3cret"},
		{"user in URL", "redis://ann:s3cret@" + user.Addr() + "/2", ""},
		{"user in query", "redis://" + user.Addr() + "?username=ann&password=s3cret&db=3", ""},
		{"auth wins over URL", "redis://bob:wrong@" + user.Addr(), "ann:s3cret"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var log logBuffer
			cfg := tcp(test.url)
			cfg.Main.Auth = test.auth
			c := open(t, cfg, redis.Options{Log: log.logger()})
			if n := hit(t, c, "k", 1); n != 1 && test.name != "auth wins over URL" {
				t.Errorf("got %d want 1", n)
			}
			if out := log.String(); !strings.Contains(out, "connecting to redis on ") || !strings.Contains(out, " with pool size 10") {
				t.Errorf("got log %s want the line about connecting", out)
			}
			wantNoSecrets(t, log.String())
			password.Command("FLUSHALL")
			user.Command("FLUSHALL")
		})
	}
}

func wantNoSecrets(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{"p@ss", "p%40ss", "s3cret", "wrong"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in the log: %s", secret, text)
		}
	}
}

func hit(t testing.TB, c ratelimit.Counter, key string, add uint32) uint64 {
	t.Helper()
	n, err := tryHit(t.Context(), c, key, add)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func tryHit(ctx context.Context, c ratelimit.Counter, key string, add uint32) (uint64, error) {
	hits := []ratelimit.Hit{{Key: []byte(key), Window: ratelimit.Window{Start: time.Now().Unix(), Seconds: 3600}, Add: add}}
	err := c.Add(ctx, hits)
	return hits[0].Count, err
}
