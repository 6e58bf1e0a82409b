package rtmp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"

	"stoa/video/internal/intake/intaketest"
	"stoa/video/internal/live"
)

const testKey = "0f8c7b6e-5d4a-4c3b-9a2f-1e0d9c8b7a65"

// door lets in who has the key, and keeps what comes.
type door struct {
	came  chan *feed
	write func(*feed, live.Frame) error // before a frame is kept; may be nil
}

func newDoor() *door { return &door{came: make(chan *feed, 100)} }

func (d *door) Enter(_ context.Context, key string, from live.Publisher) (live.Feed, error) {
	switch key {
	case testKey:
	case "busy":
		return nil, live.ErrBusy
	case "broken":
		return nil, errors.New("the database at 10.0.0.1 is away")
	case "panic":
		panic("the door fell off")
	default:
		return nil, live.ErrUnknownKey
	}
	f := &feed{door: d, from: from, done: make(chan struct{}), closed: make(chan struct{}), first: make(chan struct{})}
	d.came <- f
	return f, nil
}

// feed is what one publisher sent.
type feed struct {
	door   *door
	from   live.Publisher
	done   chan struct{}
	closed chan struct{}
	first  chan struct{} // closed with the first frame
	mu     sync.Mutex
	starts [][]live.Format
	frames []live.Frame
	of     []int // which start each frame belongs to
}

func (f *feed) Start(formats []live.Format) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.starts = append(f.starts, formats)
	return nil
}

func (f *feed) Write(frame live.Frame) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.door.write != nil {
		if err := f.door.write(f, frame); err != nil {
			return err
		}
	}
	if len(f.starts) == 0 || frame.Track < 0 || frame.Track >= len(f.starts[len(f.starts)-1]) || len(frame.Payload) == 0 {
		return fmt.Errorf("got frame of track %d with %d bytes after %d starts", frame.Track, len(frame.Payload), len(f.starts))
	}
	if len(f.frames) == 0 {
		close(f.first)
	}
	f.frames, f.of = append(f.frames, frame), append(f.of, len(f.starts)-1)
	return nil
}

func (f *feed) Done() <-chan struct{} { return f.done }
func (f *feed) Close()                { close(f.closed) }

// track is the frames of one, after the feed was closed.
func (f *feed) track(number int) (frames []live.Frame) {
	for _, frame := range f.frames {
		if frame.Track == number {
			frames = append(frames, frame)
		}
	}
	return frames
}

// running is a server on this machine.
type running struct {
	address string
	log     *intaketest.Log
	stop    func() // and wait; the end of the test does it too
}

func serve(t testing.TB, o Options) running {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return serveOn(t, o, l)
}

func serveOn(t testing.TB, o Options, l net.Listener) running {
	log := new(intaketest.Log)
	o.Log = log.Logger()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- NewServer(o).Serve(ctx, l) }()
	stop := sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("got %v of the server, want nothing", err)
		}
	})
	t.Cleanup(stop)
	return running{l.Addr().String(), log, stop}
}
