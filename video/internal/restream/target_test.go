package restream

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
	"stoa/video/internal/rtmp"
)

var (
	shape = &codecs.H264{SPS: []byte{0x67, 0x42, 0xc0, 0x0a, 0xda, 0x10, 0x9b, 0x01, 0x10, 0, 0, 3, 0, 0x10, 0, 0, 3, 0, 0xa0, 0xf1, 0x22, 0x6a},
		PPS: []byte{0x68, 0xce, 0x0f, 0xc8}}
	voice = aac(0x12, 0x10) // 44100 Hz, stereo
	both  = []live.Format{shape, voice}
)

// aac is a format from its header.
func aac(header ...byte) *codecs.MPEG4Audio {
	f := new(codecs.MPEG4Audio)
	if err := f.Config.Unmarshal(header); err != nil {
		panic(err)
	}
	return f
}

// picture number n of a source with 25 a second, a key frame each second. Its payload
// has the number.
func picture(n, size int) live.Frame {
	at := time.Duration(n) * 40 * time.Millisecond
	payload := make([]byte, 4+size)
	copy(payload, []byte{byte(size >> 24), byte(size >> 16), byte(size >> 8), byte(size), 0x41, byte(n >> 8), byte(n)})
	if n%25 == 0 {
		payload[4] = 0x65
	}
	return live.Frame{DTS: at, PTS: at, Key: n%25 == 0, Payload: payload}
}

func numberOf(f live.Frame) int { return int(f.Payload[5])<<8 | int(f.Payload[6]) }

// target is a server in memory. It takes the key "good".
type target struct {
	dialed chan net.Conn
	closed chan struct{}
	feeds  chan *feed
	hold   func() // before each frame is taken; may be nil
}

func newTarget(t *testing.T) *target {
	g := &target{dialed: make(chan net.Conn), closed: make(chan struct{}), feeds: make(chan *feed, 10)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- rtmp.NewServer(rtmp.Options{Door: g, Log: slog.New(slog.DiscardHandler), Silence: time.Hour, Begin: time.Hour}).Serve(ctx, g)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return g
}

func (g *target) Accept() (net.Conn, error) {
	select {
	case c := <-g.dialed:
		return c, nil
	case <-g.closed:
		return nil, net.ErrClosed
	}
}

func (g *target) Close() error   { close(g.closed); return nil }
func (g *target) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (g *target) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case g.dialed <- theirs:
		return ours, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (g *target) Enter(_ context.Context, key string, _ live.Publisher) (live.Feed, error) {
	if key != "good" {
		return nil, live.ErrUnknownKey
	}
	f := &feed{target: g, done: make(chan struct{}), frames: make(chan live.Frame, 10_000)}
	g.feeds <- f
	return f, nil
}

// feed is one connection to the target.
type feed struct {
	target *target
	done   chan struct{}
	frames chan live.Frame
	mu     sync.Mutex
	starts [][]live.Format
}

func (f *feed) Start(formats []live.Format) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.starts = append(f.starts, formats)
	return nil
}

func (f *feed) Write(frame live.Frame) error {
	if f.target.hold != nil {
		f.target.hold()
	}
	f.frames <- frame
	return nil
}

func (f *feed) Done() <-chan struct{} { return f.done }
func (f *feed) Close()                { close(f.frames) }
