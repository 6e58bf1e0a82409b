package rtmp

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bluenviron/gortmplib/pkg/amf0"

	"stoa/video/internal/intake/intaketest"
	"stoa/video/internal/live"
)

// tape is a connection that was recorded, or is: what the peer sent comes at once.
type tape struct {
	io.Reader
	io.Writer
}

func (tape) Close() error                     { return nil }
func (tape) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (tape) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (tape) SetDeadline(time.Time) error      { return nil }
func (tape) SetReadDeadline(time.Time) error  { return nil }
func (tape) SetWriteDeadline(time.Time) error { return nil }

// recording is what an encoder sends after the handshake.
func recording(t testing.TB, formats []live.Format, frames ...live.Frame) []byte {
	t.Helper()
	var out bytes.Buffer
	c := &Client{conn: newConn(tape{nil, &out}, nil, bounds{}, 0), stream: stream}
	for _, cmd := range []command{
		{"connect", 1, amf0.Data{amf0.Object{{Key: "app", Value: "s"}, {Key: "fourCcList", Value: amf0.StrictArray{"hvc1"}}}}},
		{"createStream", 2, amf0.Data{nil}},
		{"publish", 3, amf0.Data{nil, testKey, "live"}},
	} {
		if err := c.conn.writeCommand(chunksCommand, 0, cmd); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Start(formats, 0); err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		if err := c.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.conn.writeCommand(chunksCommand, 0, command{"deleteStream", 4, amf0.Data{nil, 1.0}}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// FuzzConnection lets a server read any bytes after the handshake. A panic would not
// end it, but stands in its log.
func FuzzConnection(f *testing.F) {
	for _, seen := range []string{"H264", "H265", "AV1", "VP9"} {
		for _, heard := range []string{"AAC", "MP3", "Opus", "AC3", "FLAC"} {
			a, b := samples[seen], samples[heard]
			f.Add(recording(f, []live.Format{a.format, b.format},
				live.Frame{Key: true, Payload: a.payload}, live.Frame{Track: 1, Key: true, Payload: b.payload},
				live.Frame{DTS: 5 * time.Hour, PTS: 6 * time.Hour, Payload: a.payload}))
		}
	}
	f.Add([]byte{2, 0, 0, 0, 0, 0, 6, kindUserControl, 0, 0, 0, 0, 0, 6, 1, 2, 3, 4})
	f.Add([]byte{0xc3, 0, 0, 0})
	shake := append([]byte{3}, make([]byte, 2*1536)...)
	f.Fuzz(func(t *testing.T, after []byte) {
		d, log := newDoor(), new(intaketest.Log)
		s := NewServer(Options{Door: d, Log: log.Logger()})
		s.serve(context.Background(), tape{io.MultiReader(bytes.NewReader(shake), bytes.NewReader(after)), io.Discard})
		if text := log.String(); strings.Contains(text, "panic") || strings.Contains(text, "got frame of track") {
			t.Error(text)
		}
	})
}

// FuzzTags goes straight to what a publisher sends: three messages.
func FuzzTags(f *testing.F) {
	for _, s := range samples {
		kind, head, config, err := configTag(s.format)
		if err != nil {
			f.Fatal(err)
		}
		_, first := frameTag(s.format, live.Frame{Key: true})
		frame := append(first, s.payload...)
		f.Add(kind == kindPicture, append(head, config...), frame, frame)
	}
	f.Fuzz(func(t *testing.T, seen bool, a, b, c []byte) {
		kind := byte(kindSound)
		if seen {
			kind = kindPicture
		}
		f := &feed{door: newDoor(), first: make(chan struct{})}
		p := newPublisher(nil, f, Options{})
		for i, body := range [][]byte{a, b, c} {
			if _, err := p.take(message{kind: kind, time: uint32(i) * 1000, body: bytes.Clone(body)}); err != nil && strings.Contains(err.Error(), "got frame") {
				t.Fatal(err)
			}
		}
		for _, format := range slices.Concat(f.starts...) {
			if _, _, _, err := configTag(format); err != nil && !strings.Contains(err.Error(), errSets.Error()) {
				t.Logf("a format that cannot be sent on: %v", err)
			}
		}
	})
}

// sinkFeed takes frames and forgets them.
type sinkFeed struct{ bytes int }

func (f *sinkFeed) Start([]live.Format) error { return nil }
func (f *sinkFeed) Write(frame live.Frame) error {
	f.bytes += len(frame.Payload)
	return nil
}
func (*sinkFeed) Done() <-chan struct{} { return nil }
func (*sinkFeed) Close()                {}

// BenchmarkPublish is what a message costs from the connection to the feed: a picture of
// 20 kB each, as of 4 Mbit/s, in chunks of 4 KiB.
func BenchmarkPublish(b *testing.B) {
	picture := append(bytes.Clone(idr[:8]), 0, 0, 0x4e, 0x20)
	picture = append(picture, bytes.Repeat([]byte{0x41}, 0x4e20)...)
	frames := make([]live.Frame, 1000)
	for i := range frames {
		frames[i] = live.Frame{DTS: time.Duration(i) * 40 * time.Millisecond, PTS: time.Duration(i) * 40 * time.Millisecond, Payload: picture}
	}
	all := recording(b, []live.Format{small, tone44}, frames...)
	feed := new(sinkFeed)
	b.SetBytes(int64(len(picture)))
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += len(frames) {
		c := newConn(tape{nil, io.Discard}, bufio.NewReaderSize(bytes.NewReader(all), 16<<10), known, 0)
		if _, err := c.negotiate(); err != nil {
			b.Fatal(err)
		}
		_ = newPublisher(c, feed, Options{Begin: time.Minute, Silence: time.Minute}).run()
	}
}
