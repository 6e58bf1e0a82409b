package polls

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"stoa/internal/db"
)

// What one step of a chore takes on.
const (
	maxChores = 50   // polls
	maxErased = 1000 // rows, in a transaction
)

// deleteAbandoned deletes polls that never got an image.
func (s *Service) deleteAbandoned(ctx context.Context, before int64) (more bool, err error) {
	ids, err := readIDs(ctx, s.db, "SELECT id FROM polls WHERE state = 0 AND created_at < $1 ORDER BY created_at LIMIT $2", before, maxChores)
	for _, id := range ids {
		err := s.change(ctx, func(c *change) error {
			d, err := readDraft(ctx, c, id, s.db.ForUpdate())
			if err != nil || d == nil || d.state != pollWithoutImage {
				return err
			}
			return c.deletePoll(ctx, id)
		})
		if err != nil {
			return false, err
		}
	}
	return len(ids) == maxChores, err
}

// removeFiles removes all files of deleted polls, also such as nobody refers to.
func (s *Service) removeFiles(ctx context.Context, before int64) (more bool, err error) {
	ids, err := readIDs(ctx, s.db, "SELECT id FROM polls WHERE state = 2 AND cleared = 0 AND deleted_at < $1 ORDER BY deleted_at LIMIT $2", before, maxChores)
	if err != nil {
		return false, err
	}
	var failed []error
	for _, id := range ids {
		err := s.removePollFiles(ctx, id)
		if err == nil {
			err = s.setCleared(ctx, id, 1)
		}
		failed = append(failed, err)
	}
	err = errors.Join(failed...)
	return len(ids) == maxChores && err == nil, err
}

func (s *Service) removePollFiles(ctx context.Context, poll int64) error {
	for _, prefix := range []string{uploadFolder(poll), imageFolder + strconv.FormatInt(poll, 10) + "-"} {
		for info, err := range s.Blobs.List(ctx, prefix) {
			if err == nil {
				err = s.Blobs.Delete(ctx, info.Key)
			}
			if err != nil {
				return fmt.Errorf("remove the files of poll %d: %w", poll, err)
			}
		}
	}
	return nil
}

func (s *Service) setCleared(ctx context.Context, poll int64, cleared int) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE polls SET cleared = $1 WHERE id = $2", cleared, poll)
		return err
	})
}

// eraseVotes erases what people did with a deleted poll. The poll itself stays, so
// that its creator can delete it again.
func (s *Service) eraseVotes(ctx context.Context, before int64) (more bool, err error) {
	ids, err := readIDs(ctx, s.db, "SELECT id FROM polls WHERE state = 2 AND cleared = 1 AND deleted_at < $1 ORDER BY deleted_at LIMIT $2", before, 1)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	for _, text := range []string{
		"DELETE FROM votes WHERE (poll_id, voter) IN (SELECT poll_id, voter FROM votes WHERE poll_id = $1 LIMIT $2)",
		"DELETE FROM comments WHERE id IN (SELECT id FROM comments WHERE poll_id = $1 LIMIT $2)",
		"DELETE FROM favorites WHERE (user_id, poll_id) IN (SELECT user_id, poll_id FROM favorites WHERE poll_id = $1 LIMIT $2)",
	} {
		if erased, err := s.erase(ctx, text, ids[0], maxErased); err != nil || erased > 0 {
			return true, err
		}
	}
	// An upload that was under way at the deletion may have left a file.
	if err := s.removePollFiles(ctx, ids[0]); err != nil {
		return false, err
	}
	return true, s.setCleared(ctx, ids[0], 2)
}

func (s *Service) forgetAnswers(ctx context.Context, before int64) (more bool, err error) {
	n, err := s.erase(ctx, `DELETE FROM answers WHERE (caller, key) IN
		(SELECT caller, key FROM answers WHERE created_at < $1 LIMIT $2)`, before, maxErased)
	return n == maxErased, err
}

// forgetTokens forgets tokens that were not used for long. One that has reached the
// end of its life is not used either.
func (s *Service) forgetTokens(ctx context.Context, before int64) (more bool, err error) {
	n, err := s.erase(ctx, "DELETE FROM tokens WHERE hash IN (SELECT hash FROM tokens WHERE used_at < $1 LIMIT $2)", before, maxErased)
	return n == maxErased, err
}

func (s *Service) erase(ctx context.Context, text string, args ...any) (n int64, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		result, err := tx.Exec(ctx, text, args...)
		if err != nil {
			return err
		}
		n, err = result.RowsAffected()
		return err
	})
	return n, err
}
