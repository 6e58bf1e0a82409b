package statsd

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/stats"
)

// start runs a sink; the function it returns ends it and waits.
func start(t *testing.T, s *Sink) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	stop = func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: got %v want nil", err)
		}
		done <- nil
	}
	t.Cleanup(stop)
	return stop
}

func TestTCPGetsLinesWithExtraTags(t *testing.T) {
	server := listen(t, "127.0.0.1:0")
	r := stats.NewRegistry()
	hits := r.Counter("shop.total_hits")
	r.Gauge("level", stats.Tag{Key: "a", Value: "own"}).Set(-4)
	took := r.Timer("took")
	start(t, New(Options{
		Registry: r, Network: "tcp", Address: server.listener.Addr().String(), Interval: 20 * time.Millisecond,
		Tags: stats.Tags{{Key: "a", Value: "x"}, {Key: "b", Value: "1.5"}},
	}))

	hits.Add(3)
	if got, want := server.next(t, "shop"), "shop.total_hits.__a=x.__b=1_5:3|c"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
	hits.Add(2)
	if got, want := server.next(t, "shop"), "shop.total_hits.__a=x.__b=1_5:2|c"; got != want {
		t.Errorf("increase: got %q want %q", got, want)
	}
	for range 2 { // at every flush, changed or not
		if got, want := server.next(t, "level"), "level.__a=own.__b=1_5:-4|g"; got != want {
			t.Errorf("got %q want %q", got, want)
		}
	}
	took.Observe(1234567 * time.Microsecond)
	if got, want := server.next(t, "took"), "took.__a=x.__b=1_5:1234|ms"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
}

func TestStopFlushesOnceMore(t *testing.T) {
	server := listen(t, "127.0.0.1:0")
	r := stats.NewRegistry()
	c := r.Counter("c")
	took := r.Timer("took")
	stop := start(t, New(Options{Registry: r, Network: "tcp", Address: server.listener.Addr().String(), Interval: time.Hour}))
	took.Observe(time.Millisecond)
	server.next(t, "took:1|ms") // connected
	c.Add(9)
	stop()
	if got := server.next(t, "c"); got != "c:9|c" {
		t.Errorf("got %q want c:9|c", got)
	}
}

func TestStopBeforeFirstConnectionStillFlushes(t *testing.T) {
	server := listen(t, "127.0.0.1:0")
	r := stats.NewRegistry()
	r.Counter("c").Add(9)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := New(Options{Registry: r, Network: "tcp", Address: server.listener.Addr().String(), Interval: time.Hour})
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if got := server.next(t, "c"); got != "c:9|c" {
		t.Errorf("got %q want c:9|c", got)
	}
}

func TestServerComesBackAndGetsWhatItMissed(t *testing.T) {
	server := listen(t, "127.0.0.1:0")
	address := server.listener.Addr().String()
	r := stats.NewRegistry()
	c := r.Counter("c")
	c.Add(1)
	start(t, New(Options{Registry: r, Network: "tcp", Address: address, Interval: 20 * time.Millisecond}))
	server.next(t, "c:1|c")
	server.stop()
	time.Sleep(100 * time.Millisecond) // a few flushes into the void
	c.Add(5)
	time.Sleep(100 * time.Millisecond)
	c.Add(7)
	again := listen(t, address)
	if got := again.next(t, "c"); got != "c:12|c" {
		t.Errorf("got %q want c:12|c", got)
	}
}

func TestAwayServerIsTriedEveryThreeSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := stats.NewRegistry()
		c, took := r.Counter("c"), r.Timer("took")
		s := New(Options{Registry: r, Network: "tcp", Interval: 10 * time.Second})
		began := time.Now()
		var tries []time.Duration
		ours, theirs := net.Pipe()
		s.dial = func(context.Context, string, string) (net.Conn, error) {
			tries = append(tries, time.Since(began))
			if len(tries) < 4 {
				return nil, errors.New("refused")
			}
			return ours, nil
		}
		var got strings.Builder
		go io.Copy(&got, theirs)
		ctx, cancel := context.WithCancel(t.Context())
		go s.Run(ctx)

		c.Add(1)
		time.Sleep(time.Second)
		took.Observe(time.Second) // while away: too old to be sent later
		time.Sleep(7 * time.Second)
		c.Add(2)
		time.Sleep(4 * time.Second)
		cancel()
		synctest.Wait()
		theirs.Close()
		synctest.Wait()

		if diff := cmp.Diff([]time.Duration{0, 3e9, 6e9, 9e9}, tries); diff != "" {
			t.Errorf("tries (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff("c:3|c\n", got.String()); diff != "" {
			t.Errorf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestServerThatReadsNothingIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := stats.NewRegistry()
		r.Counter("c").Add(1)
		s := New(Options{Registry: r, Network: "tcp", Interval: time.Second})
		others := make(chan net.Conn, 10)
		s.dial = func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			others <- theirs
			return ours, nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		go s.Run(ctx)
		time.Sleep(time.Second + writeTimeout + retryEvery + time.Second)
		if len(others) != 2 {
			t.Fatalf("got %d connections want 2", len(others))
		}
		var got strings.Builder
		<-others
		go io.Copy(&got, <-others)
		time.Sleep(2 * time.Second)
		cancel()
		synctest.Wait()
		if got.String() != "c:1|c\n" {
			t.Errorf("got %q want c:1|c", got.String())
		}
	})
}

func TestUDPDatagramsStaySmall(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	r := stats.NewRegistry()
	r.Counter(strings.Repeat("X", 70_000)).Add(1) // fits no datagram: must not be in the way
	want := map[string]bool{}
	for i := range 200 {
		c := r.Counter(strings.Repeat("n", i+1))
		c.Add(uint64(i + 1))
		want[strings.Repeat("n", i+1)] = true
	}
	long := strings.Repeat("L", 3000) // fits no small datagram: goes alone
	r.Counter(long).Add(1)
	want[long] = true
	_, port, _ := net.SplitHostPort(conn.LocalAddr().String())
	start(t, New(Options{Registry: r, Network: "udp", Address: "localhost:" + port, Interval: 10 * time.Millisecond}))

	buf := make([]byte, 1<<16)
	for len(want) > 0 {
		conn.SetReadDeadline(time.Now().Add(patience))
		n, _, err := conn.ReadFrom(buf)
		if err != nil {
			t.Fatalf("%d names missing: %v", len(want), err)
		}
		lines := strings.Split(strings.TrimSuffix(string(buf[:n]), "\n"), "\n")
		if n > datagramSize && len(lines) > 1 {
			t.Errorf("got a datagram of %d bytes with %d lines", n, len(lines))
		}
		for _, line := range lines {
			name, _, _ := strings.Cut(line, ":")
			if !want[name] {
				t.Errorf("unexpected line %.40q", line)
			}
			delete(want, name)
		}
	}
}

func TestUDPServerMayComeLater(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := conn.LocalAddr().String()
	conn.Close()
	r := stats.NewRegistry()
	level := r.Gauge("level")
	start(t, New(Options{Registry: r, Network: "udp", Address: address, Interval: 5 * time.Millisecond}))
	time.Sleep(50 * time.Millisecond)
	level.Set(8)
	conn, err = net.ListenPacket("udp", address)
	if err != nil {
		t.Fatalf("somebody took the port meanwhile, try again: %v", err)
	}
	defer conn.Close()
	conn.SetReadDeadline(time.Now().Add(patience))
	buf := make([]byte, 1500)
	n, _, err := conn.ReadFrom(buf)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(strings.Split(string(buf[:n]), "\n"), "level:8|g") {
		t.Errorf("got %q want level:8|g", buf[:n])
	}
}
