package redis

import (
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

var errHungUp = errors.New("the server closed the connection")

// A conn is a connection that knows how long it has been waiting for an answer.
type conn struct {
	net.Conn
	session *session
	addr    string
	data    bool // leads to a redis, not to a sentinel

	// unanswered is the time of the first write since the last byte came in, by
	// the clock of the pool; 0 when there was none. A partial answer resets it:
	// the calls themselves are watched as well.
	unanswered atomic.Int64

	cause atomic.Pointer[error] // why we closed it
	once  sync.Once
}

func (c *conn) Write(b []byte) (int, error) {
	if c.unanswered.Load() == 0 {
		c.unanswered.Store(c.session.pool.clock.Load())
	}
	n, err := c.Conn.Write(b)
	return n, c.explain(err)
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && c.unanswered.Load() != 0 {
		c.unanswered.Store(0)
	}
	if err == nil {
		return n, nil
	}
	if err == io.EOF {
		err = errHungUp
	}
	c.cause.CompareAndSwap(nil, &err)
	return n, c.explain(err)
}

// explain puts the reason of a close in the place of "use of closed network
// connection": this is the error that the calls on the connection get.
func (c *conn) explain(err error) error {
	if err == nil {
		return nil
	}
	if cause := c.cause.Load(); cause != nil {
		return *cause
	}
	return err
}

// closeFor closes the connection and tells its calls why.
func (c *conn) closeFor(cause error) {
	c.cause.CompareAndSwap(nil, &cause)
	c.Close()
}

// Close is called by the client whenever it gives the connection up.
func (c *conn) Close() error {
	err := net.ErrClosed
	c.once.Do(func() {
		err = c.Conn.Close()
		c.session.closed(c)
	})
	return err
}
