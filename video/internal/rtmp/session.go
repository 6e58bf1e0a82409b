package rtmp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/bluenviron/gortmplib/pkg/amf0"
	"github.com/bluenviron/gortmplib/pkg/handshake"
)

// strangers is what a peer may take before its key is known.
var strangers = bounds{message: 16 << 10, pending: 32 << 10}

// known is what a publisher may take: a key frame can be large.
var known = bounds{message: 10 << 20, pending: 16 << 20}

var (
	errVersion = errors.New("not the handshake of RTMP: use rtmp:// for this port, or rtmps:// for the one with TLS")
	errPlay    = errors.New("nothing is played by RTMP here: use the address of the stream that ends in .m3u8")
)

// meet does the handshake of a server. A handshake that begins encrypted RTMP (RTMPE)
// is refused: it protects from nobody, and makes us calculate for strangers.
func meet(nc net.Conn, writeLimit time.Duration) (*conn, error) {
	if err := nc.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(nc, 16<<10)
	version, err := in.Peek(1)
	if err != nil {
		return nil, err
	}
	if version[0] != 3 {
		return nil, errVersion
	}
	if _, _, err := handshake.DoServer(struct {
		io.Reader
		io.Writer
	}{in, nc}, false); err != nil {
		return nil, err
	}
	return newConn(nc, in, strangers, writeLimit), nil
}

// request is what a peer wants to publish.
type request struct {
	app  string // from the address
	name string // of the stream: its key
}

// negotiate answers commands until one asks to publish. That one is not answered yet.
func (c *conn) negotiate() (request, error) {
	var asked request
	for {
		m, err := c.read()
		if err != nil {
			return request{}, err
		}
		if m.kind != kindCommand && m.kind != kindCommand3 {
			continue
		}
		cmd, err := parseCommand(m)
		if err != nil {
			return request{}, err
		}
		switch cmd.name {
		case "connect":
			asked.app = member(cmd.object(0), "app")
			err = c.answerConnect(cmd)
		case "createStream":
			err = c.writeCommand(chunksCommand, 0, command{name: "_result", id: cmd.id, args: amf0.Data{nil, float64(stream)}})
		case "publish":
			asked.name = cmd.text(1)
			return asked, nil
		case "play", "play2":
			return request{}, c.refuse("NetStream.Play.Failed", errPlay)
		}
		if err != nil {
			return request{}, err
		}
	}
}

func (c *conn) answerConnect(cmd command) error {
	if err := c.writeNumber(kindWindow, ownWindow); err != nil {
		return err
	}
	if err := c.writeNumber(kindBandwidth, ownWindow); err != nil {
		return err
	}
	if err := c.growChunks(); err != nil {
		return err
	}
	properties := amf0.Object{{Key: "fmsVer", Value: "FMS/3,0,1,123"}, {Key: "capabilities", Value: float64(31)}}
	if _, enhanced := cmd.object(0).Get("fourCcList"); enhanced {
		var names amf0.StrictArray
		for _, name := range codecNames {
			names = append(names, name)
		}
		properties = append(properties, amf0.ObjectEntry{Key: "fourCcList", Value: names})
	}
	return c.writeCommand(chunksCommand, 0, command{name: "_result", id: cmd.id, args: amf0.Data{properties, amf0.Object{
		{Key: "level", Value: "status"}, {Key: "code", Value: "NetConnection.Connect.Success"},
		{Key: "description", Value: "Connection succeeded."}, {Key: "objectEncoding", Value: float64(0)},
	}}})
}

// refuse tells the peer why, and gives back the same.
func (c *conn) refuse(code string, reason error) error {
	if err := c.writeStatus("error", code, reason.Error()); err != nil {
		return fmt.Errorf("%w (and could not say so: %w)", reason, err)
	}
	c.farewell()
	return reason
}

// farewell lets the peer read the last answer: what is closed with something unread in
// it takes the answer along.
func (c *conn) farewell() {
	half, can := c.net.(interface{ CloseWrite() error })
	if !can || half.CloseWrite() != nil {
		return
	}
	if c.net.SetReadDeadline(time.Now().Add(time.Second)) == nil {
		_, _ = io.CopyN(io.Discard, c.net, 64<<10)
	}
}
