package polls

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/stats"
)

// theater is one watched poll behind a server, in a bubble of time.
type theater struct {
	service *Service
	ends    chan struct{} // gets one when a stream has ended
	client  net.Conn
	lines   *bufio.Reader
}

// openTheater begins a stream over a connection without any buffer.
func openTheater(t *testing.T) *theater {
	h := &theater{service: &Service{watchers: newWatchers(10, 10, false, stats.NewRegistry(), Production)}, ends: make(chan struct{}, 1)}
	client, far := net.Pipe()
	server := &http.Server{ReadTimeout: time.Minute, Handler: http.HandlerFunc(h.serve)}
	go server.Serve(&oneConnection{conn: far, closed: make(chan struct{})})
	t.Cleanup(func() { client.Close(); server.Close(); synctest.Wait() })
	if _, err := client.Write([]byte("GET / HTTP/1.1\r\nHost: stoa.test\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	h.client, h.lines = client, bufio.NewReader(client)
	return h
}

func (h *theater) serve(w http.ResponseWriter, r *http.Request) {
	defer func() { h.ends <- struct{}{} }()
	s := h.service.watchers.join(1, netip.Addr{})
	defer h.service.watchers.leave(s)
	h.service.watchers.found([]raised{{poll: 1, version: 1}})
	e := &events{w: w, control: http.NewResponseController(w)}
	h.service.follow(r.Context(), s, e)
}

// until reads up to a line that begins so and tells when it came.
func (h *theater) until(t *testing.T, prefix string) time.Time {
	t.Helper()
	for {
		line, err := h.lines.ReadString('\n')
		if err != nil {
			t.Fatalf("wait for %q: %v", prefix, err)
		}
		if strings.HasPrefix(line, prefix) {
			return time.Now()
		}
	}
}

func (h *theater) change(version int64) {
	h.service.watchers.tell([]raised{{poll: 1, version: version, tally: tally{first: version}}})
}

// oneConnection is a listener for one connection.
type oneConnection struct {
	conn   net.Conn
	closed chan struct{}
}

func (l *oneConnection) Accept() (net.Conn, error) {
	if conn := l.conn; conn != nil {
		l.conn = nil
		return conn, nil
	}
	<-l.closed
	return nil, net.ErrClosed
}

func (l *oneConnection) Close() error   { close(l.closed); return nil }
func (l *oneConnection) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func TestStreamIsToldTwiceASecondAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openTheater(t)
		h.until(t, "event: results")
		var voting sync.WaitGroup
		defer voting.Wait()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		voting.Go(func() {
			for version := int64(2); ctx.Err() == nil; version++ {
				h.change(version)
				time.Sleep(7 * time.Millisecond)
			}
		})
		start := h.until(t, "event: results")
		const more = 10
		var last time.Time
		for range more {
			last = h.until(t, "event: results")
		}
		if got := last.Sub(start); got < more*tellEvery || got > more*tellEvery+tellEvery/2 {
			t.Errorf("got %d events in %v want %v", more, got, more*tellEvery)
		}
	})
}

func TestStreamIsNotToldWhatItKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openTheater(t)
		h.until(t, "event: results")
		h.change(5)
		h.until(t, `data: {"voteCount":5`)
		h.change(4) // older: came late
		h.change(5)
		time.Sleep(time.Second)
		h.change(6)
		if line, err := h.lines.ReadString('\n'); line != "\r\n" && line != "\n" {
			t.Errorf("got %q, %v want the end of the event", line, err)
		}
		h.until(t, `data: {"voteCount":6`)
	})
}

func TestQuietStreamSaysThatItIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openTheater(t)
		start := h.until(t, "event: results")
		for i := range 20 { // much longer than a request may take to be read
			if got, want := h.until(t, ":").Sub(start), heartbeat*time.Duration(i+1); got != want {
				t.Errorf("got a comment after %v want %v", got, want)
			}
		}
	})
}

func TestStreamOfAClientThatDoesNotReadEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openTheater(t)
		h.until(t, "event: results")
		start := time.Now()
		h.change(2) // and nobody reads
		<-h.ends
		if got := time.Since(start); got > heartbeat+2*streamWrite {
			t.Errorf("got the end after %v want it soon after %v", got, streamWrite)
		}
		if h.service.watchers.open != 0 {
			t.Errorf("got %d streams want none", h.service.watchers.open)
		}
	})
}
