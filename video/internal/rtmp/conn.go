package rtmp

import (
	"bufio"
	"encoding/binary"
	"net"
	"sync"
	"time"
)

// conn is a connection after its handshake. One goroutine reads; any may write.
type conn struct {
	net    net.Conn
	in     *chunkReader
	window uint32 // bytes after which the peer wants to hear that they came
	acked  uint32

	mu    sync.Mutex
	out   chunkWriter
	limit time.Duration // of a write
}

const (
	ownWindow = 2_500_000 // after as many bytes a peer lets us know
	minWindow = 64 << 10  // what is asked of us below that costs more than it tells
)

func newConn(nc net.Conn, in *bufio.Reader, b bounds, writeLimit time.Duration) *conn {
	return &conn{
		net: nc, in: newChunkReader(in, b), window: ownWindow, limit: writeLimit,
		out: chunkWriter{out: bufio.NewWriter(nc), size: 128},
	}
}

// read waits for the next message of a command, a picture or sound. What concerns the
// connection alone is dealt with here.
func (c *conn) read() (message, error) {
	for {
		m, err := c.in.read()
		if err != nil {
			return message{}, err
		}
		if c.in.count-c.acked >= c.window {
			c.acked = c.in.count
			if err := c.writeNumber(kindAck, c.acked); err != nil {
				return message{}, err
			}
		}
		switch m.kind {
		case kindSound, kindPicture, kindCommand, kindCommand3:
			return m, nil
		}
		if err := c.control(m); err != nil {
			return message{}, err
		}
	}
}

// control does what a message asks of the connection. Messages that nobody knows are
// passed over.
func (c *conn) control(m message) error {
	switch {
	case m.kind == kindUserControl && len(m.body) >= 6 && binary.BigEndian.Uint16(m.body) == controlPing:
		binary.BigEndian.PutUint16(m.body, controlPong)
		return c.write(chunksControl, message{kind: kindUserControl, body: m.body[:6]}, 0, nil)
	case len(m.body) < 4:
		return nil
	}
	switch n := binary.BigEndian.Uint32(m.body); m.kind {
	case kindChunkSize:
		return c.in.setSize(n)
	case kindAbort:
		if s := c.in.streams[n]; s != nil {
			c.in.drop(s)
		}
	case kindWindow:
		c.window = max(n, minWindow)
	}
	return nil
}

// Events of user control.
const (
	controlPing = 6
	controlPong = 7
)

// write sends a message in two pieces, within the limit.
func (c *conn) write(chunks byte, m message, stream uint32, tail []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.net.SetWriteDeadline(time.Now().Add(c.limit)); err != nil {
		return err
	}
	return c.out.write(chunks, m, stream, tail)
}

func (c *conn) writeNumber(kind byte, n uint32) error {
	body := binary.BigEndian.AppendUint32(nil, n)
	if kind == kindBandwidth {
		body = append(body, 2) // may be more or less, as it likes
	}
	return c.write(chunksControl, message{kind: kind, body: body}, 0, nil)
}

// growChunks says that larger chunks follow, and lets them.
func (c *conn) growChunks() error {
	err := c.writeNumber(kindChunkSize, writeChunkSize)
	c.mu.Lock()
	c.out.size = writeChunkSize
	c.mu.Unlock()
	return err
}
