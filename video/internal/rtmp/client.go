package rtmp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/bluenviron/gortmplib/pkg/amf0"
	"github.com/bluenviron/gortmplib/pkg/handshake"

	"stoa/video/internal/live"
)

// ErrRefused is what a server says no with.
var ErrRefused = errors.New("the server refuses")

// Client publishes to a server.
type Client struct {
	conn    *conn
	formats []live.Format
	stream  uint32 // the number that the server gave
}

// Connect asks a server to publish under a name, through a connection to it, which it
// closes if that fails. The address is that of the application, such as
// rtmp://host/live. The context is for the answer; a write may take as long as the
// limit.
func Connect(ctx context.Context, nc net.Conn, address *url.URL, name string, writeLimit time.Duration) (*Client, error) {
	stop := context.AfterFunc(ctx, func() { _ = nc.Close() })
	c, err := connect(nc, address, name, writeLimit)
	if !stop() { // it was closed meanwhile
		return nil, fmt.Errorf("no answer of the server: %w", ctx.Err())
	}
	if err != nil {
		_ = nc.Close()
		return nil, reason(err)
	}
	return c, nil
}

func connect(nc net.Conn, address *url.URL, name string, writeLimit time.Duration) (*Client, error) {
	in := bufio.NewReader(nc)
	if err := nc.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return nil, err
	}
	if _, _, err := handshake.DoClient(struct {
		io.Reader
		io.Writer
	}{in, nc}, false, false); err != nil {
		return nil, err
	}
	c := &Client{conn: newConn(nc, in, strangers, writeLimit)}
	if err := c.conn.growChunks(); err != nil {
		return nil, err
	}
	app := strings.TrimPrefix(address.RequestURI(), "/")
	if _, err := c.ask(command{name: "connect", id: askConnect, args: amf0.Data{amf0.Object{
		{Key: "app", Value: app}, {Key: "type", Value: "nonprivate"}, {Key: "flashVer", Value: "FMLE/3.0 (compatible; Stoa)"},
		{Key: "tcUrl", Value: address.Scheme + "://" + address.Host + "/" + app},
	}}}); err != nil {
		return nil, err
	}
	return c, c.publish(name)
}

// Questions have the number of their place.
const (
	askConnect = iota + 1
	askRelease
	askPrepare
	askCreate
	askPublish
)

func (c *Client) publish(name string) error {
	for _, first := range []command{{name: "releaseStream", id: askRelease}, {name: "FCPublish", id: askPrepare}} {
		first.args = amf0.Data{nil, name}
		if err := c.conn.writeCommand(chunksCommand, 0, first); err != nil {
			return err
		}
	}
	created, err := c.ask(command{name: "createStream", id: askCreate, args: amf0.Data{nil}})
	if err != nil {
		return err
	}
	number, ok := 0.0, len(created.args) > 1
	if ok {
		number, ok = created.args[1].(float64)
	}
	if !ok || number < 1 || number > 1<<24 {
		return fmt.Errorf("%w: it gives no stream", ErrRefused)
	}
	c.stream = uint32(number)
	publish := command{name: "publish", id: askPublish, args: amf0.Data{nil, name, "live"}}
	if err := c.conn.writeCommand(chunksSound, c.stream, publish); err != nil {
		return err
	}
	for {
		cmd, err := c.conn.readCommand()
		if err != nil {
			return err
		}
		if cmd.name == "onStatus" || cmd.id == askPublish {
			return cmd.refusal()
		}
	}
}

// ask waits for the answer to a question.
func (c *Client) ask(question command) (command, error) {
	if err := c.conn.writeCommand(chunksCommand, 0, question); err != nil {
		return command{}, err
	}
	for {
		cmd, err := c.conn.readCommand()
		if err != nil {
			return command{}, err
		}
		if (cmd.name == "_result" || cmd.name == "_error") && cmd.id == question.id {
			return cmd, cmd.refusal()
		}
	}
}

// readCommand waits for a command that can be read.
func (c *conn) readCommand() (command, error) {
	for {
		m, err := c.read()
		if err != nil {
			return command{}, err
		}
		if m.kind == kindCommand || m.kind == kindCommand3 {
			if cmd, err := parseCommand(m); err == nil {
				return cmd, nil
			}
		}
	}
}

// refusal is the error that an answer tells of, if it does.
func (c command) refusal() error {
	info := c.object(1)
	if c.name != "_error" && member(info, "level") != "error" {
		return nil
	}
	text := member(info, "description")
	if text == "" {
		text = member(info, "code")
	}
	return fmt.Errorf("%w: %.200q", ErrRefused, text)
}

// Wait reads what the server sends until the connection ends, and gives the reason. It
// must run while frames are written.
func (c *Client) Wait() error {
	for {
		cmd, err := c.conn.readCommand()
		if err != nil {
			return reason(err)
		}
		if err := cmd.refusal(); err != nil && cmd.name == "onStatus" {
			return err
		}
	}
}

// Close ends the connection.
func (c *Client) Close() { _ = c.conn.net.Close() }
