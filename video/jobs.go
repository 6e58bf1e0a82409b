package video

import (
	"context"
	"errors"
	"time"

	"stoa/internal/db"
	"stoa/internal/fault"
	"stoa/internal/jobs"
)

// The jobs about a video. Those that need ffmpeg are in EncodeLane, which only
// processes work that are to encode.
type (
	ingestArgs struct {
		VideoID string `json:"video_id"`
	}
	chunkArgs struct {
		VideoID string `json:"video_id"`
		Chunk   int    `json:"chunk"`
	}
	audioArgs struct {
		VideoID string `json:"video_id"`
	}
	storyboardArgs struct {
		VideoID string `json:"video_id"`
	}
	mp4Args struct {
		VideoID string `json:"video_id"`
	}
	thumbnailArgs struct {
		VideoID string `json:"video_id"`
	}
	removalArgs struct {
		VideoID string `json:"video_id"`
	}
)

func (ingestArgs) Kind() string     { return "video.ingest" }
func (chunkArgs) Kind() string      { return "video.chunk" }
func (audioArgs) Kind() string      { return "video.audio" }
func (storyboardArgs) Kind() string { return "video.storyboard" }
func (mp4Args) Kind() string        { return "video.mp4" }
func (thumbnailArgs) Kind() string  { return "video.thumbnail" }
func (removalArgs) Kind() string    { return "video.delete" }

// What goes first in EncodeLane. A video that does not play yet comes before the rest
// of those that do.
const (
	priorityIngest = iota
	priorityFirst  // what a video needs to begin
	priorityRest   // what is left once a video is encoded, and posters
	priorityChunk
)

const (
	encodeTries  = 5
	encodeTime   = 14 * time.Hour // more than ffmpeg itself has
	untilThere   = 10 * time.Second
	watchingTime = time.Second
)

// handleJobs tells the queue what is done by jobs.
func (s *Service) handleJobs() {
	q := s.Queue
	jobs.Handle(q, s.ingest, jobs.How[ingestArgs]{Lane: EncodeLane, Timeout: encodeTime, Attempts: encodeTries,
		GaveUp: func(ctx context.Context, a ingestArgs, why error) error { return s.cannotEncode(ctx, a.VideoID, why) },
		Again:  s.againIngest})
	jobs.Handle(q, s.encodeChunk, jobs.How[chunkArgs]{Lane: EncodeLane, Timeout: encodeTime, Attempts: encodeTries,
		GaveUp: func(ctx context.Context, a chunkArgs, why error) error { return s.cannotEncode(ctx, a.VideoID, why) },
		Again: func(ctx context.Context, tx *db.Tx, a chunkArgs) (bool, error) {
			return s.againChunk(ctx, tx, a.VideoID, a.Chunk)
		}})
	jobs.Handle(q, s.encodeAudio, jobs.How[audioArgs]{Lane: EncodeLane, Timeout: encodeTime, Attempts: encodeTries,
		GaveUp: func(ctx context.Context, a audioArgs, why error) error { return s.cannotEncode(ctx, a.VideoID, why) },
		Again: func(ctx context.Context, tx *db.Tx, a audioArgs) (bool, error) {
			return s.againChunk(ctx, tx, a.VideoID, soundChunk)
		}})
	jobs.Handle(q, s.makeMP4, jobs.How[mp4Args]{Lane: EncodeLane, Timeout: encodeTime, Attempts: encodeTries, GaveUp: s.cannotMakeMP4, Again: s.againMP4})
	jobs.Handle(q, s.makeStoryboard, jobs.How[storyboardArgs]{Lane: EncodeLane, Timeout: encodeTime})
	jobs.Handle(q, s.makeThumbnail, jobs.How[thumbnailArgs]{Lane: EncodeLane, Timeout: encodeTime, Attempts: encodeTries})
	jobs.Handle(q, s.removeDeleted)
	s.handleSources()

	jobs.Handle(q, s.deliver, jobs.How[deliveryArgs]{Lane: HookLane, Timeout: 2 * hookTimeout})
	jobs.Handle(q, s.sweep)
	q.Every(time.Hour, sweepArgs{})
}

// onVideo does a job about a video as long as that is there. Of one that was deleted
// it removes what this job, or a dead process before it, has stored meanwhile.
func (s *Service) onVideo(ctx context.Context, id string, do func(context.Context, *video) error) error {
	if s.ffmpeg == nil {
		s.log.Warn("a video waits for a machine with ffmpeg", "video_id", id)
		return jobs.Snooze(untilThere)
	}
	v, err := s.findThere(ctx, id)
	if err == nil {
		err = s.whileThere(ctx, v, do)
	}
	if errors.Is(err, errGone) {
		if err = s.waitForCopies(ctx, id); err == nil {
			err = s.removeFolder(ctx, videoFolder(id))
		}
	}
	return s.outcome(id, err)
}

// outcome says what becomes of a job that returned an error. A storage that cannot be
// reached is waited for, and a source that cannot be read is not read again.
func (s *Service) outcome(id string, err error) error {
	switch {
	case errors.Is(err, errOver):
		return nil
	case errors.Is(err, fault.Unavailable), db.IsUnavailable(err):
		s.log.Warn("a video waits", "video_id", id, "error", err)
		return jobs.Snooze(untilThere)
	case errors.Is(err, fault.Invalid):
		return jobs.Abandon(err)
	}
	return err
}

// whileThere cancels what is done when the video is deleted, and then answers errGone.
func (s *Service) whileThere(ctx context.Context, v *video, do func(context.Context, *video) error) error {
	watched, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		for {
			select {
			case <-watched.Done():
				return
			case <-time.After(watchingTime):
			}
			if _, err := s.findThere(watched, v.id); errors.Is(err, errGone) {
				cancel()
			}
		}
	}()
	err := do(watched, v)
	if err != nil { // because its files have gone, or for another reason
		if _, gone := s.findThere(ctx, v.id); errors.Is(gone, errGone) {
			return errGone
		}
	}
	return err
}

// cannotEncode tells the owner why a video was given up.
func (s *Service) cannotEncode(ctx context.Context, id string, why error) error {
	s.log.Error("a video cannot be encoded", "video_id", id, "error", why)
	s.metrics.notEncoded.Add(1)
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.lockThere(ctx, tx, id); err != nil {
			return err
		}
		return failEncoding(ctx, tx, id, sentence(why))
	})
	if errors.Is(err, errGone) || errors.Is(err, errOver) {
		return nil
	}
	return err
}

// sentence is what people are told of an error.
func sentence(why error) string {
	if told, ok := errors.AsType[*fault.Error](why); ok && told.Kind == fault.Invalid {
		return told.Message
	}
	return "the video could not be encoded: try again with a new one, and tell the operator if that fails too"
}
