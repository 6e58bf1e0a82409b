package video

import (
	"context"
	"errors"

	"stoa/internal/db"
	"stoa/video/internal/encode"
)

// encodeAudio is the job that encodes the sound. It always begins at the beginning,
// and passes over what is stored.
func (s *Service) encodeAudio(ctx context.Context, a audioArgs) error {
	return s.onVideo(ctx, a.VideoID, func(ctx context.Context, v *video) error {
		e, c, err := s.takeChunk(ctx, v.id, soundChunk)
		if err != nil {
			return err
		}
		source, release, err := s.openSource(ctx, v.id, 0)
		if err != nil {
			return err
		}
		defer release()
		k := newKeeper(s, v.id, c, &e.plan, 0, []string{encode.AudioTrack})
		err = encode.Audio(ctx, s.ffmpeg, source, e.plan, k)
		if errors.Is(err, encode.ErrNoSound) || isBroken(err) {
			s.log.Info("the sound of a video cannot be decoded", "video_id", v.id, "error", err)
			return s.withoutSound(ctx, v.id)
		}
		if err != nil {
			return err
		}
		return k.finish(ctx)
	})
}

// withoutSound makes a video silent whose sound cannot be had.
func (s *Service) withoutSound(ctx context.Context, id string) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		v, err := s.lockThere(ctx, tx, id)
		if err != nil {
			return err
		}
		e, err := findEncoding(ctx, tx, id)
		if err != nil {
			return err
		}
		e.plan.Audio = -1
		if _, err := tx.Exec(ctx, `UPDATE video_encodings SET plan = $2 WHERE video_id = $1`, id, asJSON(e.plan)); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM video_chunks WHERE video_id = $1 AND number = $2`, id, soundChunk); err != nil {
			return err
		}
		return s.advance(ctx, tx, v)
	})
}
