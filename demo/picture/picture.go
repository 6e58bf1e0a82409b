// Package picture draws what the sample polls show: two halves, one for each choice,
// of gradients and plain shapes. There are no files and no letters.
package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
)

// Half draws one choice.
type Half func(*Canvas)

// The size of a half in points of the picture; two of them are 4:3.
const (
	halfWidth  = 480
	halfHeight = 720
	seam       = 6 // points between the halves
)

// JPEG is the picture of a poll.
func JPEG(first, second Half) ([]byte, error) {
	whole := image.NewRGBA(image.Rect(0, 0, 2*halfWidth, halfHeight))
	for i, half := range []Half{first, second} {
		c := newCanvas()
		half(c)
		draw.Draw(whole, image.Rect(i*halfWidth, 0, (i+1)*halfWidth, halfHeight), c.image, image.Point{}, draw.Src)
	}
	draw.Draw(whole, image.Rect(halfWidth-seam/2, 0, halfWidth+seam/2, halfHeight), image.NewUniform(color.White), image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, whole, &jpeg.Options{Quality: 88}); err != nil {
		return nil, fmt.Errorf("draw a picture: %w", err)
	}
	return out.Bytes(), nil
}
