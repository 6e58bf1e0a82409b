package s3

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/minio/minio-go/v7"

	"stoa/internal/blob"
	"stoa/internal/fault"
)

const (
	partSize = 8 << 20
	maxParts = 10_000 // of S3: with our parts, 78 GiB

	commitTime = time.Minute
	abortTime  = 5 * time.Second
)

var errTooLarge = fault.New(fault.TooLarge, "an object must not be larger than %d GiB", maxParts*partSize>>30)

// Put sends the request that makes the object visible without regard to ctx:
// a request that is broken off may have been carried out all the same.
func (s *Store) Put(ctx context.Context, key string, r io.Reader, contentType string) (blob.Info, error) {
	contentType, err := blob.CheckPut(key, contentType)
	if err != nil {
		return blob.Info{}, err
	}
	u := upload{Store: s, name: s.prefix + key, source: blob.NewSource(ctx, r), contentType: contentType}
	if err := u.run(ctx); err != nil {
		return blob.Info{}, fmt.Errorf("put %s: %w", key, err)
	}
	return blob.Info{Key: key, ContentType: contentType, ETag: u.etag, Size: u.size}, nil
}

// upload is one Put.
type upload struct {
	*Store
	name        string
	contentType string
	source      *blob.Source

	part []byte // what was read last
	last bool   // the source is at its end
	size int64  // of all that was read
	etag string // once it is done
}

func (u *upload) run(ctx context.Context) error {
	if err := u.read(); err != nil {
		return err
	}
	if !u.last {
		return u.inParts(ctx)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTime)
	defer cancel()
	done, err := u.core.PutObject(ctx, u.bucket, u.name, bytes.NewReader(u.part), u.size, "", "", u.options())
	if err != nil {
		return kindOf(nil, err)
	}
	u.etag = done.ETag
	return nil
}

// read fills the next part. Its memory grows as needed: most objects are small.
func (u *upload) read() error {
	u.part = u.part[:0]
	for len(u.part) < partSize {
		if free := cap(u.part) - len(u.part); free == 0 {
			more := min(max(len(u.part), 64<<10), partSize-len(u.part))
			u.part = slices.Grow(u.part, more)
		}
		n, err := u.source.Read(u.part[len(u.part):min(cap(u.part), partSize)])
		u.part = u.part[:len(u.part)+n]
		u.size += int64(n)
		if u.source.Err != nil {
			return u.source.Err
		}
		if err != nil {
			u.last = true
			return nil
		}
	}
	return nil
}

func (u *upload) inParts(ctx context.Context) error {
	id, err := u.core.NewMultipartUpload(ctx, u.bucket, u.name, u.options())
	if err != nil {
		return kindOf(ctx.Err(), err)
	}
	if err := u.parts(ctx, id); err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTime)
		defer cancel()
		_ = u.core.AbortMultipartUpload(ctx, u.bucket, u.name, id) // if that fails too, the bucket's own rule
		return err
	}
	return nil
}

// parts sends the part at hand and all that follow, and makes them the object.
func (u *upload) parts(ctx context.Context, id string) error {
	var sent []minio.CompletePart
	for number := 1; len(u.part) > 0; number++ {
		if number > maxParts {
			return errTooLarge
		}
		part, err := u.core.PutObjectPart(ctx, u.bucket, u.name, id, number, bytes.NewReader(u.part), int64(len(u.part)), minio.PutObjectPartOptions{})
		if err != nil {
			return kindOf(ctx.Err(), err)
		}
		sent = append(sent, minio.CompletePart{PartNumber: number, ETag: part.ETag})
		if u.last {
			break
		}
		if err := u.read(); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTime)
	defer cancel()
	done, err := u.core.CompleteMultipartUpload(ctx, u.bucket, u.name, id, sent, minio.PutObjectOptions{})
	if err != nil {
		return kindOf(nil, err)
	}
	u.etag = done.ETag
	return nil
}

func (u *upload) options() minio.PutObjectOptions {
	return minio.PutObjectOptions{ContentType: u.contentType}
}
