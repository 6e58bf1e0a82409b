package video

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/internal/jobs"
	"stoa/video/internal/webhook"
)

// advance draws the conclusions, in the transaction that has stored more of a video:
// it can be played as soon as its beginning is there, and it is encoded when
// everything is. The video is locked, so no two transactions each miss what the other
// one stored.
func (s *Service) advance(ctx context.Context, tx *db.Tx, v *video) error {
	var state encodingState
	var playable bool
	err := tx.QueryRow(ctx, `SELECT state, playable FROM video_encodings WHERE video_id = $1`, v.id).Scan(&state, &playable)
	if err != nil {
		return err
	}
	var missing, open int // chunks without which it does not begin; chunks that are not done
	err = tx.QueryRow(ctx, `SELECT COUNT(CASE WHEN number <= 0 AND kept = 0 THEN 1 END), COUNT(CASE WHEN NOT done THEN 1 END)
		FROM video_chunks WHERE video_id = $1`, v.id).Scan(&missing, &open)
	if err != nil {
		return err
	}
	if !playable && missing == 0 {
		if _, err := tx.Exec(ctx, `UPDATE video_encodings SET playable = $2 WHERE video_id = $1`, v.id, true); err != nil {
			return err
		}
		if err := touchVideo(ctx, tx, v.id); err != nil {
			return err
		}
	}
	if open == 0 && state < encodingEnded {
		return s.completeEncoding(ctx, tx, v)
	}
	return raiseVersion(ctx, tx, v.id)
}

// raiseVersion is touchVideo for what is no change of the video: its playlists grow.
func raiseVersion(ctx context.Context, tx *db.Tx, id string) error {
	_, err := tx.Exec(ctx, `UPDATE videos SET version = version + 1 WHERE id = $1`, id)
	return err
}

// completeEncoding ends the encoding of a video, and has the rest made of it.
func (s *Service) completeEncoding(ctx context.Context, tx *db.Tx, v *video) error {
	if err := setEncodingState(ctx, tx, v.id, encodingDone, qualityEncoding, qualityEncoded); err != nil {
		return err
	}
	var heights []int
	err := eachRow(ctx, tx, func(rows *sql.Rows) error {
		var height int
		err := rows.Scan(&height)
		heights = append(heights, height)
		return err
	}, `SELECT height FROM video_qualities WHERE video_id = $1 AND type = $2 ORDER BY height`, v.id, qualityHLS)
	if err != nil {
		return err
	}
	for _, height := range heights {
		if err := s.emitQuality(ctx, tx, v, qualityHLS, height); err != nil {
			return err
		}
	}
	if err := s.Queue.Add(ctx, tx, storyboardArgs{v.id}, jobs.Priority(priorityRest)); err != nil {
		return err
	}
	if v.mp4 {
		if err := s.Queue.Add(ctx, tx, mp4Args{v.id}, jobs.Priority(priorityRest)); err != nil {
			return err
		}
	}
	return touchVideo(ctx, tx, v.id)
}

// emitQuality tells that a quality can be had.
func (s *Service) emitQuality(ctx context.Context, tx *db.Tx, v *video, kind string, height int) error {
	return s.emit(ctx, tx, v.project, webhook.Event{
		Type: webhook.QualityCompleted, VideoID: v.id, LiveStreamID: v.liveStreamID, Encoding: kind, Quality: fmt.Sprintf("%dp", height),
	})
}

// failEncoding ends the encoding of a locked video, or what should have become one,
// with a sentence for its owner. What can be played of it already, can be still. It
// answers errOver if the encoding has ended.
func failEncoding(ctx context.Context, tx *db.Tx, id, sentence string) error {
	result, err := tx.Exec(ctx, `INSERT INTO video_encodings (video_id, state, playable, media, plan, problem, storyboard, mp4_size, updated_at)
		VALUES ($1, $2, $3, '', '', $4, '', 0, $5)
		ON CONFLICT (video_id) DO UPDATE SET state = excluded.state, problem = excluded.problem, updated_at = excluded.updated_at
		WHERE video_encodings.state < $6`, id, encodingFailed, false, sentence, db.Micros(time.Now()), encodingEnded)
	if err := changedOne(result, err, errOver); err != nil {
		return err
	}
	result, err = tx.Exec(ctx, `UPDATE video_qualities SET status = $2 WHERE video_id = $1`, id, qualityFailed)
	err = changedOne(result, err, errOver)
	if errors.Is(err, errOver) { // the source was not good for any
		err = insertQuality(ctx, tx, id, qualityHLS, lowestHeight, qualityFailed)
	}
	if err != nil {
		return err
	}
	return touchVideo(ctx, tx, id)
}

// lowestHeight is of the quality that every video has.
const lowestHeight = 240
