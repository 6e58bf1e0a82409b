// Package picture makes pictures that are safe to show of files that strangers
// sent: posters of videos, watermarks, and logos of players.
//
// What a file is, is told by its content, and its sides are known before anything
// is decoded. Only pixels are taken over: what else a file carries stays behind.
//
// A file of the largest area may need a gigabyte while it is decoded, so a [Maker]
// works on one at a time. A file that cannot be taken is a *problem.Error that says
// what to send instead.
package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"time"

	"stoa/internal/fault"
	"stoa/video/internal/problem"
)

// What is taken. Sides and areas are in points.
const (
	MaxPoster    = 8 << 20 // bytes
	MaxWatermark = 8 << 20
	MaxLogo      = 100 << 10

	maxArea    = 50_000_000
	logoWidth  = 200
	logoHeight = 100

	posterWidth   = 1280
	posterHeight  = 4 * posterWidth // of a strip that nobody takes for a poster
	posterQuality = 85              // of 100
)

// decodeTime is how long a file may take to decode: some can be made to take hours.
const decodeTime = 10 * time.Second

// Maker makes pictures, one at a time. It may be used from many goroutines.
type Maker struct{ turn chan struct{} }

// New makes a Maker.
func New() *Maker { return &Maker{make(chan struct{}, 1)} }

// Poster makes a JPEG, no wider than 1280 points, of a JPEG, PNG or WebP file. What
// is transparent becomes black.
func (m *Maker) Poster(ctx context.Context, file []byte) ([]byte, error) {
	upload, err := open(file, bounds{area: maxArea}, "image/jpeg", "image/png", "image/webp")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = m.work(ctx, upload, func(img image.Image) error {
		poster := orientationOf(file, upload.contentType).apply(shrink(img, posterWidth, posterHeight))
		return jpeg.Encode(&out, poster, &jpeg.Options{Quality: posterQuality})
	})
	return out.Bytes(), err
}

// Mark is a PNG file and its sides.
type Mark struct {
	PNG           []byte
	Width, Height int
}

// Watermark makes a PNG of the same size of a JPEG or PNG file.
func (m *Maker) Watermark(ctx context.Context, file []byte) (Mark, error) {
	return m.mark(ctx, file, bounds{area: maxArea})
}

// Logo is Watermark for a file that must be small.
func (m *Maker) Logo(ctx context.Context, file []byte) (Mark, error) {
	return m.mark(ctx, file, bounds{width: logoWidth, height: logoHeight, area: logoWidth * logoHeight})
}

func (m *Maker) mark(ctx context.Context, file []byte, within bounds) (Mark, error) {
	upload, err := open(file, within, "image/jpeg", "image/png")
	if err != nil {
		return Mark{}, err
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	err = m.work(ctx, upload, func(img image.Image) error { return encoder.Encode(&out, img) })
	return Mark{out.Bytes(), upload.width, upload.height}, err
}

// work decodes a file and does something with it, when it is its turn.
func (m *Maker) work(ctx context.Context, u *upload, do func(image.Image) error) error {
	select {
	case m.turn <- struct{}{}:
		defer func() { <-m.turn }()
	case <-ctx.Done():
		return fault.New(fault.Unavailable, "too many pictures are being worked on: try again soon")
	}
	img, err := u.decode(ctx)
	if err != nil {
		return err
	}
	if err := do(img); err != nil {
		return fmt.Errorf("make picture: %w", err)
	}
	return nil
}

// bounds are the largest sides and area that are taken; a side of 0 has none.
type bounds struct{ width, height, area int }

func (b bounds) check(width, height int) error {
	switch {
	case b.width > 0 && (width > b.width || height > b.height):
		return problem.FileInvalid.WithDetail("The picture has %d x %d points: send one of at most %d x %d.", width, height, b.width, b.height)
	case width < 1 || height < 1 || width > b.area/height:
		return problem.FileInvalid.WithDetail("The picture has %d x %d points: send one of 1 to %d million.", width, height, max(1, b.area/1_000_000))
	}
	return nil
}
