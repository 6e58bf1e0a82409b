package s3

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"

	"stoa/internal/blob"
)

// Open asks for the whole object at once: in one round trip that tells its
// size and gives its beginning. Who seeks pays for another.
func (s *Store) Open(ctx context.Context, key string) (*blob.Object, error) {
	if err := blob.CheckKey(key); err != nil {
		return nil, err
	}
	body, object, _, err := s.core.GetObject(ctx, s.bucket, s.prefix+key, minio.GetObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", key, kindOf(ctx.Err(), err))
	}
	info := infoOf(key, object)
	fetch := func(from int64) (io.ReadCloser, error) {
		var options minio.GetObjectOptions
		if err := options.SetMatchETag(info.ETag); err != nil {
			return nil, err
		}
		if from > 0 {
			if err := options.SetRange(from, 0); err != nil { // 0: to the end
				return nil, err
			}
		}
		body, _, _, err := s.core.GetObject(ctx, s.bucket, s.prefix+key, options)
		return body, err
	}
	r := &reader{fetch: fetch, failure: func(err error) error {
		return fmt.Errorf("read %s: %w", key, kindOf(ctx.Err(), err))
	}, size: info.Size, body: body}
	return &blob.Object{ReadSeekCloser: r, Info: info}, nil
}

// reader reads an object from any position, by a request for each change of it.
type reader struct {
	fetch   func(from int64) (io.ReadCloser, error)
	failure func(error) error
	size    int64
	at      int64         // the position of the next Read
	body    io.ReadCloser // nil, or the bytes from bodyAt
	bodyAt  int64
}

var errSeek = errors.New("seek to before the beginning, or from nowhere")

// Seek asks nobody: the next Read does.
func (r *reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.size
	default:
		return 0, errSeek
	}
	if offset < 0 {
		return 0, errSeek
	}
	r.at = offset
	return offset, nil
}

func (r *reader) Read(p []byte) (int, error) {
	if r.at >= r.size {
		return 0, io.EOF
	}
	if r.body != nil && r.bodyAt != r.at {
		r.Close()
	}
	if r.body == nil {
		body, err := r.fetch(r.at)
		if err != nil {
			return 0, r.failure(err)
		}
		r.body, r.bodyAt = body, r.at
	}
	n, err := r.body.Read(p)
	r.at += int64(n)
	r.bodyAt = r.at
	switch {
	case r.at >= r.size:
		return n, nil // the next Read tells the end
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
		fallthrough
	case err != nil:
		r.Close()
		return n, r.failure(err)
	}
	return n, nil
}

// Close ends the request under way.
func (r *reader) Close() error {
	if r.body == nil {
		return nil
	}
	body := r.body
	r.body = nil
	return body.Close()
}
