package blob

import (
	"context"
	"io"
)

// Source is what stores read in Put. It ends with ctx, and it remembers its own
// failure, so that one of the reader is told from one of the store: a client
// that goes away in the middle of its upload makes io.ErrUnexpectedEOF, which
// elsewhere means no more than "less than asked for".
type Source struct {
	Err error // why reading failed; the end of the bytes is no failure

	ctx context.Context
	r   io.Reader
}

// NewSource reads r for a Put that ends with ctx.
func NewSource(ctx context.Context, r io.Reader) *Source { return &Source{ctx: ctx, r: r} }

// Read looks at ctx before each reading, and once more at the end of the bytes.
func (s *Source) Read(p []byte) (int, error) {
	if s.Err == nil {
		s.Err = s.ctx.Err()
	}
	if s.Err != nil {
		return 0, s.Err
	}
	n, err := s.r.Read(p)
	if err != nil {
		if s.Err = s.ctx.Err(); s.Err == nil && err != io.EOF {
			s.Err = err
		}
		if s.Err != nil {
			err = s.Err
		}
	}
	return n, err
}
