package rtmp

import (
	"errors"

	"github.com/bluenviron/gortmplib/pkg/amf0"
)

// maxCommand is the length of a command in bytes. Its values may nest, and are read by
// recursion: a long one would take a stack that ends the process.
const maxCommand = 8 << 10

// stream is the only one of a connection. Number 0 is the connection itself.
const stream = 1

// command is what one side asks, or answers.
type command struct {
	name string
	id   float64 // an answer has that of its question
	args amf0.Data
}

var errCommand = errors.New("a command cannot be read")

func parseCommand(m message) (command, error) {
	body := m.body
	if m.kind == kindCommand3 && len(body) > 0 {
		body = body[1:]
	}
	if len(body) > maxCommand {
		return command{}, errCommand
	}
	values, err := amf0.Unmarshal(body)
	if err != nil || len(values) == 0 {
		return command{}, errCommand
	}
	name, named := values[0].(string)
	if !named {
		return command{}, errCommand
	}
	if len(values) == 1 { // some tell, and want no answer
		return command{name: name}, nil
	}
	id, numbered := values[1].(float64)
	if !numbered {
		return command{}, errCommand
	}
	return command{name: name, id: id, args: values[2:]}, nil
}

// text is an argument, if it is one of text.
func (c command) text(n int) string {
	if n >= len(c.args) {
		return ""
	}
	s, _ := c.args[n].(string)
	return s
}

// object is an argument, if it is one with members.
func (c command) object(n int) amf0.Object {
	if n >= len(c.args) {
		return nil
	}
	switch o := c.args[n].(type) {
	case amf0.Object:
		return o
	case amf0.ECMAArray:
		return amf0.Object(o)
	}
	return nil
}

// member is a text in an object, or empty.
func member(o amf0.Object, key string) string {
	s, _ := o.GetString(key)
	return s
}

func (c *conn) writeCommand(chunks byte, stream uint32, cmd command) error {
	body, err := append(amf0.Data{cmd.name, cmd.id}, cmd.args...).Marshal()
	if err != nil {
		return err
	}
	return c.write(chunks, message{kind: kindCommand, body: body}, stream, nil)
}

// writeStatus tells how it stands with the stream.
func (c *conn) writeStatus(level, code, text string) error {
	return c.writeCommand(chunksStatus, stream, command{name: "onStatus", args: amf0.Data{nil, amf0.Object{
		{Key: "level", Value: level}, {Key: "code", Value: code}, {Key: "description", Value: text},
	}}})
}
