package video

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stoa/internal/fault"
	"stoa/internal/jobs"
)

// copyArgs is the job that copies the source of another video.
type copyArgs struct {
	VideoID string `json:"video_id"`
}

func (copyArgs) Kind() string { return "video.copy" }

// copyPause is how often it is asked whether an original has its source by now.
const copyPause = 15 * time.Second

var errNoFileToCopy = fault.New(fault.NotFound, "the recording to copy has no MP4: set its mp4Support to true, and copy it again")

var errNoOriginal = fault.New(fault.NotFound, "the video to copy has no source, or was deleted before it had one")

// copySource copies the source of a video from its original, file by file. The original
// may be deleted meanwhile: its files stay until the copy is done. Each try begins anew.
func (s *Service) copySource(ctx context.Context, a copyArgs) error {
	return s.bringSource(ctx, a.VideoID, func(ctx context.Context, v *video) error {
		parts, err := s.originalParts(ctx, v.source.from)
		if err != nil {
			return err
		}
		var files []arrival
		for _, p := range parts {
			file, err := s.copyPart(ctx, v.id, p)
			if err != nil {
				s.drop(ctx, files...)
				return err
			}
			files = append(files, file)
		}
		return s.finishIngest(ctx, v.id, files)
	})
}

// originalParts is the source of a video, deleted or not. While that is still to come
// it snoozes.
func (s *Service) originalParts(ctx context.Context, id string) ([]part, error) {
	original, err := s.oneVideo(ctx, s.db, id, "")
	if errors.Is(err, errNoVideo) {
		return nil, errNoOriginal
	}
	if err != nil {
		return nil, err
	}
	if original.source.kind == sourceLive {
		return s.recordedParts(ctx, original)
	}
	switch original.source.ingest {
	case ingestUploaded, ingestDone:
		return readParts(ctx, s.db, id)
	case ingestRunning:
		failed := false
		err := s.db.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM video_encodings WHERE video_id = $1 AND state = $2)`, id, encodingFailed).Scan(&failed)
		if err != nil {
			return nil, err
		}
		if failed {
			return nil, errNoOriginal
		}
	}
	if original.state == videoDeleted {
		return nil, errNoOriginal
	}
	return nil, jobs.Snooze(copyPause)
}

// recordedParts is the MP4 of a recording, which has no other source.
func (s *Service) recordedParts(ctx context.Context, v *video) ([]part, error) {
	var size int64
	var failed bool
	err := s.db.QueryRow(ctx, `SELECT mp4_size, EXISTS (SELECT 1 FROM video_qualities q WHERE q.video_id = e.video_id AND q.type = $2 AND q.status = $3)
		FROM video_encodings e WHERE video_id = $1`, v.id, qualityMP4, qualityFailed).Scan(&size, &failed)
	switch {
	case err != nil:
		return nil, err
	case !v.mp4 || failed || v.state == videoDeleted && size == 0:
		return nil, errNoFileToCopy
	case size == 0:
		return nil, jobs.Snooze(copyPause)
	}
	return []part{{number: 1, size: size, blob: mp4Key(v.id)}}, nil
}

func (s *Service) copyPart(ctx context.Context, videoID string, p part) (arrival, error) {
	object, err := s.Blobs.Open(ctx, p.blob)
	if err != nil {
		return arrival{}, err
	}
	defer object.Close()
	file, err := s.store(ctx, sourceFolder(videoID), object)
	if err == nil && file.size != p.size {
		s.drop(ctx, file)
		err = fmt.Errorf("copy %s: got %d bytes, want %d", p.blob, file.size, p.size)
	}
	return file, err
}

// waitForCopies snoozes while a copy still needs the source of a deleted video.
func (s *Service) waitForCopies(ctx context.Context, id string) error {
	copied, err := isBeingCopied(ctx, s.db, id)
	if err == nil && copied {
		err = jobs.Snooze(copyPause)
	}
	return err
}

// isBeingCopied tells whether a copy still needs the source of a video.
func isBeingCopied(ctx context.Context, from reader, id string) (copied bool, err error) {
	err = from.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM videos AS v WHERE source_type = 'copy' AND source_from = $1
		AND ingest = $2 AND state <> $3 AND NOT EXISTS (SELECT 1 FROM video_encodings WHERE video_id = v.id AND state = $4))`,
		id, ingestRunning, videoDeleted, encodingFailed).Scan(&copied)
	return copied, err
}
