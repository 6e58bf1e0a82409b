package picture

import (
	"bytes"
	"image"

	"github.com/bep/imagemeta"
	"golang.org/x/image/draw"
)

// shrink makes a picture fit into width and height; a smaller one stays as it is.
//
// It is halved as long as it is more than twice too large: a halving is the exact
// mean of four points and needs no room beside the result, which the last step, a
// better one, would need for every line of the source.
func shrink(img image.Image, width, height int) *image.RGBA {
	size := img.Bounds().Size()
	want := fit(size, width, height)
	for size.X > 2*want.X && size.Y > 2*want.Y {
		size = image.Pt((size.X+1)/2, (size.Y+1)/2)
		half := image.NewRGBA(image.Rectangle{Max: size})
		draw.ApproxBiLinear.Scale(half, half.Rect, img, img.Bounds(), draw.Src, nil)
		img = half
	}
	small := image.NewRGBA(image.Rectangle{Max: want})
	if size == want {
		draw.Copy(small, image.Point{}, img, img.Bounds(), draw.Src, nil)
		return small
	}
	draw.CatmullRom.Scale(small, small.Rect, img, img.Bounds(), draw.Src, nil)
	return small
}

// fit gives the sides of a picture inside width and height, never larger than it is.
func fit(size image.Point, width, height int) image.Point {
	if size.X > width {
		size = image.Pt(width, max(1, size.Y*width/size.X))
	}
	if size.Y > height {
		size = image.Pt(max(1, size.X*height/size.Y), height)
	}
	return size
}

// orientation is how a camera was held, as EXIF counts it: 1 is upright, 3 upside
// down, 6 to be turned a quarter to the right, 8 to the left; the others are mirrored.
type orientation int

// orientationOf reads a JPEG's note. One that cannot be read is no reason to refuse
// the picture: it is taken as upright.
func orientationOf(file []byte, contentType string) orientation {
	found := orientation(1)
	if contentType != "image/jpeg" {
		return found
	}
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(file), ImageFormat: imagemeta.JPEG, Sources: imagemeta.EXIF,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool { return tag.Tag == "Orientation" },
		HandleTag: func(tag imagemeta.TagInfo) error {
			if value, ok := tag.Value.(uint16); ok && value >= 1 && value <= 8 {
				found = orientation(value)
			}
			return imagemeta.ErrStopWalking
		},
	})
	return found
}

// apply turns a picture upright.
func (o orientation) apply(img *image.RGBA) *image.RGBA {
	if o == 1 {
		return img
	}
	last := img.Rect.Max.Sub(image.Pt(1, 1))
	size := img.Rect.Max
	if o >= 5 {
		size = image.Pt(size.Y, size.X)
	}
	turned := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			from := o.origin(image.Pt(x, y), last)
			copy(turned.Pix[turned.PixOffset(x, y):][:4], img.Pix[img.PixOffset(from.X, from.Y):][:4])
		}
	}
	return turned
}

// origin is where in the stored picture, whose last point is given, a point of the
// upright one comes from.
func (o orientation) origin(p, last image.Point) image.Point {
	switch o {
	case 2:
		return image.Pt(last.X-p.X, p.Y)
	case 3:
		return image.Pt(last.X-p.X, last.Y-p.Y)
	case 4:
		return image.Pt(p.X, last.Y-p.Y)
	case 5:
		return image.Pt(p.Y, p.X)
	case 6:
		return image.Pt(p.Y, last.Y-p.X)
	case 7:
		return image.Pt(last.X-p.Y, last.Y-p.X)
	case 8:
		return image.Pt(last.X-p.Y, p.X)
	}
	return p
}
