package dogstatsd

import (
	"context"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/stats"
)

const patience = 10 * time.Second

// origin is what the client adds when it finds itself in a container.
var origin = regexp.MustCompile(`\|(c|e|card):.*$`)

// receive returns the first line each of the names comes with.
func receive(t *testing.T, conn net.PacketConn, names ...string) map[string]string {
	t.Helper()
	got := map[string]string{}
	buf := make([]byte, 1<<16)
	for len(got) < len(names) {
		conn.SetReadDeadline(time.Now().Add(patience))
		n, _, err := conn.ReadFrom(buf)
		if err != nil {
			t.Fatalf("got %v, then %v", got, err)
		}
		if n > datagramSize {
			t.Errorf("got a datagram of %d bytes", n)
		}
		for line := range strings.Lines(string(buf[:n])) {
			name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
			if _, seen := got[name]; !seen {
				got[name] = origin.ReplaceAllString(rest, "")
			}
		}
	}
	return got
}

func listen(t *testing.T) net.PacketConn {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestSinkSendsNamesAndTags(t *testing.T) {
	conn := listen(t)
	r := stats.NewRegistry()
	r.Counter("limit.shop.path_a,b.over").Add(3)
	r.Counter("plain", stats.Tag{Key: "own", Value: "1"}).Add(4)
	r.Gauge("level").Set(-2)
	took := r.Timer("took")
	s := New(Options{
		Registry: r, Address: conn.LocalAddr().String(), Interval: 10 * time.Millisecond,
		Tags: stats.Tags{{Key: "env", Value: "t.1"}},
		Mogrifiers: []Mogrifier{
			{regexp.MustCompile(`^limit\.(.*)\.(.*)\.over$`), "limit.over", stats.Tags{{Key: "domain", Value: "$1"}, {Key: "key", Value: "$2"}}},
			{regexp.MustCompile(`limit`), "second", nil},
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	took.Observe(12999 * time.Microsecond)
	want := map[string]string{
		"limit.over": "3|c|#domain:shop,env:t.1,key:path_a_b",
		"plain":      "4|c|#env:t.1,own:1",
		"level":      "-2|g|#env:t.1",
		"took":       "12.000000|ms|#env:t.1",
	}
	if diff := cmp.Diff(want, receive(t, conn, "limit.over", "plain", "level", "took")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Run: got %v want nil", err)
	}
}

func TestStopFlushesOnceMore(t *testing.T) {
	conn := listen(t)
	r := stats.NewRegistry()
	c, took := r.Counter("c"), r.Timer("took")
	_, port, _ := net.SplitHostPort(conn.LocalAddr().String())
	s := New(Options{Registry: r, Address: "localhost:" + port, Interval: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	took.Observe(time.Second)
	receive(t, conn, "took") // connected
	c.Add(9)
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Run: got %v want nil", err)
	}
	if got := receive(t, conn, "c")["c"]; got != "9|c" {
		t.Errorf("got %q want 9|c", got)
	}
}

func TestUnknownHostEndsWithTheContext(t *testing.T) {
	r := stats.NewRegistry()
	s := New(Options{Registry: r, Address: "no-such-host.invalid:8125", Interval: time.Hour})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Run(ctx); err != nil {
		t.Errorf("Run: got %v want nil", err)
	}
}
