package picture

import "math"

// Tea steams in a light cup.
func Tea(c *Canvas) {
	c.ground(fade(0xdff0d8, 0x9cc99a))
	c.steam(flat(0xffffff).sheer(.7))
	c.cup(fade(0xffffff, 0xd8e6e3), flat(0xb9772e))
	c.area(flat(0x3f8f4f), append(arc(39, 96, 9, 9, .5, .75), arc(30, 87, 9, 9, 0, .25)...)...)
}

// Coffee steams in a dark one.
func Coffee(c *Canvas) {
	c.ground(fade(0xf6e0c8, 0xc98f5e))
	c.steam(flat(0xffffff).sheer(.6))
	c.cup(fade(0xc8463a, 0x7c2420), flat(0x3a2014))
	for _, at := range []point{{14, 134}, {27, 140}, {80, 136}} {
		c.oval(flat(0x4a2a18), at.x, at.y, 5, 3.4)
		c.line(flat(0x2a160c), point{at.x - 3.4, at.y + .6}, point{at.x + 3.4, at.y - .6}, .9)
	}
}

func (c *Canvas) cup(body, drink paint) {
	c.oval(flat(0x000000).sheer(.14), 47, 122, 38, 6)
	c.oval(flat(0xffffff).sheer(.9), 47, 119, 36, 6)
	c.ring(body, 77, 88, 10, 5)
	c.area(body, append(arc(47, 72, 31, 44, 0, .5), point{16, 72})...)
	c.oval(body, 47, 72, 31, 8)
	c.oval(drink, 47, 72.6, 28, 6.2)
}

func (c *Canvas) steam(p paint) {
	for i := range 3 {
		x := 33 + 14*float64(i)
		var left, right []point
		for y := 20.0; y <= 60; y++ {
			sway, thick := 4*math.Sin((y+9*float64(i))/9), 2.2*math.Sin((y-20)/40*math.Pi)
			left, right = append(left, point{x + sway - thick, y}), append(right, point{x + sway + thick, y})
		}
		c.area(p, append(left, backwards(right)...)...)
	}
}

// Pizza is a slice.
func Pizza(c *Canvas) {
	c.ground(fade(0xffd9a0, 0xf08a4b))
	c.area(flat(0x000000).sheer(.12), point{14, 46}, point{92, 46}, point{54, 138})
	c.area(fade(0xffdf7e, 0xf7b733), point{12, 40}, point{88, 40}, point{50, 132})
	c.box(fade(0xd98e3f, 0x9c5520), 7, 28, 86, 16, 8)
	for _, at := range []struct{ x, y, r float64 }{{34, 60, 8.5}, {63, 62, 8}, {49, 84, 7.5}, {52, 106, 5}} {
		c.disc(flat(0xb3291f), at.x, at.y, at.r)
		c.disc(flat(0xd2452f), at.x-.8, at.y-.8, at.r-1.6)
	}
	for _, at := range []point{{47, 56}, {38, 76}, {60, 80}, {56, 94}, {44, 98}} {
		c.oval(flat(0x3f8f4f), at.x, at.y, 3, 1.7)
	}
}

// Sushi is three pieces on a board.
func Sushi(c *Canvas) {
	c.ground(fade(0xd9ece8, 0x86b8b0))
	c.box(flat(0x000000).sheer(.12), 8, 112, 88, 12, 4)
	c.box(fade(0xb98350, 0x7d5230), 5, 108, 90, 12, 4)
	c.roll(27, 90, flat(0xff8058))
	c.roll(71, 90, flat(0x6cbf6a))
	c.box(flat(0xfffdf6), 24, 44, 52, 20, 10)
	c.area(fade(0xffa06e, 0xf06a3c), append(arc(50, 47, 32, 17, .5, 1), point{82, 49}, point{18, 49})...)
	for i := range 4 {
		x := 31 + 12*float64(i)
		c.line(flat(0xffd9c2), point{x, 45.5}, point{x + 5, 35}, 1.5)
	}
	c.box(flat(0x1e3a34), 44, 29, 11, 35.5, 1)
	c.line(flat(0x6b3f22), point{10, 140}, point{92, 130}, 2.2)
	c.line(flat(0x7c4a29), point{10, 145}, point{92, 138}, 2.2)
}

func (c *Canvas) roll(x, y float64, filling paint) {
	c.box(flat(0x16302b), x-18, y-14, 36, 32, 7)
	c.oval(flat(0x24463f), x, y-12, 18, 9)
	c.oval(flat(0xfffdf6), x, y-12, 15.4, 7.2)
	c.oval(filling, x, y-12, 7, 3.6)
}

// Book lies open under a lamp.
func Book(c *Canvas) {
	c.ground(fade(0x3d5a80, 0x1d2f4d))
	c.glow(0xffe8b5, 50, 62, 52)
	c.area(flat(0x7c3b2e), point{8, 62}, point{92, 62}, point{96, 116}, point{4, 116})
	for _, side := range []float64{-1, 1} {
		page := []point{{50, 60}, {50, 110}}
		for i := range 21 {
			t := float64(i) / 20
			page = append(page, point{50 + side*t*42, 110 - 5*math.Sin(t*math.Pi)})
		}
		for i := range 21 {
			t := 1 - float64(i)/20
			page = append(page, point{50 + side*t*39, 60 - 5*math.Sin(t*math.Pi)})
		}
		c.area(fade(0xfffaf0, 0xeadfc9), page...)
		for i := range 6 {
			y := 66 + 6.5*float64(i)
			end := 33 - 8*float64(i%3/2)
			c.line(flat(0x9a8f80), point{50 + side*6, y}, point{50 + side*end, y - 2}, 1.3)
		}
	}
	c.line(flat(0xc9b79a), point{50, 60}, point{50, 110}, .9)
	c.area(flat(0xd6453d), point{60, 57}, point{66, 56}, point{66, 84}, point{63, 79}, point{60, 84})
}

// Film is what a camera sees.
func Film(c *Canvas) {
	c.ground(fade(0x4a1f3d, 0x170a1c))
	c.area(flat(0xffe9b0).sheer(.16), point{50, 8}, point{-14, 150}, point{114, 150})
	c.box(flat(0x0d0d12), 10, 28, 80, 94, 4)
	for i := range 8 {
		y := 32 + 11.4*float64(i)
		c.box(flat(0xf4ead6), 13.5, y, 6, 6.5, 1.4)
		c.box(flat(0xf4ead6), 80.5, y, 6, 6.5, 1.4)
	}
	for i, sky := range []paint{fade(0xff9e5e, 0xffd98a), fade(0x38b6c9, 0x2a6f97)} {
		y := 32 + 45*float64(i)
		c.box(sky, 24, y, 52, 41, 2)
		c.disc(flat(0xfff4cf), 60-18*float64(i), y+14, 7)
		c.area(flat(0x2a1c38), point{24, y + 41}, point{40, y + 20}, point{52, y + 32}, point{62, y + 24}, point{76, y + 41})
	}
}
