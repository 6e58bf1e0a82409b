package video

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"stoa/video/internal/encode"
)

// sandboxDuration is how much of a source a video of the sandbox is made of.
const sandboxDuration = 30 * time.Second

// sandboxMark is the image that every video of the sandbox bears, as PNG, and where
// it stands: white letters with a dark shadow, at the top right.
func sandboxMark() ([]byte, encode.Watermark) {
	const (
		text  = "SANDBOX"
		scale = 6 // points of the image for one of the letters
	)
	face := basicfont.Face7x13
	small := image.NewNRGBA(image.Rect(0, 0, len(text)*face.Advance+2, face.Height+2))
	for _, layer := range []struct {
		at    int
		color color.Color
	}{{2, color.NRGBA{A: 160}}, {1, color.White}} {
		d := font.Drawer{Dst: small, Src: image.NewUniform(layer.color), Face: face, Dot: fixed.P(layer.at, face.Ascent+layer.at)}
		d.DrawString(text)
	}
	size := small.Bounds().Size().Mul(scale)
	large := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			large.Set(x, y, small.At(x/scale, y/scale))
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, large); err != nil {
		panic(err) // memory takes everything
	}
	return out.Bytes(), encode.Watermark{
		Top: "4%", Right: "4%", Width: "30%", Opacity: "70%", ImageWidth: size.X, ImageHeight: size.Y, Format: "png",
	}
}
