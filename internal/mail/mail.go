// Package mail sends plain texts through a mail server that the operator names.
//
// The server is one address:
//
//	smtp://relay.example            port 25; encrypted if the server offers it
//	smtp://ann:secret@mail.example  port 587; encrypted, or nothing is sent
//	smtps://ann:secret@mail.example port 465; encrypted from the first byte
//
// Behind it may stand ?from=polls@example.com, the sender, which is otherwise the
// user, or stoa at that host; and starttls=required, auto or off, where the rule
// above does not fit.
package mail

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"slices"
	"sync"

	gomail "github.com/wneessen/go-mail"
)

// Sender sends through one server. It may be used by many goroutines.
type Sender struct {
	host, from string
	options    []gomail.Option
	tls        *tls.Config
	implicit   bool // encrypted from the first byte
}

// Send sends a plain text to one address. It returns when the server has taken it.
func (s *Sender) Send(ctx context.Context, to, subject, text string) error {
	m := gomail.NewMsg()
	if err := m.From(s.from); err != nil {
		return fmt.Errorf("mail from %s: %w", s.from, err)
	}
	if err := m.To(to); err != nil {
		return fmt.Errorf("mail to one address: %w", err)
	}
	m.Subject(subject)
	m.SetDate()
	m.SetMessageID()
	m.SetBodyString(gomail.TypeTextPlain, text)
	var line connection
	defer line.close() // the client forgets it when the server is not to its liking
	defer context.AfterFunc(ctx, line.close)()
	dial := gomail.WithDialContextFunc(func(ctx context.Context, network, address string) (net.Conn, error) {
		return line.open(s.dial(ctx, network, address))
	})
	// A client of its own: one must not be used for two letters at a time.
	client, err := gomail.NewClient(s.host, slices.Concat(s.options, []gomail.Option{dial})...)
	if err != nil {
		return fmt.Errorf("mail by %s: %w", s.host, err)
	}
	if err := client.DialAndSendWithContext(ctx, m); err != nil {
		return fmt.Errorf("mail by %s: %w", s.host, err)
	}
	return nil
}

func (s *Sender) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if s.implicit {
		return (&tls.Dialer{Config: s.tls}).DialContext(ctx, network, address)
	}
	return new(net.Dialer).DialContext(ctx, network, address)
}

// connection is the one of a letter, to be closed from anywhere.
type connection struct {
	mu     sync.Mutex
	conn   net.Conn
	closed bool
}

func (c *connection) open(conn net.Conn, err error) (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && c.closed {
		conn.Close()
		return nil, net.ErrClosed
	}
	c.conn = conn
	return conn, err
}

func (c *connection) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.conn != nil {
		c.conn.Close()
	}
}
