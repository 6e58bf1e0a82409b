// Package s3 keeps objects in a bucket of Amazon S3 or of a store that speaks
// its protocol, signature version 4.
//
// An object is uploaded in one request if it is small and in parts if not, so
// that no more than one part is in memory. What a killed process or a lost
// connection leaves of an upload is never seen as an object, but takes space:
// let the bucket abort incomplete uploads after a day (a lifecycle rule).
package s3

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"stoa/internal/blob"
)

// attempts is how often a request is sent when the store does not answer or is
// busy, with pauses of less than a second: people are waiting.
const attempts = 3

// Store is a blob.Store.
type Store struct {
	core      minio.Core
	transport *http.Transport
	endpoint  string
	bucket    string
	prefix    string // empty, or ends in a slash
}

// New makes a store without asking for its bucket: see Check.
func New(c Config) (*Store, error) {
	if c.AccessKey == "" || c.SecretKey == "" {
		return nil, fmt.Errorf("bucket %s: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", c.Bucket)
	}
	transport, err := minio.DefaultTransport(!c.Plain)
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", c.Bucket, err)
	}
	client, err := minio.New(c.Endpoint, &minio.Options{
		Creds:      credentials.NewStaticV4(c.AccessKey, c.SecretKey, ""),
		Secure:     !c.Plain,
		Region:     c.Region,
		Transport:  transport,
		MaxRetries: attempts,
	})
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", c.Bucket, err)
	}
	s := &Store{core: minio.Core{Client: client}, transport: transport, endpoint: c.Endpoint, bucket: c.Bucket}
	if c.Prefix != "" {
		s.prefix = c.Prefix + "/"
	}
	return s, nil
}

// Close lets go of connections that are not in use.
func (s *Store) Close() error {
	s.transport.CloseIdleConnections()
	return nil
}

// Check tells whether the bucket is there and open to our keys.
func (s *Store) Check(ctx context.Context) error {
	there, err := s.core.BucketExists(ctx, s.bucket)
	answer, _ := errors.AsType[minio.ErrorResponse](err)
	switch {
	case answer.StatusCode == http.StatusForbidden:
		return fmt.Errorf("bucket %q at %s is closed to this access key: see AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and its policy", s.bucket, s.endpoint)
	case err != nil:
		return fmt.Errorf("bucket %q at %s: %w", s.bucket, s.endpoint, kindOf(ctx.Err(), err))
	case !there:
		return fmt.Errorf("bucket %q does not exist at %s: create it or name another", s.bucket, s.endpoint)
	}
	return nil
}

func (s *Store) Delete(ctx context.Context, key string) error {
	if err := blob.CheckKey(key); err != nil {
		return err
	}
	err := s.core.RemoveObject(ctx, s.bucket, s.prefix+key, minio.RemoveObjectOptions{})
	if err != nil {
		err = kindOf(ctx.Err(), err)
	}
	if err != nil && !errors.Is(err, blob.ErrNotFound) {
		return fmt.Errorf("delete %s: %w", key, err)
	}
	return nil
}

// List leaves out what others keep in the bucket under names that are no keys.
func (s *Store) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		if err := blob.CheckPrefix(prefix); err != nil {
			yield(blob.Info{}, err)
			return
		}
		options := minio.ListObjectsOptions{Prefix: s.prefix + prefix, Recursive: true}
		for object := range s.core.ListObjectsIter(ctx, s.bucket, options) {
			if object.Err != nil {
				yield(blob.Info{}, fmt.Errorf("list %s: %w", prefix, kindOf(ctx.Err(), object.Err)))
				return
			}
			info := infoOf(strings.TrimPrefix(object.Key, s.prefix), object)
			info.ContentType = ""
			if blob.CheckKey(info.Key) == nil && !yield(info, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(blob.Info{}, fmt.Errorf("list %s: %w", prefix, err))
		}
	}
}

func infoOf(key string, object minio.ObjectInfo) blob.Info {
	return blob.Info{
		Key:         key,
		ContentType: object.ContentType,
		ETag:        object.ETag,
		Size:        object.Size,
		Modified:    object.LastModified.UTC().Truncate(time.Second),
	}
}
