package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"time"

	"golang.org/x/image/draw"
)

// quality of JPEG thumbnails, of 100.
const quality = 85

func (f *file) thumbnails(ctx context.Context, limit time.Duration) (*Set, error) {
	img, err := f.pixels(ctx, limit)
	if err != nil {
		return nil, err
	}
	s, err := newSource(ctx, img, image.Pt(f.width, f.height))
	if err != nil {
		return nil, err
	}
	s.turn = f.orientation(f.data)
	set := &Set{}
	set.Width, set.Height = s.turn.sides(f.width, f.height)
	if set.Large, err = s.thumb(LargeSide); err != nil {
		return nil, err
	}
	set.Medium, err = s.thumb(MediumSide)
	return set, err
}

// source is what thumbnails are drawn from: the file's pixels, or means of
// them, with its true size beside.
type source struct {
	*image.RGBA
	size   image.Point
	opaque bool
	turn   orientation
}

// newSource averages the picture down to no less than twice the large
// thumbnail. So scaling it needs little memory and time, and Catmull-Rom still
// has all the detail that it can keep. A GIF's frame may leave parts of the
// canvas free: they are transparent.
func newSource(ctx context.Context, img image.Image, size image.Point) (*source, error) {
	n := max(1, max(size.X, size.Y)/(2*LargeSide))
	w, h := size.X/n, size.Y/n
	s := &source{RGBA: image.NewRGBA(image.Rect(0, 0, w, h)), size: size, opaque: true}
	from := img.(image.RGBA64Image) // all types of the standard library are
	for y := range h {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("shrink picture: %w", err)
		}
		for x := range w {
			block := image.Rect(x*size.X/w, y*size.Y/h, (x+1)*size.X/w, (y+1)*size.Y/h)
			s.mean(x, y, from, block)
		}
	}
	return s, nil
}

// mean sets one pixel to the mean of a block. Colours come multiplied with
// their alpha, so a transparent pixel's own colour does not count.
func (s *source) mean(x, y int, from image.RGBA64Image, block image.Rectangle) {
	var r, g, b, a int
	drawn := block.Intersect(from.Bounds())
	for by := drawn.Min.Y; by < drawn.Max.Y; by++ {
		for bx := drawn.Min.X; bx < drawn.Max.X; bx++ {
			c := from.RGBA64At(bx, by)
			r, g, b, a = r+int(c.R), g+int(c.G), b+int(c.B), a+int(c.A)
		}
	}
	n := block.Dx() * block.Dy()
	pix := s.Pix[s.PixOffset(x, y):][:4]
	pix[0], pix[1], pix[2], pix[3] = uint8(r/n>>8), uint8(g/n>>8), uint8(b/n>>8), uint8(a/n>>8)
	s.opaque = s.opaque && pix[3] == 0xff
}

func (s *source) thumb(side int) (Thumb, error) {
	small := s.RGBA
	if w, h := fit(s.size, side); w != small.Rect.Dx() || h != small.Rect.Dy() {
		small = image.NewRGBA(image.Rect(0, 0, w, h))
		draw.CatmullRom.Scale(small, small.Rect, s.RGBA, s.Rect, draw.Src, nil)
	}
	turned := s.turn.apply(small)
	t := Thumb{ContentType: "image/jpeg", Width: turned.Rect.Dx(), Height: turned.Rect.Dy()}
	var out bytes.Buffer
	var err error
	if s.opaque {
		err = jpeg.Encode(&out, turned, &jpeg.Options{Quality: quality})
	} else {
		t.ContentType = "image/png"
		err = png.Encode(&out, turned)
	}
	if err != nil {
		return Thumb{}, fmt.Errorf("encode thumbnail: %w", err)
	}
	t.Data = out.Bytes()
	return t, nil
}

// fit gives the sides of a picture within a square, never larger than it is.
func fit(size image.Point, side int) (w, h int) {
	long := max(size.X, size.Y)
	if long <= side {
		return size.X, size.Y
	}
	scaled := func(n int) int { return max(1, (2*n*side+long)/(2*long)) } // to the nearest pixel
	return scaled(size.X), scaled(size.Y)
}
