package picture

import "math"

// Sunrise is a pale morning by the sea.
func Sunrise(c *Canvas) {
	c.ground(fade(0x5b8fd0, 0xffd9b0))
	c.glow(0xfff3c4, 50, 92, 56)
	c.disc(fade(0xfff0b8, 0xffc46b), 50, 92, 19)
	for i, cloud := range []point{{18, 36}, {74, 24}, {64, 58}} {
		c.cloud(flat(0xffffff).sheer(.75), cloud, 1-.2*float64(i))
	}
	c.sea(0x6fb6d6, 0x1f5c8e, 0xfff0b8)
}

// Sunset is the same place in the evening.
func Sunset(c *Canvas) {
	c.ground(fade(0x2b1a55, 0xff7a3d))
	for _, star := range []point{{14, 14}, {30, 30}, {52, 10}, {80, 20}, {90, 44}, {66, 34}} {
		c.disc(flat(0xfff4d6).sheer(.9), star.x, star.y, .8)
	}
	c.glow(0xffb26b, 50, 96, 58)
	c.disc(fade(0xffe08a, 0xff5b3a), 50, 96, 21)
	for y := 84.0; y < 118; y += 7 {
		c.box(flat(0x7d2a57).sheer(.35), 20, y, 60, 1.6, .8)
	}
	c.sea(0x7d2f63, 0x24123f, 0xff9a56)
}

// cloud is three discs on a base.
func (c *Canvas) cloud(p paint, at point, size float64) {
	c.box(p, at.x-13*size, at.y, 26*size, 6*size, 3*size)
	c.disc(p, at.x-4*size, at.y, 6*size)
	c.disc(p, at.x+5*size, at.y+1*size, 4.5*size)
}

// sea has a path of light.
func (c *Canvas) sea(near, far, light uint32) {
	c.swell(flat(near), 108, 0, 50, 0)
	c.swell(fade(far, far).sheer(.55), 122, 2, 46, .1)
	c.swell(fade(far, far).sheer(.8), 136, 2.4, 60, .5)
	for i := range 7 {
		y, w := 110.5+float64(i)*5.4, 26-2.6*float64(i)
		c.box(flat(light).sheer(.6), 50-w/2+3*math.Sin(float64(i)*2), y, w, 1.5, .75)
	}
}

// Mountains have snow on them.
func Mountains(c *Canvas) {
	c.ground(fade(0x9fd0ef, 0xf5fbff))
	c.disc(flat(0xffe9a8), 76, 28, 9)
	c.area(fade(0xa9bdd6, 0x6f86a8), point{-10, 118}, point{24, 56}, point{58, 118})
	c.area(fade(0x8ca4c4, 0x52698c), point{20, 124}, point{66, 36}, point{112, 124})
	c.area(flat(0xffffff), point{66, 36}, point{53.5, 60}, point{60, 57}, point{65, 64}, point{71, 56}, point{78.5, 60})
	c.area(flat(0xffffff), point{24, 56}, point{16.5, 69.7}, point{22, 67}, point{27, 72}, point{31.5, 69.7})
	c.swell(fade(0x3b7a57, 0x1f5a40), 112, 5, 90, .2)
	c.swell(fade(0x2c6a4a, 0x123f2d), 126, 4, 70, .7)
	for i, x := range []float64{10, 24, 41, 63, 82, 93} {
		c.fir(flat(0x0e3426), x, 138+3*float64(i%3), 1+.25*float64(i%2))
	}
}

// fir is a tree that stands at a place.
func (c *Canvas) fir(p paint, x, y, size float64) {
	for i := range 3 {
		w, top := (9-2*float64(i))*size/1.4, y-(6+5*float64(i))*size
		c.area(p, point{x - w, top + 6*size}, point{x, top - 5*size}, point{x + w, top + 6*size})
	}
}

// Sea has a boat on it.
func Sea(c *Canvas) {
	c.ground(fade(0x7fd3ea, 0xfdf6df))
	c.glow(0xfff5c2, 26, 30, 30)
	c.disc(flat(0xfff0a6), 26, 30, 10)
	c.swell(fade(0x46b7cf, 0x1b7fa6), 86, 1.5, 50, 0)
	c.area(flat(0xffffff), point{58, 46}, point{58, 84}, point{34, 84})
	c.area(flat(0xff7a59), point{61, 52}, point{61, 84}, point{78, 84})
	c.line(flat(0x6b4429), point{59.5, 42}, point{59.5, 92}, 1.6)
	c.area(flat(0x8a5a36), point{30, 88}, point{84, 88}, point{76, 99}, point{38, 99})
	c.swell(fade(0x2ba3c4, 0x11698f), 97, 2.2, 40, .3)
	c.swell(fade(0x1f8fb5, 0x0b4f74), 112, 2.6, 52, .8)
	c.swell(fade(0x157aa1, 0x073a5a), 130, 3, 64, .2)
}

