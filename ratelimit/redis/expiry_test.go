package redis_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"stoa/ratelimit"
	"stoa/ratelimit/redis"
	"stoa/ratelimit/redis/redistest"
)

func ttl(t *testing.T, s *redistest.Server, key string) int {
	t.Helper()
	out, err := s.Command("TTL", key)
	n, bad := strconv.Atoi(out)
	if err != nil || bad != nil {
		t.Fatalf("TTL %s: %q, %v", key, out, err)
	}
	return n
}

func TestEveryKeyExpires(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	c := open(t, tcp(s.Addr()), redis.Options{Jitter: 300})
	apart := map[int]bool{}
	for i := range 40 {
		key := fmt.Sprint("k", i)
		hit(t, c, key, 1)
		hit(t, c, key, 1)
		n := ttl(t, s, key)
		if n < 3590 || n >= 3900 {
			t.Errorf("%s: got TTL %d want 3600 to 3899", key, n)
		}
		apart[n] = true
	}
	if len(apart) < 10 {
		t.Errorf("got %d different TTLs want jitter", len(apart))
	}
}

func TestNoJitter(t *testing.T) {
	s := redistest.Start(t)
	c := open(t, tcp(s.Addr()), redis.Options{})
	hit(t, c, "k", 1)
	if n := ttl(t, s, "k"); n != 3600 && n != 3599 {
		t.Errorf("got TTL %d want 3600", n)
	}
}

func TestLostKeyGetsItsExpiryAgain(t *testing.T) {
	s := redistest.Start(t)
	c := open(t, tcp(s.Addr()), redis.Options{})
	for range 3 {
		hit(t, c, "k", 2)
	}
	if _, err := s.Command("FLUSHALL"); err != nil {
		t.Fatal(err)
	}
	if n := hit(t, c, "k", 2); n != 2 || ttl(t, s, "k") < 3590 {
		t.Errorf("got count %d, TTL %d want 2, 3600", n, ttl(t, s, "k"))
	}
}

func TestGivingBackKeepsTheExpiry(t *testing.T) {
	s := redistest.Start(t)
	c := open(t, tcp(s.Addr()), redis.Options{})
	hit(t, c, "k", 5)
	if _, err := s.Command("EXPIRE", "k", "100"); err != nil {
		t.Fatal(err)
	}
	hits := []ratelimit.Hit{{Key: []byte("k"), Window: ratelimit.Window{Seconds: 3600}, Add: 3, Back: true}}
	if err := c.Add(t.Context(), hits); err != nil || hits[0].Count != 2 {
		t.Fatalf("got %d, %v want 2", hits[0].Count, err)
	}
	if n := ttl(t, s, "k"); n > 100 || n < 90 {
		t.Errorf("got TTL %d want 100", n)
	}
}

func TestStopGivesExpiry(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	c := open(t, tcp(s.Addr()), redis.Options{})
	hits := []ratelimit.Hit{{Key: []byte("k"), Window: ratelimit.Window{Seconds: 3600}, Add: 1, Limit: 5}}
	for _, script := range []string{"new", "known", "forgotten"} {
		if err := c.AddUnlessOver(t.Context(), hits); err != nil || ttl(t, s, "k") < 3590 {
			t.Errorf("%s script: got %v, TTL %d want 3600", script, err, ttl(t, s, "k"))
		}
		if script == "known" {
			s.Command("SCRIPT", "FLUSH")
		}
	}
	if hits[0].Count != 3 {
		t.Errorf("got %d want 3", hits[0].Count)
	}
}

func TestValueThatIsNoNumber(t *testing.T) {
	s := redistest.Start(t)
	c := open(t, tcp(s.Addr()), redis.Options{})
	s.Command("SET", "text", "abc")
	for name, h := range map[string]ratelimit.Hit{
		"add":  {Add: 1},
		"look": {Add: 0},
		"back": {Add: 1, Back: true},
	} {
		h.Key, h.Window = []byte("text"), ratelimit.Window{Seconds: 60}
		hits := []ratelimit.Hit{h}
		if err := c.Add(t.Context(), hits); err == nil || !strings.Contains(err.Error(), "not an integer") {
			t.Errorf("%s: got %v want the server's error", name, err)
		}
		if err := c.AddUnlessOver(t.Context(), hits); err == nil || !strings.Contains(err.Error(), "not an integer") {
			t.Errorf("%s, stop: got %v want the server's error", name, err)
		}
	}
	hit(t, c, "good", 1) // the connection is none the worse
}

