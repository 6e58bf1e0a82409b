package video

import (
	"context"
	"strings"

	"golang.org/x/sync/errgroup"

	"stoa/internal/db"
)

// removersAtOnce is how many files of a video are deleted at a time.
const removersAtOnce = 16

// addRemoval adds the job that removes what is left of a deleted video.
func (s *Service) addRemoval(ctx context.Context, tx *db.Tx, id string) error {
	return s.Queue.Add(ctx, tx, removalArgs{id})
}

// removeDeleted is that job. The row goes last, so that it is there as long as a file
// may be. Who still works for the video finds it deleted, and removes his own.
func (s *Service) removeDeleted(ctx context.Context, a removalArgs) error {
	return s.outcome(a.VideoID, s.removeRest(ctx, a.VideoID))
}

func (s *Service) removeRest(ctx context.Context, id string) error {
	if err := s.waitForCopies(ctx, id); err != nil {
		return err
	}
	parts, err := readParts(ctx, s.db, id)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if strings.HasPrefix(p.blob, videoFolder(id)) {
			continue
		}
		// It came before it was known whose it is.
		if err := s.Blobs.Delete(ctx, p.blob); err != nil {
			return err
		}
	}
	if err := s.removeFolder(ctx, videoFolder(id)); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM videos WHERE id = $1 AND state = $2`, id, videoDeleted)
		return err
	})
}

// removeFolder deletes every file whose key begins so.
func (s *Service) removeFolder(ctx context.Context, folder string) error {
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(removersAtOnce)
	for info, err := range s.Blobs.List(groupCtx, folder) {
		if err != nil {
			group.Go(func() error { return err })
			break
		}
		group.Go(func() error { return s.Blobs.Delete(groupCtx, info.Key) })
	}
	return group.Wait()
}
