package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"stoa/internal/blob"
	"stoa/internal/blob/file"
	"stoa/internal/blob/s3"
	"stoa/internal/db"
	"stoa/internal/jobs"
	"stoa/internal/secret"
	"stoa/internal/stats"
	"stoa/polls"
	"stoa/video"
	"stoa/video/analytics"
)

// bucketKeys is who asks S3, by the names that its other clients know.
type bucketKeys struct {
	Access string `env:"AWS_ACCESS_KEY_ID"`
	Secret string `env:"AWS_SECRET_ACCESS_KEY"`
}

// store is what an environment keeps, opened.
type store struct {
	db    *db.DB
	blobs files
	box   *secret.Box
	queue *jobs.Queue
}

// open opens a place, and makes what is missing in its folder.
func (p place) open(ctx context.Context, keys bucketKeys, log *slog.Logger, registry *stats.Registry) (*store, error) {
	s := new(store)
	var err error
	if s.box, err = p.openBox(); err != nil {
		return nil, fmt.Errorf("the secret of %s: %w", p.environment, err)
	}
	if s.db, err = db.Open(ctx, string(p.db), db.Options{Log: log, Failed: p.countUnanswered(registry)}); err != nil {
		return nil, fmt.Errorf("the database of %s: %w", p.environment, err)
	}
	if err := s.openBlobs(ctx, p, keys, log); err != nil {
		return nil, errors.Join(fmt.Errorf("the files of %s: %w", p.environment, err), s.db.Close())
	}
	s.blobs = countErrors(s.blobs, registry, p.environment)
	return s, nil
}

// countUnanswered counts what the database fails at.
func (p place) countUnanswered(registry *stats.Registry) func(error) {
	errs := registry.Counter("stoa.database.errors", stats.Tag{Key: "environment", Value: p.environment})
	return func(error) { errs.Add(1) }
}

func (p place) openBox() (*secret.Box, error) {
	if p.secret != "" {
		return secret.New(p.secret)
	}
	if err := os.MkdirAll(p.folder, 0o700); err != nil {
		return nil, err
	}
	text, err := secret.FileKey(filepath.Join(p.folder, "secret"))
	if err != nil {
		return nil, err
	}
	return secret.New(text)
}

// openBlobs goes on without a bucket that does not answer: it may come back, and
// most of what people do needs none.
func (s *store) openBlobs(ctx context.Context, p place, keys bucketKeys, log *slog.Logger) error {
	if !p.blob.s3() {
		folder, err := file.New(string(p.blob))
		s.blobs = folder
		return err
	}
	bucket, err := openBucket(p.blob, keys)
	if err != nil {
		return err
	}
	s.blobs = bucket
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := bucket.Check(ctx); errors.Is(err, blob.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
		log.Warn("going on without the bucket", "environment", p.environment, "error", err)
	} else if err != nil {
		return err
	}
	return nil
}

func openBucket(where Files, keys bucketKeys) (*s3.Store, error) {
	config, err := s3.Parse(string(where))
	if err != nil {
		return nil, err
	}
	if keys.Access == "" || keys.Secret == "" {
		return nil, errors.New("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the keys of the bucket")
	}
	config.AccessKey, config.SecretKey = keys.Access, keys.Secret
	return s3.New(config)
}

// schemas is the tables of every room, whichever of them a process serves.
var schemas = []struct {
	room  string
	files func() fs.FS
}{
	{jobs.Room, jobs.Migrations},
	{polls.Room, polls.Migrations},
	{video.Room, video.Migrations},
	{analytics.Room, analytics.Migrations},
}

func (s *store) migrate(ctx context.Context) error {
	for _, schema := range schemas {
		if err := s.db.Migrate(ctx, schema.room, schema.files()); err != nil {
			return err
		}
	}
	return nil
}

// pending is how many files migrate would run.
func pending(ctx context.Context, d *db.DB) (int, error) {
	all := 0
	for _, schema := range schemas {
		n, err := d.Pending(ctx, schema.room, schema.files())
		if err != nil {
			return 0, err
		}
		all += n
	}
	return all, nil
}

// Close lets go of everything.
func (s *store) Close() error { return errors.Join(s.blobs.Close(), s.db.Close()) }
