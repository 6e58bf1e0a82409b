package memcache

import (
	"bufio"
	"bytes"
	"context"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/memcache/memcachetest"
)

func TestStalledServerHoldsNoCall(t *testing.T) {
	s := memcachetest.Start(t)
	var failed failures
	registry := stats.NewRegistry()
	c := running(t, of(s), Options{Stats: registry, Failed: failed.failed})
	add(t, c, "k", 5)
	s.Pause()

	var callers sync.WaitGroup
	for range 50 {
		callers.Go(func() {
			for range 20 {
				began := time.Now()
				hits := []ratelimit.Hit{{Key: []byte("k"), Window: minute, Add: 2}}
				if err := c.Add(t.Context(), hits); err != nil || hits[0].Count != 2 {
					t.Errorf("got count %d, error %v, want 2 as if nothing were stored", hits[0].Count, err)
				}
				if took := time.Since(began); took > answerTime+3*time.Second {
					t.Errorf("a call took %v", took)
				}
			}
		})
	}
	began := time.Now()
	callers.Wait()
	if took := time.Since(began); took > 6*time.Second {
		t.Errorf("20 calls one after the other took %v, want the later ones to fail fast", took)
	}
	if got := failed.Load(); got != 1000 {
		t.Errorf("got %d failed calls, want 1000", got)
	}
	if got := total(registry, "multiget", "error"); got != 1000 {
		t.Errorf("got %d multiget errors, want 1000", got)
	}

	s.Resume()
	within(t, 5*time.Second, "counting again", func() bool { return add(t, c, "k", 0) == 5 })
}

func TestOneStalledServerSparesTheOther(t *testing.T) {
	good, bad := memcachetest.Start(t), memcachetest.Start(t)
	c := running(t, of(good, bad), Options{})
	goodKey, badKey := keyOf(c, good), keyOf(c, bad)
	bad.Pause()
	for i := range 10 {
		hits := []ratelimit.Hit{
			{Key: []byte(badKey), Window: minute, Add: 1},
			{Key: []byte(goodKey), Window: minute, Add: 1},
		}
		addAll(t, c, hits)
		if hits[0].Count != 1 || hits[1].Count != uint64(i+1) {
			t.Errorf("call %d: got %v, want 1 and %d", i, counts(hits), i+1)
		}
	}
}

// keyOf finds a key that is kept by the server.
func keyOf(c *Counter, s *memcachetest.Server) string {
	for key := []byte("k"); ; key = append(key, 'k') {
		if k := newKey(c.hosts.list(), key); k.server.name == s.Addr {
			return k.name
		}
	}
}

func TestRestartedServerIsUsedAtOnce(t *testing.T) {
	s := memcachetest.Start(t)
	var failed failures
	c := running(t, of(s), Options{Failed: failed.failed})
	add(t, c, "k", 5)
	add(t, c, "k", 5) // leaves idle connections
	s.Restart()
	if got := add(t, c, "k", 1); got != 1 {
		t.Errorf("got %d from an empty server, want 1", got)
	}
	if got := add(t, c, "k", 1); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
	if got := failed.Load(); got != 0 {
		t.Errorf("got %d failed calls, want none: dead idle connections are replaced", got)
	}
}

func TestDeadServerFailsOpenUntilItIsBack(t *testing.T) {
	s := memcachetest.Start(t)
	var failed failures
	var log lockedBuffer
	c := running(t, of(s), Options{Failed: failed.failed, Log: slog.New(slog.NewTextHandler(&log, nil))})
	add(t, c, "k", 5)
	s.Kill()
	failed.Store(0) // a busy machine may have been too slow before
	for range 100 {
		if got := add(t, c, "k", 1); got != 1 {
			t.Fatalf("got %d, want 1 as if nothing were stored", got)
		}
	}
	if got := failed.Load(); got != 100 {
		t.Errorf("got %d failed calls, want 100", got)
	}
	if lines := strings.Count(log.String(), "passing without a count"); lines != 1 {
		t.Errorf("got %d log lines for 100 failures, want 1:\n%s", lines, log.String())
	}
	s.Restart()
	within(t, 5*time.Second, "counting again", func() bool { return add(t, c, "k", 1) == 2 })
	if !strings.Contains(log.String(), "memcached answers again") {
		t.Errorf("recovery was not logged:\n%s", log.String())
	}
}

func TestRunEndsWhileTheServerStalls(t *testing.T) {
	s := memcachetest.Start(t)
	c := idle(t, of(s), Options{})
	for i := range 1000 {
		key := []byte("k" + strconv.Itoa(i))
		if err := c.Add(t.Context(), []ratelimit.Hit{{Key: key, Window: minute, Add: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	s.Pause()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	began := time.Now()
	if err := c.Run(ctx); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > drainTime {
		t.Errorf("Run took %v to end", took)
	}
}

func TestRunGivesUpOnASlowServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		registry := stats.NewRegistry()
		c := idle(t, Config{HostPort: []string{"slow:11211"}}, Options{Stats: registry})
		c.hosts.list()[0].client.DialContext = func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			go answerSlowly(server)
			return client, nil
		}
		for i := range 50 * lanes {
			k := newKey(c.hosts.list(), []byte("k"+strconv.Itoa(i)))
			if err := c.queue(&k, &ratelimit.Hit{Window: minute, Add: 1}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		began := time.Now()
		if err := c.Run(ctx); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took < drainTime || took > drainTime+answerTime {
			t.Errorf("Run took %v to end, want %v", took, drainTime)
		}
		success, lost := total(registry, "increment", "success"), total(registry, "increment", "error")
		if success == 0 || lost == 0 || success+lost != 50*lanes || c.pending.Load() != 0 {
			t.Errorf("got %d written, %d lost, %d open of %d writes", success, lost, c.pending.Load(), 50*lanes)
		}
	})
}

// answerSlowly takes just less than the time allowed for each increment.
func answerSlowly(conn net.Conn) {
	defer conn.Close()
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		time.Sleep(answerTime - 100*time.Millisecond)
		if _, err := conn.Write([]byte("1\r\n")); err != nil {
			return
		}
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestLookTellsWhatAddWouldPassOver(t *testing.T) {
	s := memcachetest.Start(t)
	var failed failures
	registry := stats.NewRegistry()
	c := running(t, of(s), Options{Stats: registry, Failed: failed.failed})
	add(t, c, "k", 5)
	before := total(registry, "multiget", "success")

	hits := []ratelimit.Hit{{Key: []byte("k"), Window: minute}}
	if err := c.Look(t.Context(), hits); err != nil || hits[0].Count != 5 {
		t.Errorf("got count %d, error %v, want 5", hits[0].Count, err)
	}
	s.Kill()
	if err := c.Look(t.Context(), hits); err == nil {
		t.Error("a server that is gone: got no error")
	}
	if got := total(registry, "multiget", "success"); got != before || failed.Load() != 0 {
		t.Errorf("looking changed statistics: %d multigets, want %d; %d failed calls, want 0", got, before, failed.Load())
	}
}
