package polls_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"stoa/polls"
)

// onePipe is a listener with one connection.
type onePipe struct {
	conn   chan net.Conn
	closed chan struct{}
}

func (l onePipe) Accept() (net.Conn, error) {
	select {
	case c := <-l.conn:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}
func (l onePipe) Close() error   { close(l.closed); return nil }
func (l onePipe) Addr() net.Addr { return &net.UnixAddr{} }

func TestUploadsMustBeFastEnough(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		rate    int // bytes a second
		wantErr error
	}{
		{"fast enough", 20 << 10, nil},
		{"too slow", 4 << 10, os.ErrDeadlineExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				read := make(chan error, 1)
				server := &http.Server{
					ReadTimeout: time.Second, // which an upload extends
					Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						_, err := io.Copy(io.Discard, polls.NewPacedBody(w, r.Body))
						read <- err
					}),
				}
				client, conn := net.Pipe()
				l := onePipe{make(chan net.Conn, 1), make(chan struct{})}
				l.conn <- conn
				go func() { _ = server.Serve(l) }()
				go func() {
					const size = 2 << 20
					fmt.Fprintf(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", size)
					for sent := 0; sent < size; sent += c.rate {
						time.Sleep(time.Second)
						if _, err := client.Write(bytes.Repeat([]byte{'x'}, min(c.rate, size-sent))); err != nil {
							return
						}
					}
				}()
				if err := <-read; !errors.Is(err, c.wantErr) {
					t.Errorf("got %v want %v", err, c.wantErr)
				}
				_ = client.Close()
				_ = server.Close()
				time.Sleep(time.Minute) // until all of them have ended
			})
		})
	}
}
