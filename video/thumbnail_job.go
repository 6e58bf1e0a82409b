package video

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"image/jpeg"
	"math"
	"time"

	"stoa/internal/db"
	"stoa/internal/fault"
	"stoa/internal/jobs"
	"stoa/video/internal/encode"
	"stoa/video/internal/timecode"
)

// thumbnailWidth is that of posters, at most.
const thumbnailWidth = 1280

// addThumbnail has a poster made: the picture that was picked, or if there is none at
// all, one that shows something. Without a source nothing happens until there is one.
func (s *Service) addThumbnail(ctx context.Context, tx *db.Tx, id string) error {
	return s.Queue.Add(ctx, tx, thumbnailArgs{id}, jobs.Priority(priorityRest))
}

// makeThumbnail is that job.
func (s *Service) makeThumbnail(ctx context.Context, a thumbnailArgs) error {
	return s.onVideo(ctx, a.VideoID, func(ctx context.Context, v *video) error {
		if v.thumbnailAt == "" && v.thumbnail != "" {
			return nil // somebody sent one
		}
		e, err := findEncoding(ctx, s.db, v.id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil // the ingest adds this job again
		}
		if err != nil || e.media.Video == nil || len(e.plan.Renditions) == 0 {
			return err
		}
		still, release, err := s.openStills(ctx, v, e)
		if err != nil {
			return err
		}
		defer release()
		picture, err := poster(ctx, still, e, v.thumbnailAt)
		if err != nil {
			return err
		}
		return s.keepThumbnail(ctx, v, picture)
	})
}

// stills is the picture of a video that is shown at a time, as JPEG.
type stills func(ctx context.Context, at time.Duration) ([]byte, error)

// openStills finds what pictures are taken of: the source, or what was broadcast. The
// caller calls release in the end.
func (s *Service) openStills(ctx context.Context, v *video, e encoding) (still stills, release func(), err error) {
	if e.plan.Recording != nil {
		recorded, err := s.openRecorded(ctx, v, e)
		return recorded.still, func() {}, err
	}
	source, release, err := s.openSource(ctx, v.id, 0)
	return func(ctx context.Context, at time.Duration) ([]byte, error) {
		return s.ffmpeg.Still(ctx, source.Input, e.media, inSource(e.plan, at), thumbnailWidth)
	}, release, err
}

// inSource is when the source shows the picture that the video shows at a time. A picture
// of the video is the one of the source that is nearest to its place, maybe a little after
// it: up to half a frame, less the eighth that a still allows for rounding.
func inSource(p encode.Plan, at time.Duration) time.Duration {
	const rounding = 0.001 // of a frame: timecodes are cut to whole nanoseconds
	frame := math.Floor(at.Seconds()*p.Rate.FPS() + rounding)
	return p.Start + time.Duration((frame+3.0/8)/p.Rate.FPS()*float64(time.Second))
}

// keepThumbnail makes a picture the poster of a video, unless another has been chosen
// since it was read.
func (s *Service) keepThumbnail(ctx context.Context, v *video, picture []byte) error {
	name := newID("")
	return s.keepFile(ctx, thumbnailKey(v.id, name), picture, "image/jpeg", func(tx *db.Tx) (old string, err error) {
		now, err := s.lockThere(ctx, tx, v.id)
		if err != nil {
			return "", err
		}
		if now.thumbnail != v.thumbnail || now.thumbnailAt != v.thumbnailAt {
			return "", errOver
		}
		if _, err := tx.Exec(ctx, `UPDATE videos SET thumbnail = $2 WHERE id = $1`, v.id, name); err != nil {
			return "", err
		}
		if v.thumbnail != "" {
			old = thumbnailKey(v.id, v.thumbnail)
		}
		return old, touchVideo(ctx, tx, v.id)
	})
}

// poster is the picture at a timecode, which is that of the video and not of its
// source; beyond the end it is the first one. Without a timecode it is one that is
// not dark.
func poster(ctx context.Context, still stills, e encoding, at string) ([]byte, error) {
	length := e.plan.Duration()
	if t, ok := timecode.Parse(at); ok {
		place := t.At(e.plan.Rate.FPS())
		if place >= length {
			place = 0
		}
		return still(ctx, place)
	}
	var best []byte
	brightest := -1.0
	for _, place := range []time.Duration{min(length/10, 5*time.Second), length / 4, length / 2} {
		picture, err := still(ctx, place)
		if err != nil {
			return nil, err
		}
		light, err := brightness(picture)
		if err != nil {
			return nil, err
		}
		if light >= darkness {
			return picture, nil
		}
		if light > brightest {
			best, brightest = picture, light
		}
	}
	return best, nil
}

// darkness is the brightness of a picture, 0 to 255, below which it shows nothing.
const darkness = 20

// brightness is the average of a picture's points, of which it looks at some.
func brightness(picture []byte) (float64, error) {
	img, err := jpeg.Decode(bytes.NewReader(picture))
	if err != nil {
		return 0, fault.Wrap(fault.Internal, err)
	}
	const grid = 32
	b := img.Bounds()
	var sum float64
	for row := range grid {
		for column := range grid {
			r, g, b, _ := img.At(b.Min.X+b.Dx()*column/grid, b.Min.Y+b.Dy()*row/grid).RGBA()
			sum += (0.299*float64(r) + 0.587*float64(g) + 0.114*float64(b)) / 257
		}
	}
	return sum / (grid * grid), nil
}
