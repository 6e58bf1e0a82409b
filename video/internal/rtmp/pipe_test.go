package rtmp

import (
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
)

// pipes is a listener in memory, so that tests have a time of their own.
type pipes struct {
	dialed chan net.Conn
	closed chan struct{}
}

func newPipes() *pipes { return &pipes{dialed: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialed:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p *pipes) dial(t *testing.T) net.Conn {
	t.Helper()
	ours, theirs := net.Pipe()
	select {
	case p.dialed <- theirs:
	case <-p.closed:
		t.Fatal("the server has ended")
	}
	return ours
}

var (
	tone44 = aac(0x12, 0x10) // 44100 Hz, stereo
	appURL = &url.URL{Scheme: "rtmp", Host: "host", Path: "/s"}
)

// aac is a format from its header.
func aac(header ...byte) *codecs.MPEG4Audio {
	f := new(codecs.MPEG4Audio)
	if err := f.Config.Unmarshal(header); err != nil {
		panic(err)
	}
	return f
}

// publishTone connects a client that has named its format and sent one frame.
func publishTone(t *testing.T, nc net.Conn) *Client {
	t.Helper()
	c, err := Connect(t.Context(), nc, appURL, testKey, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start([]live.Format{tone44}, 0); err != nil {
		t.Fatal(err)
	}
	writeTone(t, c, 0)
	writeTone(t, c, time.Second) // now nobody waits for pictures
	return c
}

func writeTone(t *testing.T, c *Client, at time.Duration) {
	t.Helper()
	if err := c.Write(live.Frame{DTS: at, PTS: at, Key: true, Payload: []byte{1, 2, 3}}); err != nil {
		t.Fatal(err)
	}
}
