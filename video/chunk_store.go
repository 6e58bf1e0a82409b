package video

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"stoa/internal/db"
)

// chunk is one of a video's that somebody has begun to encode.
type chunk struct {
	number int
	run    int // of those who began; a later one takes it away
	kept   chunkSegments
}

// takeChunk begins the encoding of a chunk. It answers errOver if there is nothing to
// do, and errGone.
func (s *Service) takeChunk(ctx context.Context, id string, number int) (e encoding, c chunk, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.lockThere(ctx, tx, id); err != nil {
			return err
		}
		if e, err = findEncoding(ctx, tx, id); err != nil {
			return err
		}
		if e.state >= encodingEnded {
			return errOver
		}
		if c, err = beginRun(ctx, tx, id, number); err != nil || e.state != encodingWaiting {
			return err
		}
		return setEncodingState(ctx, tx, id, encodingRunning, qualityWaiting, qualityEncoding)
	})
	return e, c, err
}

func beginRun(ctx context.Context, tx *db.Tx, id string, number int) (chunk, error) {
	c := chunk{number: number}
	var segments string
	err := tx.QueryRow(ctx, `UPDATE video_chunks SET run = run + 1 WHERE video_id = $1 AND number = $2 AND done = $3 RETURNING run, segments`,
		id, number, false).Scan(&c.run, &segments)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return c, errOver
	case err == nil && segments != "":
		err = json.Unmarshal([]byte(segments), &c.kept)
	}
	if err != nil {
		return c, fmt.Errorf("chunk %d of %s: %w", number, id, err)
	}
	return c, nil
}

// setEncodingState moves an encoding on, and with it the HLS qualities of a status.
func setEncodingState(ctx context.Context, tx *db.Tx, id string, state encodingState, from, to string) error {
	_, err := tx.Exec(ctx, `UPDATE video_encodings SET state = $2, updated_at = $3 WHERE video_id = $1`, id, state, db.Micros(time.Now()))
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE video_qualities SET status = $4 WHERE video_id = $1 AND type = $2 AND status = $3`, id, qualityHLS, from, to)
	return err
}

// keepChunk stores how much there is of a chunk, kept segments of every track; done
// says that it is all. What follows from that for the video is done with it.
func (s *Service) keepChunk(ctx context.Context, id string, c chunk, kept int, done bool) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		v, err := s.lockThere(ctx, tx, id)
		if err != nil {
			return err
		}
		result, err := tx.Exec(ctx, `UPDATE video_chunks SET kept = $4, done = $5, segments = $6 WHERE video_id = $1 AND number = $2 AND run = $3 AND done = $7`,
			id, c.number, c.run, kept, done, asJSON(c.kept.first(kept)), false)
		if err := changedOne(result, err, errOver); err != nil {
			return err
		}
		return s.advance(ctx, tx, v)
	})
}

// first is the first n segments of every track.
func (k chunkSegments) first(n int) chunkSegments {
	cut := chunkSegments{Codecs: k.Codecs, Segments: map[string][]keptSegment{}}
	for track, segments := range k.Segments {
		cut.Segments[track] = segments[:n]
	}
	return cut
}
