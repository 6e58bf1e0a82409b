package statsd

import (
	"context"
	"io"
	"net"
)

// dial prefers IPv4 over UDP, where no handshake finds out on which of its
// addresses "localhost" listens, and IPv4 is what StatsD servers mostly use.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	if network == "udp" {
		if conn, err := new(net.Dialer).DialContext(ctx, "udp4", address); err == nil {
			return conn, nil
		}
	}
	return new(net.Dialer).DialContext(ctx, network, address)
}

// watchPeer reports the end of a TCP connection. Without it the first flush
// after the server went away would succeed, into a buffer nobody reads.
func watchPeer(conn net.Conn, network string) <-chan error {
	if network != "tcp" {
		return nil
	}
	gone := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, conn)
		if err == nil {
			err = io.EOF
		}
		gone <- err
	}()
	return gone
}
