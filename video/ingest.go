package video

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"stoa/internal/db"
	"stoa/internal/jobs"
	"stoa/video/internal/encode"
	"stoa/video/internal/timecode"
)

// audioFirst is how long a video may be for its sound to be encoded before the first
// chunk, where one worker does both: of a longer one that takes longer than the chunk.
const audioFirst = 30 * time.Minute

// ingest is the job that looks at a source, plans what is made of it, and adds the
// jobs that do.
func (s *Service) ingest(ctx context.Context, a ingestArgs) error {
	return s.onVideo(ctx, a.VideoID, func(ctx context.Context, v *video) error {
		if _, err := findEncoding(ctx, s.db, v.id); !errors.Is(err, sql.ErrNoRows) {
			return err // who did this died before he could say so
		}
		source, release, err := s.openSource(ctx, v.id, 0)
		if err != nil {
			return err
		}
		defer release()
		var e encoding
		if e.media, err = s.ffmpeg.Probe(ctx, source.Input); err != nil {
			return err
		}
		var rate float64
		if e.media.Video != nil {
			rate = e.media.Video.FrameRate.Float()
		}
		marks, err := s.keepOverlays(ctx, v)
		if err != nil {
			return err
		}
		wishes := s.cut(v, rate)
		wishes.Watermarks = marks
		if e.plan, err = encode.NewPlan(e.media, wishes); err != nil {
			return err
		}
		e.media.Duration = e.plan.Duration() // what people see is the video
		return s.startEncoding(ctx, v.id, e)
	})
}

// cut is the part of the source that a video is made of.
func (s *Service) cut(v *video, rate float64) (o encode.Options) {
	var c clip
	_ = json.Unmarshal([]byte(v.clip), &c) // ours, or "" for none
	if t, ok := timecode.Parse(c.Start); ok {
		o.Start = t.At(rate)
	}
	if t, ok := timecode.Parse(c.End); ok {
		o.End = t.At(rate)
	}
	if longest := o.Start + sandboxDuration; s.sandbox() && (o.End == 0 || o.End > longest) {
		o.End = longest
	}
	return o
}

// startEncoding stores a plan and adds the jobs that carry it out. Those that make
// the video playable go first.
func (s *Service) startEncoding(ctx context.Context, id string, e encoding) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		v, err := s.lockThere(ctx, tx, id)
		if err != nil {
			return err
		}
		if first, err := insertEncoding(ctx, tx, v, e); err != nil || !first {
			return err
		}
		if err := s.addFirst(ctx, tx, id, e.plan); err != nil {
			return err
		}
		if err := s.addThumbnail(ctx, tx, id); err != nil {
			return err
		}
		for n := 1; n < e.plan.Chunks(); n++ {
			if err := s.Queue.Add(ctx, tx, chunkArgs{id, n}, jobs.Priority(priorityChunk)); err != nil {
				return err
			}
		}
		return touchVideo(ctx, tx, id)
	})
}

func (s *Service) addFirst(ctx context.Context, tx *db.Tx, id string, plan encode.Plan) error {
	first := []jobs.Args{chunkArgs{id, 0}, audioArgs{id}}
	switch {
	case plan.Audio < 0:
		first = first[:1]
	case plan.Duration() < audioFirst:
		first[0], first[1] = first[1], first[0]
	}
	for _, args := range first {
		if err := s.Queue.Add(ctx, tx, args, jobs.Priority(priorityFirst)); err != nil {
			return err
		}
	}
	return nil
}
