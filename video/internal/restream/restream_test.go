package restream

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bluenviron/gortmplib/pkg/handshake"

	"stoa/video/internal/live"
)

// watch runs a restream until the test ends, and gives its states.
func watch(t *testing.T, o Options) (*Restream, chan State) {
	t.Helper()
	states := make(chan State, 1000)
	o.State = func(s State) { states <- s }
	o.Log = slog.New(slog.DiscardHandler)
	if o.URL == "" {
		o.URL = "rtmp://target.example/s"
	}
	r := New(o)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		var last State
		for len(states) > 0 {
			last = <-states
		}
		if last.Phase != Ended {
			t.Errorf("got state %+v at the end, want ended", last)
		}
	})
	return r, states
}

// until waits for a phase.
func until(t *testing.T, states chan State, want Phase) State {
	t.Helper()
	for {
		select {
		case s := <-states:
			if s.Phase == want {
				return s
			}
		case <-time.After(5 * time.Minute):
			t.Fatalf("got no state %q", want)
		}
	}
}

func TestTargetGetsFramesFromAKeyFrameOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newTarget(t)
		r, states := watch(t, Options{Key: "good", Dial: g.dial})
		r.Start(both)
		until(t, states, Live)
		synctest.Wait()
		for n := 10; n < 60; n++ {
			f := picture(n, 100)
			r.Write(f)
			sound := live.Frame{Track: 1, DTS: f.DTS - 5*time.Millisecond, PTS: f.DTS - 5*time.Millisecond, Key: true, Payload: []byte{byte(n)}}
			r.Write(sound)
		}
		synctest.Wait()
		f := <-g.feeds
		if len(f.starts) != 1 || !reflect.DeepEqual(f.starts[0], both) {
			t.Errorf("got starts %v, want one with %v", f.starts, both)
		}
		if got := len(f.frames); got != 70 {
			t.Errorf("got %d frames, want 70", got)
		}
		for n := 25; n < 60; n++ {
			seen, heard := <-f.frames, <-f.frames
			want := time.Duration(n-25) * 40 * time.Millisecond
			if numberOf(seen) != n || seen.DTS != want || seen.Key != (n%25 == 0) {
				t.Errorf("got picture %d at %v, want %d at %v", numberOf(seen), seen.DTS, n, want)
			}
			if want = max(0, want-5*time.Millisecond); heard.Track != 1 || heard.DTS != want || heard.Payload[0] != byte(n) {
				t.Errorf("got sound %v, want it at %v", heard, want)
			}
		}
	})
}

func TestChangedFormatIsToldToTheTarget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newTarget(t)
		r, states := watch(t, Options{Key: "good", Dial: g.dial})
		until(t, states, Live)
		synctest.Wait()
		r.Start([]live.Format{shape})
		for n := range 26 { // the target waits a second for sound
			r.Write(picture(n, 100))
		}
		r.Start(both)
		r.Write(picture(50, 100))
		r.Write(live.Frame{Track: 1, DTS: 2 * time.Second, PTS: 2 * time.Second, Key: true, Payload: []byte{1}})
		synctest.Wait()
		f := <-g.feeds
		if want := [][]live.Format{{shape}, both}; !reflect.DeepEqual(f.starts, want) || len(f.frames) != 28 {
			t.Errorf("got starts %v with %d frames, want %v with 28", f.starts, len(f.frames), want)
		}
	})
}

func TestSlowTargetLosesWholeGroups(t *testing.T) {
	t.Parallel()
	t.Run("several in the queue", func(t *testing.T) { t.Parallel(); loseGroups(t, 100_000) })
	t.Run("one that is larger than the queue", func(t *testing.T) { t.Parallel(); loseGroups(t, 600_000) })
}

// loseGroups writes 10 groups of 25 pictures to a target that takes none meanwhile.
func loseGroups(t *testing.T, size int) {
	synctest.Test(t, func(t *testing.T) {
		g := newTarget(t)
		gate := make(chan struct{})
		g.hold = func() { <-gate }
		r, states := watch(t, Options{Key: "good", Dial: g.dial, Write: time.Hour})
		r.Start([]live.Format{shape})
		until(t, states, Live)
		synctest.Wait()
		began := time.Now()
		payload := picture(0, size).Payload[7:]
		write := func(n int) {
			f := picture(n, 3)
			binary.BigEndian.PutUint32(f.Payload, uint32(3+len(payload)))
			f.Payload = append(f.Payload, payload...)
			r.Write(f)
		}
		for n := range 250 {
			write(n)
		}
		if time.Since(began) != 0 {
			t.Errorf("got %v for writing, want the source never to wait", time.Since(began))
		}
		close(gate)
		synctest.Wait()
		for n := 250; n < 260; n++ {
			write(n)
		}
		synctest.Wait()
		f := <-g.feeds
		last, jumps := -1, 0
		for len(f.frames) > 0 {
			frame := <-f.frames
			n := numberOf(frame)
			if n != last+1 {
				jumps++
				if !frame.Key {
					t.Errorf("got picture %d after %d, want a key frame", n, last)
				}
			}
			last = n
		}
		if last != 259 || jumps == 0 {
			t.Errorf("got the last picture %d after %d jumps, want 259 after some", last, jumps)
		}
		if lost := r.queue.lostSoFar(); lost < 100 {
			t.Errorf("got %d frames lost, want many of 250", lost)
		}
	})
}

func TestTargetIsTriedAgainLaterAndLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newTarget(t)
		began := time.Now()
		attempts := make(chan time.Duration, 100)
		down := errors.New("no route to this host")
		var up atomic.Bool
		_, states := watch(t, Options{Key: "good", Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if network != "tcp" || address != "target.example:1935" {
				t.Errorf("got %s %s dialed", network, address)
			}
			attempts <- time.Since(began)
			if up.Load() {
				return g.dial(ctx, network, address)
			}
			return nil, down
		}})
		for _, want := range []time.Duration{0, 1, 3, 7, 15, 31, 61, 91} {
			if got := <-attempts; got != want*time.Second {
				t.Errorf("got an attempt after %v, want it after %d s", got, want)
			}
			if s := until(t, states, Waiting); !errors.Is(s.Err, down) {
				t.Errorf("got %v, want the reason", s.Err)
			}
		}
		up.Store(true)
		until(t, states, Live)
		<-attempts
		time.Sleep(61 * time.Second)
		up.Store(false)
		close((<-g.feeds).done)
		ended := time.Now()
		for _, want := range []time.Duration{1, 3, 7} {
			if got := <-attempts - ended.Sub(began); got != want*time.Second {
				t.Errorf("got an attempt %v after the success, want %d s", got, want)
			}
		}
	})
}

func TestRefusalIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newTarget(t)
		_, states := watch(t, Options{Key: "bad", Dial: g.dial})
		for range 2 {
			if s := until(t, states, Refused); s.Err == nil || !strings.Contains(s.Err.Error(), "no live stream has this key") {
				t.Errorf("got %v, want what the target said", s.Err)
			}
		}
	})
}

func TestTargetThatHangs(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(net.Conn){
		"before the handshake": func(net.Conn) {},
		"after the handshake":  func(c net.Conn) { _, _, _ = handshake.DoServer(c, false); _, _ = io.Copy(io.Discard, c) },
		"with endless commands": func(c net.Conn) {
			_, _, _ = handshake.DoServer(c, false)
			var reading sync.WaitGroup
			reading.Go(func() { _, _ = io.Copy(io.Discard, c) })
			defer reading.Wait()
			for {
				if _, err := c.Write([]byte{3, 0, 0, 0, 0, 0, 13, 20, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5}); err != nil {
					return
				}
				time.Sleep(time.Millisecond)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				var answers sync.WaitGroup
				t.Cleanup(answers.Wait)
				_, states := watch(t, Options{Key: "good", Write: time.Minute, Dial: func(context.Context, string, string) (net.Conn, error) {
					ours, theirs := net.Pipe()
					answers.Go(func() { answer(theirs) })
					return ours, nil
				}})
				s := until(t, states, Waiting)
				if time.Since(began) != 10*time.Second || !errors.Is(s.Err, context.DeadlineExceeded) {
					t.Errorf("got %v after %v, want the limit after 10 s", s.Err, time.Since(began))
				}
			})
		})
	}
}

func TestTargetThatStopsReading(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newTarget(t)
		gate := make(chan struct{})
		defer close(gate)
		g.hold = func() { <-gate }
		r, states := watch(t, Options{Key: "good", Dial: g.dial, Write: 5 * time.Second})
		r.Start(both)
		until(t, states, Live)
		synctest.Wait()
		began := time.Now()
		for n := range 50 {
			r.Write(picture(n, 100_000))
			r.Write(live.Frame{Track: 1, Key: true, Payload: []byte{1}})
		}
		until(t, states, Waiting)
		if got := time.Since(began); got != 5*time.Second {
			t.Errorf("got the end after %v, want it after 5 s", got)
		}
	})
}

func TestTargetThatComesBackBeginsAnew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newTarget(t)
		r, states := watch(t, Options{Key: "good", Dial: g.dial})
		r.Start(both)
		for turn := range 2 {
			until(t, states, Live)
			synctest.Wait()
			for n := 100*turn + 90; n < 100*turn+110; n++ {
				r.Write(picture(n, 100))
				r.Write(live.Frame{Track: 1, DTS: picture(n, 9).DTS, Key: true, Payload: []byte{1}})
			}
			synctest.Wait()
			f := <-g.feeds
			if first := <-f.frames; numberOf(first) != 100*turn+100 || first.DTS != 0 || !reflect.DeepEqual(f.starts, [][]live.Format{both}) {
				t.Errorf("turn %d: got picture %d at %v after starts %v", turn, numberOf(first), first.DTS, f.starts)
			}
			close(f.done)
			until(t, states, Waiting)
		}
	})
}

func TestClockGoesOnWhereTheSourceJumpsBack(t *testing.T) {
	t.Parallel()
	var c clock
	for i, step := range [][2]time.Duration{{100, 0}, {101, 1}, {105, 5}, {3, 5}, {4, 6}, {50, 52}} {
		if got := c.set(live.Frame{DTS: step[0] * time.Second, PTS: step[0]*time.Second + 1}); got.DTS != step[1]*time.Second || got.PTS != got.DTS+1 {
			t.Errorf("step %d: got %v, want %d s", i, got.DTS, step[1])
		}
	}
}

func TestAddressThatIsNone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, states := watch(t, Options{URL: "rtmp://%zz/s", Dial: func(context.Context, string, string) (net.Conn, error) {
			t.Error("got it dialed")
			return nil, io.EOF
		}})
		if s := until(t, states, Waiting); s.Err == nil {
			t.Error("got no error")
		}
	})
}
