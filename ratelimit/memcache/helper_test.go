package memcache

import (
	"context"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gomemcache "github.com/bradfitz/gomemcache/memcache"

	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/memcache/memcachetest"
)

var minute = ratelimit.Window{Start: 1794700800, Seconds: 60}

// of makes the settings for some servers.
func of(servers ...*memcachetest.Server) Config {
	var cfg Config
	for _, s := range servers {
		cfg.HostPort = append(cfg.HostPort, s.Addr)
	}
	return cfg
}

// running makes a counter that runs until the test ends.
func running(t testing.TB, cfg Config, o Options) *Counter {
	t.Helper()
	c := idle(t, cfg, o)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Run: got %v, want nil", err)
		}
	})
	return c
}

// idle makes a counter that does not run.
func idle(t testing.TB, cfg Config, o Options) *Counter {
	t.Helper()
	c, err := New(t.Context(), cfg, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// patient gives the servers more time, for tests that ask much of them at once
// on a machine that may be busy.
func (c *Counter) patient() *Counter {
	for _, s := range c.hosts.list() {
		s.client.Timeout = 10 * time.Second
	}
	return c
}

// settle waits until queued writes are written.
func (c *Counter) settle(t testing.TB) {
	t.Helper()
	within(t, 10*time.Second, "all writes done", func() bool { return c.pending.Load() == 0 })
}

func within(t testing.TB, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in %v: %s", limit, what)
		}
	}
}

// add hits one key and waits for the write.
func add(t testing.TB, c *Counter, key string, n uint32) uint64 {
	t.Helper()
	hits := []ratelimit.Hit{{Key: []byte(key), Window: minute, Add: n}}
	addAll(t, c, hits)
	return hits[0].Count
}

func addAll(t testing.TB, c *Counter, hits []ratelimit.Hit) {
	t.Helper()
	if err := c.Add(t.Context(), hits); err != nil {
		t.Fatalf("Add: %v", err)
	}
	c.settle(t)
}

func counts(hits []ratelimit.Hit) []uint64 {
	var all []uint64
	for _, h := range hits {
		all = append(all, h.Count)
	}
	return all
}

// stored is what a server keeps, "" for nothing.
func stored(t testing.TB, s *memcachetest.Server, key string) string {
	t.Helper()
	client := gomemcache.New(s.Addr)
	defer client.Close()
	item, err := client.Get(key)
	if err == gomemcache.ErrCacheMiss {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(item.Value)
}

// ttl asks a server how many seconds it will keep a key.
func ttl(t testing.TB, s *memcachetest.Server, key string) string {
	t.Helper()
	conn, err := net.Dial("tcp", s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("mg " + key + " t\r\n")); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 100)
	n, err := conn.Read(answer)
	if err != nil {
		t.Fatal(err)
	}
	seconds, ok := strings.CutPrefix(strings.TrimSpace(string(answer[:n])), "HD t")
	if !ok {
		t.Fatalf("got %q for the time to live of %s", answer[:n], key)
	}
	return seconds
}

// total reads a counter of the registry.
func total(r *stats.Registry, name, code string) uint64 {
	if code == "" {
		return r.Counter("ratelimit.memcache." + name).Total()
	}
	return r.Counter("ratelimit.memcache."+name, stats.Tag{Key: "code", Value: code}).Total()
}

// failures counts the calls of Options.Failed.
type failures struct{ atomic.Int64 }

func (f *failures) failed(error) { f.Add(1) }
