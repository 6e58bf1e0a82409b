package rtmp

import (
	"context"
	"errors"
	"io"
	"net"
	"os"

	"stoa/internal/fault"
	"stoa/video/internal/live"
	"stoa/video/internal/porter"
)

var (
	errLeft   = errors.New("it ended the stream")
	errClosed = errors.New("the connection was closed")
	errInside = errors.New("this does not work at the moment: try again")
)

// reason is why a connection ended, for the log.
func reason(err error) error {
	switch {
	case err == io.EOF, errors.Is(err, net.ErrClosed), errors.Is(err, io.ErrClosedPipe):
		return errClosed
	case errors.Is(err, os.ErrDeadlineExceeded):
		return porter.ErrSilence
	}
	return err
}

// ending is why a publisher has gone, for the log: where we have closed the connection,
// the reason is ours.
func ending(ctx context.Context, feed live.Feed, err error) error {
	if err = reason(err); err != errClosed {
		return err
	}
	select {
	case <-ctx.Done():
		return porter.ErrStopping
	case <-feed.Done():
		return porter.ErrDismissed
	default:
		return err
	}
}

// told is what a stranger may read of an error.
func told(err error) error {
	if f, safe := errors.AsType[*fault.Error](err); safe {
		return f
	}
	return errInside
}
