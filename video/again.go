package video

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"stoa/internal/db"
	"stoa/internal/jobs"
)

// What follows takes back that a video was given up, when an operator has the job
// tried again. Its owner then sees it waiting once more, without a problem.

// againIngest has a source looked at again of which nothing could be made.
func (s *Service) againIngest(ctx context.Context, tx *db.Tx, a ingestArgs) (needed bool, err error) {
	_, err = s.lockThere(ctx, tx, a.VideoID)
	if errors.Is(err, errGone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return forgetFailure(ctx, tx, a.VideoID)
}

// againSource has a source fetched or copied again.
func (s *Service) againSource(ctx context.Context, tx *db.Tx, id string) (needed bool, err error) {
	_, err = s.ingesting(ctx, tx, id, s.db.ForUpdate())
	if errors.Is(err, errNotIngesting) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return forgetFailure(ctx, tx, id)
}

// forgetFailure makes a locked video one of which nothing was made yet. It tells
// whether it is one.
func forgetFailure(ctx context.Context, tx *db.Tx, id string) (bool, error) {
	e, err := findEncoding(ctx, tx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	if err != nil || e.state != encodingFailed || len(e.plan.Renditions) > 0 {
		return false, err
	}
	for _, table := range []string{"video_qualities", "video_encodings"} {
		if _, err := tx.Exec(ctx, `DELETE FROM `+table+` WHERE video_id = $1`, id); err != nil {
			return false, err
		}
	}
	return true, touchVideo(ctx, tx, id)
}

// againChunk goes on with the encoding of a video that failed: with one chunk, whose job
// is tried again, and with all others that ended unfinished because of it.
func (s *Service) againChunk(ctx context.Context, tx *db.Tx, id string, number int) (needed bool, err error) {
	v, err := s.lockThere(ctx, tx, id)
	if errors.Is(err, errGone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	e, err := findEncoding(ctx, tx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil || e.state == encodingDone || len(e.plan.Renditions) == 0 {
		return false, err
	}
	open, err := openChunks(ctx, tx, id)
	if err != nil {
		return false, err
	}
	if e.state == encodingFailed {
		if err := s.reopenEncoding(ctx, tx, v, open, number); err != nil {
			return false, err
		}
	}
	return slices.Contains(open, number), nil
}

// openChunks is the chunks that are not done, in order.
func openChunks(ctx context.Context, tx *db.Tx, id string) (open []int, err error) {
	err = eachRow(ctx, tx, func(rows *sql.Rows) error {
		var number int
		err := rows.Scan(&number)
		open = append(open, number)
		return err
	}, `SELECT number FROM video_chunks WHERE video_id = $1 AND NOT done ORDER BY number`, id)
	return open, err
}

// reopenEncoding adds the jobs of all open chunks but one. Where some of the old jobs
// still wait, those that come second find nothing to do.
func (s *Service) reopenEncoding(ctx context.Context, tx *db.Tx, v *video, open []int, but int) error {
	if err := setEncodingState(ctx, tx, v.id, encodingWaiting, qualityFailed, qualityWaiting); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE video_encodings SET problem = '' WHERE video_id = $1`, v.id); err != nil {
		return err
	}
	if err := reopenMP4(ctx, tx, v.id); err != nil {
		return err
	}
	for _, number := range open {
		if number == but {
			continue
		}
		var args jobs.Args = chunkArgs{v.id, number}
		priority := priorityChunk
		if number == soundChunk {
			args = audioArgs{v.id}
		}
		if number <= 0 {
			priority = priorityFirst
		}
		if err := s.Queue.Add(ctx, tx, args, jobs.Priority(priority)); err != nil {
			return err
		}
	}
	if err := touchVideo(ctx, tx, v.id); err != nil {
		return err
	}
	return s.advance(ctx, tx, v)
}

func reopenMP4(ctx context.Context, tx *db.Tx, id string) error {
	_, err := tx.Exec(ctx, `UPDATE video_qualities SET status = $3 WHERE video_id = $1 AND type = $2 AND status = $4`, id, qualityMP4, qualityWaiting, qualityFailed)
	return err
}

// againMP4 has the file made again, if it is still wanted.
func (s *Service) againMP4(ctx context.Context, tx *db.Tx, a mp4Args) (needed bool, err error) {
	v, err := s.lockThere(ctx, tx, a.VideoID)
	if errors.Is(err, errGone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if v.mp4 {
		if err := reopenMP4(ctx, tx, v.id); err != nil {
			return false, err
		}
	}
	return true, touchVideo(ctx, tx, v.id)
}
