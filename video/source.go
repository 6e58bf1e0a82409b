package video

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"stoa/internal/blob"
	"stoa/internal/db"
	"stoa/internal/fault"
	"stoa/internal/jobs"
)

// ImportLane is where sources are fetched and copied. Most of that is waiting for
// others, and nobody else is to wait for it.
const ImportLane = "import"

// One try to fetch or copy a source may take this long, which is less than arrivalLife.
const importTime = 12 * time.Hour

// How often a source may fail to come, and what passes between: some five minutes in
// all, for servers that are busy or begin again.
const (
	importAttempts = 6
	importPause    = 10 * time.Second // after the first failure, and then twice as long each time
)

// storagePause is how long fetching and copying wait for our own storage. Each try begins
// anew, at the cost of others.
const storagePause = 30 * time.Second

// handleSources tells the queue the jobs that bring sources, and take videos away that
// never got one.
func (s *Service) handleSources() {
	jobs.Handle(s.Queue, s.importSource, jobs.How[importArgs]{
		Lane: ImportLane, Timeout: importTime, Attempts: importAttempts, Backoff: importBackoff,
		GaveUp: func(ctx context.Context, a importArgs, why error) error { return s.cannotIngest(ctx, a.VideoID, why) },
		Again: func(ctx context.Context, tx *db.Tx, a importArgs) (bool, error) {
			return s.againSource(ctx, tx, a.VideoID)
		},
	})
	jobs.Handle(s.Queue, s.copySource, jobs.How[copyArgs]{
		Lane: ImportLane, Timeout: importTime, Attempts: importAttempts, Backoff: importBackoff,
		GaveUp: func(ctx context.Context, a copyArgs, why error) error { return s.cannotIngest(ctx, a.VideoID, why) },
		Again: func(ctx context.Context, tx *db.Tx, a copyArgs) (bool, error) {
			return s.againSource(ctx, tx, a.VideoID)
		},
	})
	jobs.Handle(s.Queue, s.expire)
	s.Queue.Every(expireInterval, expireArgs{})
}

// importBackoff spreads what failed together.
func importBackoff(failures int) time.Duration {
	pause := importPause << (failures - 1)
	return pause + rand.N(pause/8)
}

// startIngest begins to fetch or copy the source of a new video that names one.
func (s *Service) startIngest(ctx context.Context, tx *db.Tx, v *video) error {
	switch v.source.kind {
	case sourceURL:
		return s.Queue.Add(ctx, tx, importArgs{v.id})
	case sourceCopy:
		return s.Queue.Add(ctx, tx, copyArgs{v.id})
	}
	return nil
}

func insertPart(ctx context.Context, tx *db.Tx, videoID string, number int64, a arrival) error {
	_, err := tx.Exec(ctx, `INSERT INTO video_parts (video_id, number, size, blob) VALUES ($1, $2, $3, $4)`, videoID, number, a.size, a.blob)
	return err
}

// errNotIngesting says that a source is no longer waited for: the video is deleted, or
// another process was quicker.
var errNotIngesting = errors.New("this video waits for no source")

// ingesting reads a video that waits for its source, discarded or not.
func (s *Service) ingesting(ctx context.Context, from reader, id, lock string) (*video, error) {
	v, err := s.oneVideo(ctx, from, id, ` AND state <> $2 AND ingest = $3`+lock, videoDeleted, ingestRunning)
	if errors.Is(err, errNoVideo) {
		err = errNotIngesting
	}
	return v, err
}

// bringSource fetches or copies the source of a video, as long as that is there and
// waits for it.
func (s *Service) bringSource(ctx context.Context, id string, bring func(context.Context, *video) error) error {
	v, err := s.ingesting(ctx, s.db, id, "")
	if err == nil {
		err = s.whileThere(ctx, v, bring)
	}
	return s.sourceOutcome(ctx, id, err)
}

// sourceOutcome says what becomes of a job that was to bring a source. Our own storage is
// waited for; the server of somebody else has only so many tries.
func (s *Service) sourceOutcome(ctx context.Context, id string, err error) error {
	switch {
	case errors.Is(err, errNotIngesting), errors.Is(err, errGone):
		return nil
	case errors.Is(err, fault.Invalid), errors.Is(err, fault.TooLarge), errors.Is(err, fault.NotFound):
		return jobs.Abandon(err)
	case ctx.Err() == nil && isStorageAway(err): // out of time, it had a try
		s.log.Warn("a source waits for the storage", "video_id", id, "error", err)
		return jobs.Snooze(storagePause)
	}
	return err
}

// isStorageAway tells whether it is our own files or database that cannot be reached. To
// the database's judgement every failure of a network is its own, so those of a download
// are told apart first: they are faults.
func isStorageAway(err error) bool {
	if errors.Is(err, blob.ErrUnavailable) {
		return true
	}
	_, elsewhere := errors.AsType[*fault.Error](err)
	return !elsewhere && db.IsUnavailable(err)
}

// finishIngest gives a video the files of its source, if it still waits for them.
func (s *Service) finishIngest(ctx context.Context, id string, files []arrival) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.ingesting(ctx, tx, id, s.db.ForUpdate()); err != nil {
			return err
		}
		if err := claim(ctx, tx, files...); err != nil {
			return err
		}
		var size int64
		for i, a := range files {
			if err := insertPart(ctx, tx, id, int64(i+1), a); err != nil {
				return err
			}
			size += a.size
		}
		// An address is not kept for longer than it is needed: there may be secrets in it.
		_, err := tx.Exec(ctx, `UPDATE videos SET ingest = $2, source_size = $3, source_from = CASE source_type WHEN 'url' THEN '' ELSE source_from END
			WHERE id = $1`, id, ingestDone, size)
		if err != nil {
			return err
		}
		if err := touchVideo(ctx, tx, id); err != nil {
			return err
		}
		return s.Queue.Add(ctx, tx, ingestArgs{id})
	})
	if err != nil && !errors.Is(err, db.ErrUnknownOutcome) { // then they may be the video's
		s.drop(ctx, files...)
	}
	if errors.Is(err, errNotIngesting) {
		return nil
	}
	return err
}

// cannotIngest says that a video will have no source. It stays as it is, with a quality
// that has failed and a sentence.
func (s *Service) cannotIngest(ctx context.Context, id string, why error) error {
	sentence := "The source could not be fetched. Create another video to try again."
	if e, ok := errors.AsType[*fault.Error](why); ok {
		sentence = fmt.Sprintf("The source could not be fetched: %s.", e.Message)
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.ingesting(ctx, tx, id, s.db.ForUpdate()); err != nil {
			return err
		}
		return failEncoding(ctx, tx, id, sentence)
	})
	if errors.Is(err, errNotIngesting) || errors.Is(err, errOver) {
		return nil
	}
	return err
}