// Summer is a beach from above.
func Summer(c *Canvas) {
	c.ground(fade(0xffe3a6, 0xf7c873))
	c.area(fade(0x2fb6cc, 0x59d0d8), append([]point{{100, 0}, {0, 0}}, wave(46, 4, 44)...)...)
	c.area(flat(0xffffff).sheer(.7), append(wave(46, 4, 44), backwards(wave(50, 4, 44))...)...)
	c.parasol(46, 96, 27)
	c.box(flat(0xffffff), 74, 104, 17, 34, 3)
	c.box(flat(0xe6553f), 74, 112, 17, 5, 0)
	c.box(flat(0xe6553f), 74, 125, 17, 5, 0)
	c.disc(flat(0xffffff), 22, 134, 7)
	c.bow(flat(0x2f7fd0), 22, 134, 3.5, 7, 0, .25)
	c.bow(flat(0xe6553f), 22, 134, 3.5, 7, .5, .75)
}

func wave(y, height, length float64) (line []point) {
	for x := 0.0; x <= 100; x++ {
		line = append(line, point{x, y + height*math.Sin(x/length*2*math.Pi)})
	}
	return line
}

func backwards(line []point) []point {
	turned := make([]point, len(line))
	for i, at := range line {
		turned[len(line)-1-i] = at
	}
	return turned
}

func (c *Canvas) parasol(x, y, r float64) {
	c.disc(flat(0x8a5a2b).sheer(.25), x+5, y+6, r)
	for i := range 10 {
		p := flat(0xe6553f)
		if i%2 == 1 {
			p = flat(0xfff8ea)
		}
		c.area(p, append(arc(x, y, r, r, float64(i)/10, float64(i+1)/10), point{x, y})...)
	}
	c.disc(flat(0xfff8ea), x, y, 2.4)
}

// Winter is a night in which it snows.
func Winter(c *Canvas) {
	c.ground(fade(0x16264f, 0x7fa5d8))
	c.glow(0xe8f1ff, 74, 30, 26)
	c.disc(flat(0xf4f8ff), 74, 30, 9)
	c.swell(flat(0xcfe0f5), 106, 5, 90, .1)
	for i, x := range []float64{14, 34, 80, 94} {
		c.fir(flat(0x1f4a54), x, 118+4*float64(i%2), 1.8)
		c.fir(flat(0xffffff).sheer(.5), x-.8, 113+4*float64(i%2), 1.1)
	}
	c.swell(flat(0xf2f8ff), 122, 4, 80, .6)
	c.disc(flat(0xffffff), 58, 122, 11)
	c.disc(flat(0xffffff), 58, 105, 8)
	c.disc(flat(0x22304d), 55.5, 103, 1)
	c.disc(flat(0x22304d), 60.5, 103, 1)
	c.area(flat(0xff8a3d), point{58, 105}, point{66, 107}, point{58, 107.4})
	c.line(flat(0xd6453d), point{51.5, 112}, point{64.5, 112}, 3)
	for i := range 46 {
		x, y := math.Mod(float64(i)*37.7, 100), math.Mod(float64(i)*61.3, 150)
		c.disc(flat(0xffffff).sheer(.85), x, y, .6+float64(i%3)*.4)
	}
}

// Morning is a sun with rays.
func Morning(c *Canvas) {
	c.ground(fade(0x8fd3ff, 0xfff1c9))
	c.glow(0xfff6cf, 50, 72, 48)
	for i := range 12 {
		sin, cos := math.Sincos(float64(i) / 12 * 2 * math.Pi)
		c.line(flat(0xffb938), point{50 + 30*cos, 72 + 30*sin}, point{50 + 40*cos, 72 + 40*sin}, 4)
	}
	c.disc(fade(0xffe27a, 0xffab2e), 50, 72, 23)
	c.swell(fade(0x8fce7e, 0x3f9a5c), 126, 4, 90, .3)
	c.bird(22, 34, 1)
	c.bird(76, 26, .8)
	c.bird(64, 42, .6)
}

func (c *Canvas) bird(x, y, size float64) {
	c.bow(flat(0x33506b), x-5*size, y, 5*size, 1.5*size, .55, 1)
	c.bow(flat(0x33506b), x+5*size, y, 5*size, 1.5*size, .5, .95)
}

// Night is a moon over hills.
func Night(c *Canvas) {
	c.ground(fade(0x0b1236, 0x3c3a7c))
	for i := range 34 {
		x, y := math.Mod(float64(i)*41.9+7, 100), math.Mod(float64(i)*29.3, 112)
		c.disc(flat(0xfff7dd).sheer(.5+.1*float64(i%5)), x, y, .45+.3*float64(i%3))
	}
	c.glow(0xdfe4ff, 50, 64, 44)
	c.disc(flat(0xfdf3cf), 50, 64, 22)
	for _, crater := range []struct{ x, y, r float64 }{{43, 58, 4.5}, {57, 70, 6}, {60, 54, 2.6}, {46, 74, 3}} {
		c.disc(flat(0xe3d4a3), crater.x, crater.y, crater.r)
	}
	c.swell(fade(0x24235a, 0x141338), 122, 5, 80, .1)
	c.swell(flat(0x0c0c26), 134, 4, 60, .6)
}
