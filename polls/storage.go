package polls

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/postform"
)

// takeUpload stores the image of a poll that waits for it. The last one that is
// stored counts; what is refused leaves nothing behind.
func (s *Service) takeUpload(ctx context.Context, key, contentType string, body io.Reader) (etag string, err error) {
	if err := s.awaited(ctx, key); err != nil {
		return "", err
	}
	// A name of its own, so that a file that is looked at is never replaced.
	file := uploadBucket + "/" + key + "." + randomHex(8)
	stored, err := s.Blobs.Put(ctx, file, body, contentType)
	if err != nil {
		return "", err
	}
	ctx = context.WithoutCancel(ctx) // all of it is here: the caller need not wait for the rest
	err = s.noteUpload(ctx, key, file)
	if err != nil && !errors.Is(err, db.ErrUnknownOutcome) {
		s.dropFiles(ctx, file)
	}
	return stored.ETag, err
}

var errNotAwaited = postform.Refuse(postform.AccessDenied, "this form is of no use any more: the poll has its image, is deleted, or has a newer form")

// awaited refuses a form that leads to no poll before its file is read.
func (s *Service) awaited(ctx context.Context, key string) error {
	var poll int64
	err := s.db.QueryRow(ctx, "SELECT id FROM polls WHERE upload_key = $1 AND state = 0", key).Scan(&poll)
	if errors.Is(err, sql.ErrNoRows) {
		return errNotAwaited
	}
	return err
}

// noteUpload makes a stored file the image of the poll, if it still waits for one.
func (s *Service) noteUpload(ctx context.Context, key, file string) error {
	var before string
	err := s.change(ctx, func(c *change) error {
		var poll int64
		err := c.QueryRow(ctx, "SELECT id, upload_file FROM polls WHERE upload_key = $1 AND state = 0"+s.db.ForUpdate(), key).Scan(&poll, &before)
		if errors.Is(err, sql.ErrNoRows) {
			return errNotAwaited
		}
		if err != nil {
			return fmt.Errorf("find the poll of an upload: %w", err)
		}
		_, err = c.Exec(ctx, "UPDATE polls SET upload_file = $1 WHERE id = $2", file, poll)
		return err
	})
	if err == nil && before != "" {
		s.dropFiles(ctx, before)
	}
	return err
}

// dropFiles removes files that nobody refers to. One that cannot be removed now
// goes with its poll.
func (s *Service) dropFiles(ctx context.Context, keys ...string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropLimit)
	defer cancel()
	for _, key := range keys {
		if err := s.Blobs.Delete(ctx, key); err != nil {
			s.log.Warn("remove a file", "key", key, "error", err)
		}
	}
}

const dropLimit = 10 * time.Second

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b)
	return hex.EncodeToString(b)
}
