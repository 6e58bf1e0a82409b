package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
)

// Mark is a small white sign on nothing, as PNG: two halves of a disc, as a poll has
// two choices.
func Mark() ([]byte, error) {
	c := newCanvas()
	white := flat(0xffffff)
	c.area(white, arc(46, 50, 40, 40, .25, .75)...)
	c.bow(white, 54, 50, 36, 8, -.25, .25)
	c.box(white, 54, 10, 5, 80, 0)
	var out bytes.Buffer
	if err := png.Encode(&out, c.image.SubImage(image.Rect(0, 0, halfWidth, halfWidth))); err != nil {
		return nil, fmt.Errorf("draw the mark: %w", err)
	}
	return out.Bytes(), nil
}
