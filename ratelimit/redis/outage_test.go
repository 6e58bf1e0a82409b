package redis_test

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/stats"
	"stoa/ratelimit/redis"
	"stoa/ratelimit/redis/redistest"
)

func TestKillAndRestart(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	registry := stats.NewRegistry()
	var active atomic.Int32
	cfg := tcp(s.Addr())
	cfg.HealthCheckActiveConnection = true
	c := open(t, cfg, redis.Options{Stats: registry, OnActive: func(on bool) {
		if on {
			active.Store(1)
		} else {
			active.Store(-1)
		}
	}})
	hit(t, c, "k", 1)
	if active.Load() != 1 {
		t.Errorf("got %d want 1: a connection is open", active.Load())
	}
	s.Kill()
	awaitTrue(t, "unhealthy without a connection", func() bool { return active.Load() == -1 })
	began := time.Now()
	if _, err := tryHit(t.Context(), c, "k", 1); err == nil || !strings.Contains(err.Error(), "redis is away: ") || time.Since(began) > 2*time.Second {
		t.Errorf("got %v after %s want the cause at once", err, time.Since(began))
	}
	if err := s.Restart(); err != nil {
		t.Fatal(err)
	}
	eventually(t, c, 15*time.Second)
	if active.Load() != 1 {
		t.Errorf("got %d want 1: a connection is open again", active.Load())
	}
	name := "ratelimit.redis_pool."
	if n := registry.Gauge(name + "cx_active").Value(); n != 1 {
		t.Errorf("got %d active want 1", n)
	}
	if total, closed := registry.Counter(name+"cx_total").Total(), registry.Counter(name+"cx_local_close").Total(); total != closed+1 || closed < 1 {
		t.Errorf("got %d opened, %d closed want one more opened", total, closed)
	}
}

func TestLostConnectionCountsNothingTwice(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	c := open(t, tcp(s.Addr()), redis.Options{})
	var good, bad atomic.Int64
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 32 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := tryHit(t.Context(), c, "k", 1); err == nil {
					good.Add(1)
				} else {
					bad.Add(1)
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	for range 3 {
		time.Sleep(100 * time.Millisecond)
		if _, err := s.Command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"); err != nil {
			t.Error(err)
		}
		eventually(t, c, 15*time.Second)
	}
	close(stop)
	wg.Wait()
	// A call that failed may or may not have been counted, never twice.
	// The server is asked itself: the client may still be noticing the last kill.
	text, err := s.Command("GET", "k")
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if n < good.Load() || n > good.Load()+bad.Load() || bad.Load() == 0 {
		t.Errorf("got count %d want between %d and %d", n, good.Load(), good.Load()+bad.Load())
	}
}

func TestReplicaIsLeftUntilItMayWrite(t *testing.T) {
	t.Parallel()
	s, other := redistest.Start(t), redistest.Start(t)
	c := open(t, tcp(s.Addr()), redis.Options{})
	host, port, _ := strings.Cut(other.Addr(), ":")
	if _, err := s.Command("REPLICAOF", host, port); err != nil {
		t.Fatal(err)
	}
	if _, err := tryHit(t.Context(), c, "k", 1); err == nil || !strings.Contains(err.Error(), "READONLY") {
		t.Errorf("got %v want READONLY", err)
	}
	if _, err := s.Command("REPLICAOF", "NO", "ONE"); err != nil {
		t.Fatal(err)
	}
	eventually(t, c, 15*time.Second)
}

func TestManyConnections(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	s := redistest.Start(t)
	registry := stats.NewRegistry()
	cfg := tcp(s.Addr())
	cfg.Main.PoolSize = 3 // two, as a power of two is wanted
	c := open(t, cfg, redis.Options{Stats: registry})
	if n := registry.Gauge("ratelimit.redis_pool.cx_active").Value(); n != 2 {
		t.Errorf("got %d connections want 2", n)
	}
	if good := count(t, c, make([]string, 500)); good != 500 || hit(t, c, "", 1) != 501 {
		t.Errorf("got %d of 500 counted", good)
	}
}

