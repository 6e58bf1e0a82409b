package video

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"stoa/video/internal/encode"
)

// keepOverlays stores copies of the images that are laid over a video, and says where
// each one stands: the watermark that was asked for, and the mark of the sandbox.
func (s *Service) keepOverlays(ctx context.Context, v *video) (marks []encode.Watermark, err error) {
	if v.watermark != "" {
		mark, err := s.keepWatermark(ctx, v, overlayKey(v.id, 0))
		if err != nil {
			return nil, err
		}
		marks = append(marks, mark...)
	}
	if s.sandbox() {
		image, place := sandboxMark()
		if _, err := s.Blobs.Put(ctx, overlayKey(v.id, len(marks)), bytes.NewReader(image), "image/png"); err != nil {
			return nil, err
		}
		marks = append(marks, place)
	}
	return marks, nil
}

// keepWatermark is empty if there is no such image any more.
func (s *Service) keepWatermark(ctx context.Context, v *video, to string) ([]encode.Watermark, error) {
	var o overlay
	if err := json.Unmarshal([]byte(v.watermark), &o); err != nil {
		return nil, err
	}
	mark := encode.Watermark{
		Top: o.Top, Left: o.Left, Bottom: o.Bottom, Right: o.Right, Width: o.Width, Height: o.Height, Opacity: o.Opacity, Format: "png",
	}
	var key string
	err := s.db.QueryRow(ctx, `SELECT blob, width, height FROM video_watermarks WHERE id = $1 AND project = $2`, o.ID, v.project).
		Scan(&key, &mark.ImageWidth, &mark.ImageHeight)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	image, err := s.Blobs.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer image.Close()
	if _, err := s.Blobs.Put(ctx, to, image, "image/png"); err != nil {
		return nil, err
	}
	return []encode.Watermark{mark}, nil
}
