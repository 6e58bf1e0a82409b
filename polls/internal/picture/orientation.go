package picture

import (
	"bytes"
	"image"
	"io"

	"github.com/bep/imagemeta"
	"golang.org/x/image/riff"
)

// orientation is how a camera was held, as EXIF counts it: 1 is upright, 6 is
// to be turned a quarter to the right. 2, 4, 5 and 7 are mirrored.
type orientation int

const upright orientation = 1

func ofJPEG(data []byte) orientation { return read(data, imagemeta.JPEG) }
func ofPNG(data []byte) orientation  { return read(data, imagemeta.PNG) }
func ofNothing(_ []byte) orientation { return upright }

// ofWebP finds the EXIF chunk itself, as imagemeta takes the byte that pads an
// odd chunk for the beginning of the next. What is in it has the form of a TIFF file.
func ofWebP(data []byte) orientation {
	_, chunks, err := riff.NewReader(bytes.NewReader(data))
	for err == nil {
		var id riff.FourCC
		var chunk io.Reader
		if id, _, chunk, err = chunks.Next(); err == nil && id == (riff.FourCC{'E', 'X', 'I', 'F'}) {
			exif, _ := io.ReadAll(chunk)
			return read(bytes.TrimPrefix(exif, []byte("Exif\x00\x00")), imagemeta.TIFF)
		}
	}
	return upright
}

// read takes a picture as upright if its EXIF does not say otherwise, or cannot
// be read: a damaged note is no reason to refuse the picture.
func read(data []byte, f imagemeta.ImageFormat) orientation {
	found := upright
	_, _ = imagemeta.Decode(imagemeta.Options{
		R:           bytes.NewReader(data),
		ImageFormat: f,
		Sources:     imagemeta.EXIF,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool {
			return tag.Tag == "Orientation" && tag.Namespace == "IFD0"
		},
		HandleTag: func(tag imagemeta.TagInfo) error {
			if v, ok := tag.Value.(uint16); ok && v >= 1 && v <= 8 {
				found = orientation(v)
			}
			return imagemeta.ErrStopWalking
		},
	})
	return found
}

func (o orientation) lying() bool { return o >= 5 }

// sides are those of a picture of w by h when it is upright.
func (o orientation) sides(w, h int) (int, int) {
	if o.lying() {
		return h, w
	}
	return w, h
}

func (o orientation) apply(src *image.RGBA) *image.RGBA {
	if o == upright {
		return src
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	dw, dh := o.sides(w, h)
	dst := image.NewRGBA(image.Rect(0, 0, dw, dh))
	fromRight := o == 2 || o == 3 || o == 7 || o == 8
	fromBelow := o == 3 || o == 4 || o == 6 || o == 7
	for y := range dh {
		for x := range dw {
			sx, sy := o.sides(x, y)
			if fromRight {
				sx = w - 1 - sx
			}
			if fromBelow {
				sy = h - 1 - sy
			}
			copy(dst.Pix[dst.PixOffset(x, y):][:4], src.Pix[src.PixOffset(sx, sy):][:4])
		}
	}
	return dst
}
