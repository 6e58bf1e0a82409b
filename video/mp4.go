package video

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"

	"stoa/internal/db"
	"stoa/internal/jobs"
	"stoa/video/internal/encode"
)

// switchMP4 is told that somebody wants an MP4 of a video or no longer does, in the
// transaction that says so.
func (s *Service) switchMP4(ctx context.Context, tx *db.Tx, v *video) error {
	if !v.mp4 {
		if _, err := tx.Exec(ctx, `DELETE FROM video_qualities WHERE video_id = $1 AND type = $2`, v.id, qualityMP4); err != nil {
			return err
		}
	} else {
		_, err := tx.Exec(ctx, `INSERT INTO video_qualities (video_id, type, height, status)
			SELECT e.video_id, $2, MAX(q.height), $3 FROM video_encodings e JOIN video_qualities q ON q.video_id = e.video_id
			WHERE e.video_id = $1 AND e.state <> $4 GROUP BY e.video_id
			ON CONFLICT (video_id, type, height) DO NOTHING`, v.id, qualityMP4, qualityWaiting, encodingFailed)
		if err != nil {
			return err
		}
	}
	return s.Queue.Add(ctx, tx, mp4Args{v.id}, jobs.Priority(priorityRest))
}

// makeMP4 is the job that joins the largest rendition and the sound in one file, or
// removes that file: as the video says now. Before the video is encoded it does
// nothing, as that adds it again.
//
// The file is removed only while the video is locked and wants none. So when somebody
// changes his mind while several of these run, the last word holds.
func (s *Service) makeMP4(ctx context.Context, a mp4Args) error {
	return s.onVideo(ctx, a.VideoID, func(ctx context.Context, v *video) error {
		e, err := findEncoding(ctx, s.db, v.id)
		if errors.Is(err, sql.ErrNoRows) || err == nil && e.state != encodingDone {
			return nil
		}
		if err != nil {
			return err
		}
		if !v.mp4 {
			return s.setMP4(ctx, v.id, "", 0)
		}
		if err := s.setMP4(ctx, v.id, qualityEncoding, 0); err != nil {
			return err
		}
		join := s.joinTracks
		if e.plan.Recording != nil {
			join = s.joinRecorded
		}
		size, err := join(ctx, v, e)
		if err != nil {
			return err
		}
		return s.setMP4(ctx, v.id, qualityEncoded, size)
	})
}

// joinTracks makes and stores the file.
func (s *Service) joinTracks(ctx context.Context, v *video, e encoding) (size int64, err error) {
	id, plan := v.id, e.plan
	folder, err := s.scratch.new("mp4")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	sound := ""
	if plan.Audio >= 0 {
		sound = "sound"
		if err := s.copyTrack(ctx, id, encode.AudioTrack, filepath.Join(folder, sound)); err != nil {
			return 0, err
		}
	}
	if err := s.copyTrack(ctx, id, plan.Renditions[0].Name, filepath.Join(folder, "picture")); err != nil {
		return 0, err
	}
	if err := encode.Remux(ctx, s.ffmpeg, folder, "picture", sound, "whole.mp4"); err != nil {
		return 0, err
	}
	return s.putMP4(ctx, id, filepath.Join(folder, "whole.mp4"))
}

// putMP4 stores the file.
func (s *Service) putMP4(ctx context.Context, id, path string) (size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := s.Blobs.Put(ctx, mp4Key(id), f, "video/mp4")
	return info.Size, err
}

// copyTrack writes all of a track to a file.
func (s *Service) copyTrack(ctx context.Context, id, track, path string) error {
	var segments int
	if track == encode.AudioTrack {
		err := s.db.QueryRow(ctx, `SELECT kept FROM video_chunks WHERE video_id = $1 AND number = $2`, id, soundChunk).Scan(&segments)
		if err != nil {
			return err
		}
	} else {
		err := s.db.QueryRow(ctx, `SELECT SUM(kept) FROM video_chunks WHERE video_id = $1 AND number >= 0`, id).Scan(&segments)
		if err != nil {
			return err
		}
	}
	keys := []string{initKey(id, track)}
	for n := range segments {
		keys = append(keys, segmentKey(id, track, n))
	}
	_, err := copyBlobs(ctx, s.Blobs, path, keys...)
	return err
}

// setMP4 stores how far the file is; "" is for none. If meanwhile none is wanted, it
// removes what there is, and if there is one already, it answers errOver.
func (s *Service) setMP4(ctx context.Context, id, status string, size int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		v, err := s.lockThere(ctx, tx, id)
		if err != nil {
			return err
		}
		if !v.mp4 {
			return s.removeMP4(ctx, tx, id)
		}
		var height int
		err = tx.QueryRow(ctx, `UPDATE video_qualities SET status = $3 WHERE video_id = $1 AND type = $2 AND status <> $4 AND $3 <> '' RETURNING height`,
			id, qualityMP4, status, qualityEncoded).Scan(&height)
		if errors.Is(err, sql.ErrNoRows) {
			return errOver
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE video_encodings SET mp4_size = $2 WHERE video_id = $1`, id, size); err != nil {
			return err
		}
		if status == qualityEncoded {
			if err := s.emitQuality(ctx, tx, v, qualityMP4, height); err != nil {
				return err
			}
		}
		return touchVideo(ctx, tx, id)
	})
}

// removeMP4 removes the file of a locked video that wants none.
func (s *Service) removeMP4(ctx context.Context, tx *db.Tx, id string) error {
	if err := s.Blobs.Delete(ctx, mp4Key(id)); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE video_encodings SET mp4_size = 0 WHERE video_id = $1`, id)
	return err
}

// cannotMakeMP4 tells that the file was given up.
func (s *Service) cannotMakeMP4(ctx context.Context, a mp4Args, why error) error {
	s.log.Error("the MP4 of a video cannot be made", "video_id", a.VideoID, "error", why)
	err := s.setMP4(ctx, a.VideoID, qualityFailed, 0)
	if errors.Is(err, errGone) || errors.Is(err, errOver) {
		return nil
	}
	return err
}
