package rtmp

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bluenviron/gortmplib/pkg/handshake"

	"stoa/video/internal/crowd"
	"stoa/video/internal/live"
	"stoa/video/internal/porter"
)

func TestPeersThatStopAreCutOff(t *testing.T) {
	t.Parallel()
	shakes := func(t *testing.T, nc net.Conn) {
		if _, _, err := handshake.DoClient(nc, false, false); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		begin func(t *testing.T, nc net.Conn)
		after time.Duration
	}{
		"before the handshake": {func(*testing.T, net.Conn) {}, 10 * time.Second},
		"in the handshake": {func(t *testing.T, nc net.Conn) {
			if _, err := nc.Write([]byte{3, 0, 0}); err != nil {
				t.Fatal(err)
			}
		}, 10 * time.Second},
		"after the handshake": {shakes, 10 * time.Second},
		"in a command": {func(t *testing.T, nc net.Conn) {
			shakes(t, nc)
			if _, err := nc.Write([]byte{3, 0, 0, 0, 0, 0, 100, kindCommand, 0, 0, 0, 0, 2}); err != nil {
				t.Fatal(err)
			}
		}, 10 * time.Second},
		"before the first frame": {func(t *testing.T, nc net.Conn) {
			if _, err := Connect(t.Context(), nc, appURL, testKey, time.Minute); err != nil {
				t.Fatal(err)
			}
		}, 10 * time.Second},
		"as publisher": {func(t *testing.T, nc net.Conn) { publishTone(t, nc) }, 15 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := newPipes()
				s := serveOn(t, Options{Door: newDoor()}, l)
				defer s.stop()
				nc := l.dial(t)
				began := time.Now()
				c.begin(t, nc)
				_, err := io.Copy(io.Discard, nc)
				if got := time.Since(began); got != c.after || err != nil {
					t.Errorf("got the end (%v) after %v, want it after %v", err, got, c.after)
				}
			})
		})
	}
}

func TestPublisherWithoutFramesIsCutOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		s := serveOn(t, Options{Door: newDoor()}, l)
		defer s.stop()
		c := publishTone(t, l.dial(t))
		began := time.Now()
		for c.Start([]live.Format{tone44}, 0) == nil { // it names its format again and again
			time.Sleep(time.Second)
		}
		if got := time.Since(began).Round(time.Second); got != 15*time.Second {
			t.Errorf("got the end after %v, want it after 15 s", got)
		}
	})
}

func TestEncoderIsToldOfFormatThatIsNotTaken(t *testing.T) {
	t.Parallel()
	d := newDoor()
	s := serve(t, Options{Door: d})
	nc, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	c := publishTone(t, nc)
	defer c.Close()
	if err := c.conn.write(chunksSound, message{kind: kindSound, body: []byte{0xb6, 1, 2}}, stream, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "send H.264 with AAC") {
		t.Errorf("got %v, want what to do", err)
	}
	s.stop()
	if text := s.log.String(); !strings.Contains(text, "sound of kind 11") {
		t.Errorf("got log %s, want which format it was", text)
	}
}

func TestPeersThatDoNotReadAreCutOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		d := newDoor()
		s := serveOn(t, Options{Door: d, Answer: 3 * time.Second}, l)
		defer s.stop()
		c := publishTone(t, l.dial(t))
		f := <-d.came
		if err := c.conn.writeNumber(kindWindow, 1); err != nil { // an answer for each 64 KiB
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		began := time.Now()
		for range 100 {
			if err := c.Write(live.Frame{Key: true, Payload: make([]byte, 60_000)}); err != nil {
				break
			}
		}
		<-f.closed
		if got := time.Since(began); got != 3*time.Second {
			t.Errorf("got the end after %v, want it after 3 s", got)
		}
	})
}

func TestCrowdsAreBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		options Options
		want    error
	}{{Options{Connections: 2}, crowd.ErrAll}, {Options{PerAddress: 2}, crowd.ErrAddress}} {
		synctest.Test(t, func(t *testing.T) {
			l := newPipes()
			c.options.Door = newDoor()
			s := serveOn(t, c.options, l)
			defer s.stop()
			first, second, third := l.dial(t), l.dial(t), l.dial(t)
			if _, err := third.Read(make([]byte, 1)); err != io.EOF {
				t.Errorf("got %v of the third connection, want its end", err)
			}
			if text := s.log.String(); !strings.Contains(text, c.want.Error()) {
				t.Errorf("got log %s, want %v", text, c.want)
			}
			_ = first.Close()
			synctest.Wait()
			publishTone(t, l.dial(t))
			_ = second.Close()
		})
	}
}

func TestEndOfServerEndsConnections(t *testing.T) {
	t.Parallel()
	d := newDoor()
	s := serve(t, Options{Door: d})
	nc, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	publishTone(t, nc)
	f := <-d.came
	<-f.first
	s.stop()
	select {
	case <-f.closed:
	default:
		t.Error("got a feed that is open after the server has ended")
	}
	if text := s.log.String(); !strings.Contains(text, porter.ErrStopping.Error()) {
		t.Errorf("got log %s, want why the publisher left", text)
	}
}

func TestFeedEndsConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, d := newPipes(), newDoor()
		s := serveOn(t, Options{Door: d}, l)
		defer s.stop()
		c := publishTone(t, l.dial(t))
		f := <-d.came
		<-f.first
		began := time.Now()
		close(f.done)
		if err := c.Wait(); err != errClosed || time.Since(began) != 0 {
			t.Errorf("got %v after %v, want the end at once", err, time.Since(began))
		}
		<-f.closed
		synctest.Wait()
		if text := s.log.String(); !strings.Contains(text, porter.ErrDismissed.Error()) {
			t.Errorf("got log %s, want why the publisher left", text)
		}
	})
}

func TestEndedBroadcastKeepsPublisherForAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, d := newPipes(), newDoor()
		d.write = func(_ *feed, frame live.Frame) error {
			if frame.DTS >= 2*time.Second {
				return live.ErrEnded
			}
			return nil
		}
		s := serveOn(t, Options{Door: d}, l)
		defer s.stop()
		c := publishTone(t, l.dial(t))
		began := time.Now()
		for at := 2 * time.Second; ; at += time.Second {
			if c.Write(live.Frame{DTS: at, Key: true, Payload: []byte{1}}) != nil {
				break
			}
			time.Sleep(time.Second)
		}
		f := <-d.came
		<-f.closed
		if got := time.Since(began); got < time.Minute || got > 62*time.Second {
			t.Errorf("got the end after %v, want it after a minute", got)
		}
		if len(f.frames) != 2 {
			t.Errorf("got %d frames, want the 2 from before the end", len(f.frames))
		}
	})
}

func TestPanicEndsItsConnectionOnly(t *testing.T) {
	t.Parallel()
	d := newDoor()
	s := serve(t, Options{Door: d})
	for _, key := range []string{"panic", testKey} {
		nc, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		if _, err := Connect(t.Context(), nc, appURL, key, time.Minute); (err == nil) != (key == testKey) {
			t.Errorf("%s: got %v", key, err)
		}
	}
	if text := s.log.String(); !strings.Contains(text, "the door fell off") {
		t.Errorf("got log %s, want the panic", text)
	}
}

func TestConnectEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		if _, err := Connect(ctx, ours, appURL, testKey, time.Minute); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 5*time.Second {
			t.Errorf("got %v after %v, want the limit after 5 s", err, time.Since(began))
		}
	})
}
