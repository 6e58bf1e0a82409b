// Package picture turns an uploaded file into thumbnails that are safe to show.
//
// The bytes come from strangers. What they are is told by their content, and
// their sides are known before anything is decoded. Only pixels go from the
// file to the thumbnails: these are encoded anew, so position, camera and
// whatever else the file carries stay behind.
//
// Memory is bounded by the area. At the largest, 40 megapixels, most files need
// up to 500 MB in all; a progressive JPEG, whose decoder keeps every
// coefficient, 1 GB, and one in print colours (CMYK) 1.2 GB. So a [Maker]
// decodes few files at a time, and only one of the big ones. What is decoded is
// averaged down at once, and no copy of it in full size is made.
//
// A file that cannot be taken is a [fault.Invalid] with a sentence for whoever
// sent it. [Portrait] draws pictures for accounts that have none.
package picture

import (
	"context"
	"io"
	"time"

	"stoa/internal/fault"
)

// What is accepted, and how large the thumbnails are. Sides in pixels.
const (
	MaxBytes = 10 << 20
	MinSide  = 16
	MaxSide  = 10_000
	MaxArea  = 40_000_000

	MediumSide = 640
	LargeSide  = 1280
)

// bigArea is the area above which files are decoded one by one. What phones
// take, about 12 megapixels, is below.
const bigArea = MaxArea / 3

// Set is what is shown of one file. Width and Height are those of the file,
// as it is to be looked at: turned, if it says so.
type Set struct {
	Medium, Large Thumb
	Width, Height int
}

// Thumb is an encoded picture.
type Thumb struct {
	Data          []byte
	ContentType   string // image/png if the file is transparent somewhere, else image/jpeg
	Width, Height int
}

// Maker makes thumbnails, some at a time. It may be used from many goroutines.
type Maker struct {
	slots, big chan struct{}
	limit      time.Duration // for decoding one file
}

// New makes a Maker that works on so many files at a time.
func New(parallel int) *Maker {
	return &Maker{
		slots: make(chan struct{}, parallel),
		big:   make(chan struct{}, 1),
		limit: 10 * time.Second,
	}
}

// Make reads a file and makes its thumbnails. A file that cannot be taken is
// fault.Invalid; no free place before ctx ends is fault.Unavailable. An error
// of r comes back wrapped.
//
// A file that takes more than ten seconds to decode cannot be taken either. The
// place is kept until its decoder has really returned.
func (m *Maker) Make(ctx context.Context, r io.Reader) (*Set, error) {
	if err := take(ctx, m.slots); err != nil {
		return nil, err
	}
	defer leave(m.slots)
	f, err := open(r)
	if err != nil {
		return nil, err
	}
	if f.width*f.height > bigArea {
		if err := take(ctx, m.big); err != nil {
			return nil, err
		}
		defer leave(m.big)
	}
	return f.thumbnails(ctx, m.limit)
}

func take(ctx context.Context, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fault.New(fault.Unavailable, "too many pictures are being worked on: try again soon")
	}
}

func leave(places chan struct{}) { <-places }
