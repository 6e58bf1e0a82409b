package app

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// listen opens a port and tells where it is.
func (a *App) listen(ctx context.Context, name, address string) (net.Listener, error) {
	listener, err := listenTCP(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("%s port: %w", name, err)
	}
	a.announce(name, announced(address, listener))
	return listener, nil
}

func (a *App) announce(name, address string) {
	a.log.Warn(fmt.Sprintf("Listening for %s on '%s'", name, address))
	a.cfg.Options.Opened(strings.ToLower(name), address)
}

// announced is the address as configured, with the real port where 0 asked for any.
func announced(address string, l net.Listener) string {
	host, _, _ := net.SplitHostPort(address)
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return address
	}
	return net.JoinHostPort(host, port)
}

// listenTCP listens with SO_REUSEPORT, so that a second process can start on the
// same ports before the first one ends.
func listenTCP(ctx context.Context, address string) (net.Listener, error) {
	config := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var err error
		controlErr := c.Control(func(fd uintptr) {
			err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1)
		})
		if controlErr != nil {
			return controlErr
		}
		return err
	}}
	return config.Listen(ctx, "tcp", address)
}

// listenUnix listens on a socket file. One that a killed process left behind is
// taken over; one that somebody still answers on is not.
func listenUnix(ctx context.Context, path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSocket {
		if conn, err := net.DialTimeout("unix", path, time.Second); err == nil {
			_ = conn.Close()
			return nil, fmt.Errorf("another process listens on %s", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	return new(net.ListenConfig).Listen(ctx, "unix", path)
}

// newHTTPServer is a server that a slow or silent client cannot hold.
func newHTTPServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}
