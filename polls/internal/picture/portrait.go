package picture

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
)

// portraitCells is the number of cells on each side of a portrait's quarter.
const portraitCells = 3

// Portrait draws an abstract picture for somebody who has none, as PNG of size
// by size pixels. The same seed gives the same picture in every size: cells
// filled by whole squares, quarter discs and triangles, mirrored to the right
// and downwards, in one colour on a pale ground of another.
func Portrait(seed string, size int) []byte {
	p := portrait(sha256.Sum256([]byte(seed)))
	img := image.NewPaletted(image.Rect(0, 0, size, size), p.palette())
	half := (size + 1) / 2
	for y := range half {
		for x := range half {
			shade := p.shade(x, y, float64(portraitCells)*2/float64(size))
			for _, at := range [][2]int{{x, y}, {size - 1 - x, y}, {x, size - 1 - y}, {size - 1 - x, size - 1 - y}} {
				img.SetColorIndex(at[0], at[1], shade)
			}
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic(fmt.Sprintf("picture: portrait of size %d: %v", size, err)) // only for a size of no pixels
	}
	return out.Bytes()
}

// portrait is the hash of a seed: byte 0 and 1 give the colours, one byte for
// each cell from byte 2 on its shape.
type portrait [sha256.Size]byte

// grain is the number of samples on each side of a pixel; edges are as smooth
// as there are steps of colour from ground to figure.
const grain = 4

func (p portrait) palette() color.Palette {
	hue := float64(p[0]) / 256
	figure := ofHue(hue, 0.55, 0.45)
	ground := ofHue(hue+0.25+float64(p[1])/512, 0.45, 0.90)
	steps := make(color.Palette, grain*grain+1)
	for i := range steps {
		mix := func(a, b uint8) uint8 { return uint8((int(a)*(grain*grain-i) + int(b)*i) / (grain * grain)) }
		steps[i] = color.RGBA{mix(ground.R, figure.R), mix(ground.G, figure.G), mix(ground.B, figure.B), 0xff}
	}
	return steps
}

// shade counts the samples of a pixel that the figure covers. A pixel is so
// many cells wide.
func (p portrait) shade(x, y int, cells float64) uint8 {
	var n uint8
	for i := range grain * grain {
		sx := (float64(x) + (float64(i%grain)+0.5)/grain) * cells
		sy := (float64(y) + (float64(i/grain)+0.5)/grain) * cells
		if p.covers(min(sx, portraitCells-1e-9), min(sy, portraitCells-1e-9)) {
			n++
		}
	}
	return n
}

func (p portrait) covers(x, y float64) bool {
	cell := p[2+int(y)*portraitCells+int(x)]
	x, y = x-math.Floor(x), y-math.Floor(y)
	if cell&1 != 0 { // the shape's corner may be any of the four
		x = 1 - x
	}
	if cell&2 != 0 {
		y = 1 - y
	}
	switch cell >> 2 % 8 {
	case 0, 1:
		return false
	case 2:
		return true
	case 3, 4:
		return x+y < 1
	case 5:
		return x*x+y*y > 1
	}
	return x*x+y*y < 1
}

// ofHue makes a colour of hue (in turns), saturation and lightness.
func ofHue(hue, saturation, lightness float64) color.RGBA {
	channel := func(offset float64) uint8 {
		k := math.Mod(offset+hue*12, 12)
		a := saturation * min(lightness, 1-lightness)
		return uint8(math.Round(255 * (lightness - a*max(-1, min(k-3, 9-k, 1)))))
	}
	return color.RGBA{channel(0), channel(8), channel(4), 0xff}
}