func TestSentinelFailover(t *testing.T) {
	t.Parallel()
	s := redistest.StartSentinel(t)
	cfg := tcp(s.URL())
	cfg.Main.Type, cfg.Main.Timeout = "SENTINEL", time.Second
	c := open(t, cfg, redis.Options{})
	hit(t, c, "k", 1)
	s.Servers[0].Kill()
	awaitTrue(t, "the sentinel promotes the replica", func() bool {
		master, err := s.Master()
		return err == nil && master == s.Servers[1]
	})
	eventually(t, c, 15*time.Second)
}

func TestSentinelChangesTheMaster(t *testing.T) {
	t.Parallel()
	s := redistest.StartSentinel(t)
	cfg := tcp(s.URL())
	cfg.Main.Type, cfg.Main.Timeout = "SENTINEL", time.Second
	c := open(t, cfg, redis.Options{})
	hit(t, c, "k", 1)
	if _, err := s.Sentinel.Command("SENTINEL", "FAILOVER", redistest.MasterName); err != nil {
		t.Fatal(err)
	}
	awaitTrue(t, "the sentinel promotes the replica", func() bool {
		master, err := s.Master()
		return err == nil && master == s.Servers[1]
	})
	// The old one is alive and would count for seconds to come.
	awaitTrue(t, "the new master counts", func() bool {
		tryHit(t.Context(), c, "again", 1)
		out, err := s.Servers[1].Command("GET", "again")
		return err == nil && out != ""
	})
}

func TestClusterNodeAway(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t, 3, redistest.Line("cluster-require-full-coverage no"))
	cfg := tcp(cluster.URL())
	cfg.Main.Type, cfg.Main.Timeout = "CLUSTER", 500*time.Millisecond
	c := open(t, cfg, redis.Options{})
	keys := make([]string, 60) // some for each node
	for i := range keys {
		keys[i] = fmt.Sprint("key", i)
		hit(t, c, keys[i], 1)
	}
	for _, trouble := range []struct {
		name       string
		begin, end func(*redistest.Server) error
	}{
		{"kill", func(s *redistest.Server) error { s.Kill(); return nil }, (*redistest.Server).Restart},
		{"stall", (*redistest.Server).Pause, (*redistest.Server).Resume},
	} {
		t.Run(trouble.name, func(t *testing.T) {
			node := cluster.Nodes[1]
			if err := trouble.begin(node); err != nil {
				t.Fatal(err)
			}
			count(t, c, keys) // finds out
			began := time.Now()
			good := count(t, c, keys)
			if good < 20 || good > 55 || time.Since(began) > 450*time.Millisecond {
				t.Errorf("got %d of %d counted in %s want those of two nodes at once", good, len(keys), time.Since(began))
			}
			if err := trouble.end(node); err != nil {
				t.Fatal(err)
			}
			awaitTrue(t, "all nodes count again", func() bool { return count(t, c, keys) == len(keys) })
		})
	}
}

func TestClusterSlotMoves(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t, 3)
	cfg := tcp(cluster.URL())
	cfg.Main.Type = "CLUSTER"
	c := open(t, cfg, redis.Options{})
	slot := 12182 // of the key foo, on the last node
	if err := cluster.MoveSlot(slot, cluster.Nodes[2], cluster.Nodes[0]); err != nil {
		t.Fatal(err)
	}
	for want := range uint64(5) {
		if n := hit(t, c, "foo", 1); n != want+1 {
			t.Errorf("got %d want %d", n, want+1)
		}
	}
	if out, err := cluster.Nodes[0].Command("TTL", "foo"); err != nil || out < "3" {
		t.Errorf("got TTL %q, %v want that of an hour at the new node", out, err)
	}
}

func count(t *testing.T, c *redis.Counter, keys []string) int {
	var good atomic.Int64
	var wg sync.WaitGroup
	for _, key := range keys {
		wg.Go(func() {
			if _, err := tryHit(t.Context(), c, key, 1); err == nil {
				good.Add(1)
			}
		})
	}
	wg.Wait()
	return int(good.Load())
}

func awaitTrue(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 10s", what)
		}
	}
}