// A proxy between counter and server sees what travels together.
func TestFirstHitAndExpiryTravelInOneWrite(t *testing.T) {
	s := redistest.Start(t)
	writes := make(chan string, 1000)
	c := open(t, tcp(spy(t, s.Addr(), writes)), redis.Options{})
	hit(t, c, "once", 1)
	hit(t, c, "once", 1)
	var first, later int
	for len(writes) > 0 {
		write := <-writes
		if !strings.Contains(write, "INCRBY") {
			continue
		}
		if strings.Contains(write, "EXPIRE") {
			first++
		} else {
			later++
		}
	}
	if first != 1 || later != 1 {
		t.Errorf("got %d writes with expiry, %d without want 1, 1", first, later)
	}
}

func spy(t *testing.T, addr string, writes chan<- string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", addr)
			if err != nil {
				client.Close()
				return
			}
			go func() {
				io.Copy(client, bufio.NewReader(server))
				client.Close()
			}()
			go func() {
				defer server.Close()
				for buf := make([]byte, 1<<16); ; {
					n, err := client.Read(buf)
					if err != nil {
						return
					}
					writes <- string(buf[:n])
					server.Write(buf[:n])
				}
			}()
		}
	}()
	return l.Addr().String()
}

func TestStopAcrossBothRedises(t *testing.T) {
	main, perSecond := redistest.Start(t), redistest.Start(t)
	cfg := tcp(main.Addr())
	cfg.PerSecond, cfg.PerSecondNode = true, redis.Node{SocketType: "tcp", URL: perSecond.Addr()}
	c := open(t, cfg, redis.Options{Jitter: 300})
	call := func(wantSecond, wantMinute uint64) {
		t.Helper()
		hits := []ratelimit.Hit{
			{Key: []byte("s"), Window: ratelimit.Window{Seconds: 1}, Add: 1, Limit: 2},
			{Key: []byte("m"), Window: ratelimit.Window{Seconds: 60}, Add: 1, Limit: 10},
		}
		if err := c.AddUnlessOver(t.Context(), hits); err != nil || hits[0].Count != wantSecond || hits[1].Count != wantMinute {
			t.Errorf("got %d, %d, %v want %d, %d", hits[0].Count, hits[1].Count, err, wantSecond, wantMinute)
		}
	}
	call(1, 1)
	call(2, 2)
	call(3, 2)
	call(4, 2)
}

func TestSecondsGoToTheirOwnRedis(t *testing.T) {
	main, perSecond := redistest.Start(t), redistest.Start(t)
	cfg := tcp(main.Addr())
	cfg.PerSecond, cfg.PerSecondNode = true, redis.Node{SocketType: "tcp", URL: perSecond.Addr()}
	c := open(t, cfg, redis.Options{Jitter: 300})
	now := time.Now().Unix()
	hits := []ratelimit.Hit{
		{Key: []byte("s"), Window: ratelimit.Window{Start: now, Seconds: 1}, Add: 1},
		{Key: []byte("m"), Window: ratelimit.Window{Start: now, Seconds: 60}, Add: 2},
		{Key: []byte("s"), Window: ratelimit.Window{Start: now, Seconds: 1}, Add: 3},
	}
	if err := c.Add(t.Context(), hits); err != nil {
		t.Fatal(err)
	}
	if hits[0].Count != 1 || hits[1].Count != 2 || hits[2].Count != 4 {
		t.Errorf("got %d, %d, %d want 1, 2, 4", hits[0].Count, hits[1].Count, hits[2].Count)
	}
	if out, _ := main.Command("KEYS", "*"); out != "m" {
		t.Errorf("main: got keys %q want m", out)
	}
	if out, _ := perSecond.Command("KEYS", "*"); out != "s" {
		t.Errorf("per second: got keys %q want s", out)
	}
}

// A limit of a second and one of a minute on the same entries have the same key
// when their windows start together.
func TestLongerWindowOfTheSameKeyGetsItsExpiry(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	c := open(t, tcp(s.Addr()), redis.Options{})
	for _, seconds := range []int64{1, 60} {
		hits := []ratelimit.Hit{{Key: []byte("k"), Window: ratelimit.Window{Start: 1794700800, Seconds: seconds}, Add: 1}}
		if err := c.Add(t.Context(), hits); err != nil {
			t.Fatal(err)
		}
	}
	if n := ttl(t, s, "k"); n < 50 {
		t.Errorf("got TTL %d, want about 60", n)
	}
}
