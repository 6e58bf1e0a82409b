package video

import (
	"bytes"
	"context"
	"errors"
	"time"

	"stoa/internal/db"
)

// keepFile stores a small file and then the row that names it, which record writes.
// record returns the key of the file that this one takes the place of, "" for none.
// The key is a new one each time, so a reader has all of one version.
func (s *Service) keepFile(ctx context.Context, key string, content []byte, contentType string, record func(*db.Tx) (old string, err error)) error {
	if _, err := s.Blobs.Put(ctx, key, bytes.NewReader(content), contentType); err != nil {
		return err
	}
	var old string
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		old, err = record(tx)
		return err
	})
	switch {
	case err == nil:
		s.forgetFile(ctx, old)
	case !errors.Is(err, db.ErrUnknownOutcome): // then a row may name it
		s.forgetFile(ctx, key)
	}
	return err
}

// forgetTime is how long the storage may take to delete a file.
const forgetTime = 10 * time.Second

// forgetFile deletes a file that no row names any more, "" being none. When that
// fails it only takes space.
func (s *Service) forgetFile(ctx context.Context, key string) {
	if key == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), forgetTime)
	defer cancel()
	if err := s.Blobs.Delete(ctx, key); err != nil {
		s.log.Warn("a file is left behind", "key", key, "error", err)
	}
}
