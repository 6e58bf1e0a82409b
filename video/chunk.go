package video

import (
	"context"
	"errors"
	"fmt"

	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg"
)

// encodeChunk is the job that encodes a chunk into all renditions. Of one that was
// begun before, it encodes the segments that are missing.
func (s *Service) encodeChunk(ctx context.Context, a chunkArgs) error {
	return s.onVideo(ctx, a.VideoID, func(ctx context.Context, v *video) error {
		e, c, err := s.takeChunk(ctx, v.id, a.Chunk)
		if err != nil {
			return err
		}
		var tracks []string
		for _, r := range e.plan.Renditions {
			tracks = append(tracks, r.Name)
		}
		k := newKeeper(s, v.id, c, &e.plan, e.plan.FirstSegment(a.Chunk), tracks)
		next := k.first + k.stored
		if next < e.plan.FirstSegment(a.Chunk+1) {
			source, release, err := s.openSource(ctx, v.id, len(e.plan.Overlays))
			if err != nil {
				return err
			}
			defer release()
			err = encode.Chunk(ctx, s.ffmpeg, source, e.plan, a.Chunk, next, k)
			if isBroken(err) {
				err = fmt.Errorf("%w: %w", encode.ErrNoPicture, err)
			}
			if err != nil {
				return err
			}
		}
		s.metrics.chunks.Add(1)
		return k.finish(ctx)
	})
}

// isBroken tells whether ffmpeg gave up because most of what it decoded was broken,
// which it says by its exit status. Another try would end the same way.
func isBroken(err error) bool {
	const tooManyErrors = 69
	failed, ok := errors.AsType[*ffmpeg.Error](err)
	return ok && failed.Status == tooManyErrors
}
