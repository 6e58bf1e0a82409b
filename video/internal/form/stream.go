package form

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"

	"stoa/video/internal/problem"
)

const unlimited = math.MaxInt64

var brokenOff = problem.New(http.StatusBadRequest, "invalid-payload", "The request broke off before its end.").
	WithDetail("Send it again.")

// stream is the body of a request as the multipart reader is to see it: an end
// that is no end of a form is an error, and so are endless headers. To that
// purpose the body goes on with a line break and then fails: behind the closing
// boundary nobody reads that far, and anywhere else the form is not complete.
type stream struct {
	from  io.Reader
	left  int64 // that may be read now
	ended int   // bytes of the line break that were read, once the body has ended
	end   bool
	err   error // why reading had to stop
}

// allow says how much may be read from now on.
func (s *stream) allow(n int64) { s.left = n }

func (s *stream) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.left <= 0 {
		s.err = malformed("The headers of a part are too long: send at most %d bytes.", maxHeader)
		return 0, s.err
	}
	p = p[:min(int64(len(p)), s.left)]
	if s.end {
		return s.readEnd(p)
	}
	n, err := s.from.Read(p)
	s.left -= int64(n)
	switch {
	case err == io.EOF:
		s.end = true
	case err != nil:
		s.err = ofClient(err)
	}
	if n > 0 || !s.end {
		return n, s.err
	}
	return s.readEnd(p)
}

func (s *stream) readEnd(p []byte) (int, error) {
	n := copy(p, "\r\n"[s.ended:])
	s.ended += n
	if n == 0 && len(p) > 0 {
		s.err = brokenOff
	}
	return n, s.err
}

// ofClient makes a 400 of what the connection says: the request did not come
// whole.
func ofClient(err error) error {
	if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return problem.FileTooLarge.WithDetail("Send at most %d bytes.", e.Limit)
	}
	return fmt.Errorf("%w (%w)", brokenOff, err)
}
