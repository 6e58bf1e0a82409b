package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// Canvas is a half that is being drawn. It is 100 wide and 150 high, whatever its
// points; x goes to the right and y down.
type Canvas struct{ image *image.RGBA }

const unit = halfWidth / 100.0 // points

func newCanvas() *Canvas { return &Canvas{image.NewRGBA(image.Rect(0, 0, halfWidth, halfHeight))} }

type point struct{ x, y float64 }

// paint is a colour, or two from the top of the canvas to its end.
type paint struct{ from, to color.RGBA }

// flat is one colour, as 0xRRGGBB.
func flat(rgb uint32) paint { return fade(rgb, rgb) }

// fade goes from one colour at the top of the canvas to another at its end.
func fade(from, to uint32) paint { return paint{opaque(from), opaque(to)} }

func opaque(rgb uint32) color.RGBA {
	return color.RGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 255}
}

// sheer lets through what is below; 1 is opaque.
func (p paint) sheer(opacity float64) paint {
	dim := func(c color.RGBA) color.RGBA {
		part := func(v uint8) uint8 { return uint8(math.Round(float64(v) * opacity)) }
		return color.RGBA{part(c.R), part(c.G), part(c.B), part(c.A)}
	}
	return paint{dim(p.from), dim(p.to)}
}

// source is the paint as an image; one colour is much quicker to draw.
func (p paint) source() image.Image {
	if p.from == p.to {
		return image.NewUniform(p.from)
	}
	return p
}

// ColorModel, Bounds and At make it an image, of which shapes are cut.
func (p paint) ColorModel() color.Model { return color.RGBAModel }

// Bounds is all of the canvas.
func (p paint) Bounds() image.Rectangle { return image.Rect(0, 0, halfWidth, halfHeight) }

// At mixes the two colours by the height.
func (p paint) At(_, y int) color.Color {
	at := float64(y) / halfHeight
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*at)) }
	return color.RGBA{mix(p.from.R, p.to.R), mix(p.from.G, p.to.G), mix(p.from.B, p.to.B), mix(p.from.A, p.to.A)}
}

// ground covers everything.
func (c *Canvas) ground(p paint) {
	draw.Draw(c.image, c.image.Bounds(), p.source(), image.Point{}, draw.Src)
}

// area fills what is within a line that closes itself.
func (c *Canvas) area(p paint, corners ...point) {
	within := bounds(corners).Intersect(c.image.Bounds())
	if within.Empty() {
		return
	}
	r := vector.NewRasterizer(within.Dx(), within.Dy())
	for i, at := range corners {
		x, y := float32(at.x*unit-float64(within.Min.X)), float32(at.y*unit-float64(within.Min.Y))
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
	r.Draw(c.image, within, p.source(), within.Min)
}

// bounds is the points of the picture that a line is among. Only these are looked at:
// most shapes are small.
func bounds(line []point) image.Rectangle {
	low, high := line[0], line[0]
	for _, at := range line {
		low = point{min(low.x, at.x), min(low.y, at.y)}
		high = point{max(high.x, at.x), max(high.y, at.y)}
	}
	return image.Rect(int(math.Floor(low.x*unit)), int(math.Floor(low.y*unit)), int(math.Ceil(high.x*unit)), int(math.Ceil(high.y*unit)))
}

// arc is points of an ellipse, between two angles in full turns, clockwise from the
// right.
func arc(x, y, rx, ry, from, to float64) []point {
	const steps = 72
	line := make([]point, steps+1)
	for i := range line {
		sin, cos := math.Sincos((from + (to-from)*float64(i)/steps) * 2 * math.Pi)
		line[i] = point{x + rx*cos, y + ry*sin}
	}
	return line
}

func (c *Canvas) disc(p paint, x, y, r float64) { c.oval(p, x, y, r, r) }

func (c *Canvas) oval(p paint, x, y, rx, ry float64) { c.area(p, arc(x, y, rx, ry, 0, 1)...) }

// bow is a piece of a ring.
func (c *Canvas) bow(p paint, x, y, r, thick, from, to float64) {
	inner := arc(x, y, r-thick/2, r-thick/2, to, from)
	c.area(p, append(arc(x, y, r+thick/2, r+thick/2, from, to), inner...)...)
}

func (c *Canvas) ring(p paint, x, y, r, thick float64) { c.bow(p, x, y, r, thick, 0, 1) }

// line is straight, with round ends.
func (c *Canvas) line(p paint, from, to point, thick float64) {
	turn := math.Atan2(to.y-from.y, to.x-from.x) / (2 * math.Pi)
	end := arc(to.x, to.y, thick/2, thick/2, turn-.25, turn+.25)
	c.area(p, append(end, arc(from.x, from.y, thick/2, thick/2, turn+.25, turn+.75)...)...)
}

// box has round corners.
func (c *Canvas) box(p paint, x, y, w, h, r float64) {
	var line []point
	for i, at := range []point{{x + w - r, y + h - r}, {x + r, y + h - r}, {x + r, y + r}, {x + w - r, y + r}} {
		line = append(line, arc(at.x, at.y, r, r, float64(i)/4, float64(i+1)/4)...)
	}
	c.area(p, line...)
}

// swell is everything below a wave.
func (c *Canvas) swell(p paint, y, height, length, shift float64) {
	line := []point{{100, 150}, {0, 150}}
	for x := 0.0; x <= 100; x++ {
		line = append(line, point{x, y + height*math.Sin((x/length+shift)*2*math.Pi)})
	}
	c.area(p, line...)
}

// glow is light around something.
func (c *Canvas) glow(rgb uint32, x, y, r float64) {
	const rings = 24
	for i := range rings {
		c.disc(flat(rgb).sheer(.03), x, y, r*(1-float64(i)/rings))
	}
}
