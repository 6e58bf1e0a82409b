package statsd

import (
	"errors"
	"net"
	"slices"
	"testing"
	"time"
)

// shortConn takes some bytes of each write and fails.
type shortConn struct {
	net.Conn
	takes int
}

func (c shortConn) Write([]byte) (int, error)        { return c.takes, errors.New("broken") }
func (c shortConn) SetWriteDeadline(time.Time) error { return nil }

func TestOnlyWholeLinesOfABrokenWriteCountAsSent(t *testing.T) {
	line := len("a:1|c\n")
	p := newPacker(shortConn{takes: 2*line + 3}, "tcp")
	var sent []string
	for _, name := range []string{"a", "b", "c"} {
		if err := p.add(name, "1", "c", func() { sent = append(sent, name) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.send(); err == nil {
		t.Error("got no error")
	}
	if want := []string{"a", "b"}; !slices.Equal(sent, want) {
		t.Errorf("got %v sent want %v", sent, want)
	}
}
