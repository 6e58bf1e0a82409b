package picture

import "math"

// Cat looks at you.
func Cat(c *Canvas) {
	c.ground(fade(0xffe0c2, 0xf6a96c))
	fur, dark := fade(0x6d6a75, 0x4b4853), flat(0x2d2b33)
	for _, side := range []float64{-1, 1} {
		c.area(fur, point{50 + side*34, 34}, point{50 + side*6, 58}, point{50 + side*35, 78})
		c.area(flat(0xf2a5a5), point{50 + side*30, 42}, point{50 + side*14, 58}, point{50 + side*30, 68})
	}
	c.oval(fur, 50, 150, 36, 40)
	c.oval(fur, 50, 82, 37, 33)
	for _, side := range []float64{-1, 1} {
		c.oval(flat(0xd9f07a), 50+side*15, 78, 8, 9)
		c.oval(dark, 50+side*15, 78, 2.6, 8)
		c.disc(flat(0xffffff), 50+side*15+2.4, 74.6, 1.8)
		c.oval(flat(0xf7efe6), 50+side*6.5, 97, 8.5, 7)
		for i := range 3 {
			c.line(flat(0xffffff).sheer(.85), point{50 + side*15, 96 + 2*float64(i)}, point{50 + side*43, 90 + 7*float64(i)}, .8)
		}
	}
	c.area(flat(0xf08a8a), point{45.5, 89}, point{54.5, 89}, point{50, 94.5})
}

// Dog does too, with its tongue out.
func Dog(c *Canvas) {
	c.ground(fade(0xcfe6f7, 0x7fb2dc))
	fur := fade(0xd9a066, 0xb87b42)
	c.oval(fur, 50, 152, 38, 40)
	c.oval(fur, 50, 80, 33, 36)
	for _, side := range []float64{-1, 1} {
		c.area(flat(0x7c4d27), append(arc(50+side*35, 76, 12, 30, 0, 1), point{50 + side*35, 76})...)
		c.disc(flat(0x2a1c14), 50+side*14, 72, 5.2)
		c.disc(flat(0xffffff), 50+side*14+1.6, 70, 1.7)
	}
	c.oval(flat(0xfff4e3), 50, 97, 20, 17)
	c.box(flat(0xf0747c), 44, 100, 12, 21, 6)
	c.line(flat(0xd2545e), point{50, 102}, point{50, 113}, 1)
	c.bow(flat(0x5a3a22), 43, 99, 7, 1.7, 0, .5)
	c.bow(flat(0x5a3a22), 57, 99, 7, 1.7, 0, .5)
	c.oval(flat(0x2a1c14), 50, 89, 8, 5.6)
	c.oval(flat(0xffffff).sheer(.5), 48, 87, 2.6, 1.3)
}

// City is towers with lit windows.
func City(c *Canvas) {
	c.ground(fade(0x2a2f6b, 0xf28a6a))
	c.disc(flat(0xffd9a0), 70, 62, 13)
	for i, x := range []float64{-4, 12, 26, 44, 58, 76, 90} {
		c.box(flat(0x5a4a86).sheer(.7), x, 70+9*math.Sin(float64(i)*2.3), 15, 100, .5)
	}
	for i, tower := range []struct{ x, top, w float64 }{{2, 84, 20}, {25, 52, 18}, {46, 74, 22}, {71, 44, 17}, {90, 92, 16}} {
		c.box(fade(0x262247, 0x15122c), tower.x, tower.top, tower.w, 120, .8)
		for row := 0; tower.top+4+7*float64(row) < 146; row++ {
			for column := 0; 3+5*float64(column)+3 < tower.w; column++ {
				if (row*7+column*5+i*3)%4 == 0 {
					continue
				}
				c.box(flat(0xffdf8a).sheer(.92), tower.x+3+5*float64(column), tower.top+4+7*float64(row), 2.6, 3.6, .4)
			}
		}
	}
	c.line(flat(0x15122c), point{79.5, 44}, point{79.5, 28}, 1)
}

// Country is hills and a house.
func Country(c *Canvas) {
	c.ground(fade(0x9edcf5, 0xf3fbe8))
	c.cloud(flat(0xffffff), point{28, 34}, 1.1)
	c.cloud(flat(0xffffff), point{74, 22}, .8)
	c.swell(fade(0xa8d88f, 0x6db765), 84, 7, 100, .1)
	c.swell(fade(0x7cc36f, 0x4a9a50), 102, 7, 90, .6)
	c.box(flat(0xfff6e6), 54, 84, 26, 22, .5)
	c.area(flat(0xc4503c), point{50, 86}, point{67, 70}, point{84, 86})
	c.box(flat(0x7a4a30), 64, 94, 7, 12, .4)
	c.box(flat(0x8fc6e8), 57, 90, 5, 5, .4)
	c.line(flat(0x6b4429), point{25, 112}, point{25, 88}, 3.4)
	for _, at := range []point{{25, 74}, {17, 82}, {33, 82}, {25, 86}} {
		c.disc(fade(0x5aa84f, 0x2f7d3f), at.x, at.y, 10)
	}
	c.swell(fade(0x58a94c, 0x2c7a3c), 124, 5, 110, .3)
	for i := range 12 {
		x := 5 + 8.2*float64(i)
		c.disc(flat([]uint32{0xffd23f, 0xff6b6b, 0xffffff}[i%3]), x, 134+5*math.Sin(float64(i)*1.9), 1.5)
	}
}

// Bicycle stands in a park.
func Bicycle(c *Canvas) {
	c.ground(fade(0xfff0cf, 0xffc78a))
	c.swell(fade(0xbfe0a0, 0x7dbb6c), 112, 2, 100, .2)
	frame, tyre := flat(0xd6453d), flat(0x2e3440)
	back, front, crank, seat, head := point{26, 96}, point{76, 96}, point{47, 96}, point{40, 70}, point{67, 68}
	for _, hub := range []point{back, front} {
		for i := range 8 {
			sin, cos := math.Sincos(float64(i) / 8 * math.Pi)
			c.line(flat(0x9aa3ad), point{hub.x - 17*cos, hub.y - 17*sin}, point{hub.x + 17*cos, hub.y + 17*sin}, .5)
		}
		c.ring(tyre, hub.x, hub.y, 18, 2.8)
		c.disc(tyre, hub.x, hub.y, 2)
	}
	for _, tube := range [][2]point{{back, seat}, {back, crank}, {crank, seat}, {seat, head}, {crank, head}, {head, front}, {head, {64, 58}}} {
		c.line(frame, tube[0], tube[1], 2.6)
	}
	c.line(tyre, point{seat.x, seat.y}, point{38, 63}, 2)
	c.line(tyre, point{31, 62}, point{44, 62}, 3.6)
	c.line(tyre, point{64, 58}, point{73, 55}, 2.4)
	c.ring(flat(0x4c566a), crank.x, crank.y, 4.4, 2)
}

// Train comes out of the evening.
func Train(c *Canvas) {
	c.ground(fade(0x35577d, 0xf2c6a0))
	c.swell(fade(0x55657d, 0x3a4a62), 92, 5, 80, .4)
	c.area(flat(0x6d5f58), point{34, 118}, point{66, 118}, point{98, 150}, point{2, 150})
	for i := range 4 {
		y, w := 122+8*float64(i), 40+16*float64(i)
		c.box(flat(0x4c403a), 50-w/2, y, w, 3, .8)
	}
	c.line(flat(0xb8c0c8), point{40, 118}, point{20, 150}, 2)
	c.line(flat(0xb8c0c8), point{60, 118}, point{80, 150}, 2)
	c.box(fade(0xf4f6f8, 0xb9c3cf), 20, 30, 60, 92, 16)
	c.box(fade(0x1d3a5c, 0x0f2338), 27, 42, 46, 32, 8)
	c.area(flat(0xffffff).sheer(.18), point{34, 44}, point{46, 44}, point{36, 72}, point{29, 72})
	c.box(flat(0xd6453d), 20, 82, 60, 9, 0)
	for _, x := range []float64{31, 69} {
		c.glow(0xfff3c0, x, 103, 12)
		c.disc(flat(0xfff8dc), x, 103, 4.6)
	}
	c.box(flat(0x2b3440), 28, 116, 44, 8, 2)
	c.box(flat(0xffc94d), 40, 34, 20, 4, 2)
}

// Dark is a window with light words on dark.
func Dark(c *Canvas) {
	c.ground(fade(0x3b2a6b, 0x120c26))
	c.window(flat(0x1b1b26), flat(0x2a2a3a), []uint32{0x8be9fd, 0xff79c6, 0x50fa7b, 0xbdb7d6, 0xf1fa8c})
}

// Light is the same window the other way round.
func Light(c *Canvas) {
	c.ground(fade(0xfff4d6, 0xffc48a))
	c.window(flat(0xffffff), flat(0xf0ebe2), []uint32{0x1c7ed6, 0xd6336c, 0x2b8a3e, 0x6b6459, 0xe67700})
}

func (c *Canvas) window(page, bar paint, words []uint32) {
	c.box(flat(0x000000).sheer(.18), 13, 35, 80, 92, 5)
	c.box(page, 10, 30, 80, 92, 5)
	c.box(bar, 10, 30, 80, 14, 5)
	c.box(page, 10, 40, 80, 6, 0)
	for i, rgb := range []uint32{0xff5f57, 0xfebc2e, 0x28c840} {
		c.disc(flat(rgb), 17+6*float64(i), 35.4, 2)
	}
	for row := range 9 {
		x := 16 + 6*float64([]int{0, 1, 2, 2, 1, 1, 2, 1, 0}[row])
		for word := range 3 {
			w := 7 + float64((row*5+word*7)%11)
			c.line(flat(words[(row*2+word)%len(words)]), point{x + 1, 53 + 7.6*float64(row)}, point{x + w, 53 + 7.6*float64(row)}, 2.8)
			x += w + 4
		}
	}
}

// Headphones are for music that one has chosen.
func Headphones(c *Canvas) {
	c.ground(fade(0x7ee0d0, 0x2b8fa3))
	for i := range 4 {
		c.ring(flat(0xffffff).sheer(.16), 50, 78, 34+10*float64(i), 1.2)
	}
	c.bow(fade(0x2b2f4a, 0x1a1c30), 50, 78, 30, 7, .5, 1)
	for _, side := range []float64{-1, 1} {
		c.box(flat(0x1a1c30), 50+side*30-8, 74, 16, 34, 8)
		c.box(fade(0xff7a59, 0xd9452f), 50+side*24-6, 77, 12, 28, 6)
	}
}

// Concert is a stage with lights.
func Concert(c *Canvas) {
	c.ground(fade(0x1a0f3a, 0x5a1f6b))
	for i, rgb := range []uint32{0xff5fa2, 0x5fd0ff, 0xffd75f} {
		x := 18 + 32*float64(i)
		c.area(flat(rgb).sheer(.3), point{x - 2, 10}, point{x + 2, 10}, point{x + 34 - 20*float64(i), 118}, point{x - 6 - 22*float64(i), 118})
		c.disc(flat(rgb), x, 10, 3.4)
	}
	c.box(flat(0x0e0820), 0, 104, 100, 10, 0)
	c.disc(flat(0x0e0820), 50, 66, 7)
	c.area(flat(0x0e0820), point{42, 76}, point{58, 76}, point{60, 106}, point{40, 106})
	c.line(flat(0x0e0820), point{55, 80}, point{70, 58}, 4)
	c.line(flat(0x0e0820), point{45, 80}, point{34, 92}, 4)
	for row := range 2 {
		for i := range 9 {
			x, y := 4+12*float64(i)+6*float64(row), 128+12*float64(row)+3*math.Sin(float64(i*3))
			c.disc(flat(0x080414), x, y, 6)
			c.box(flat(0x080414), x-7, y+5, 14, 30, 5)
			if (i+row)%3 == 0 {
				c.line(flat(0x080414), point{x + 5, y + 8}, point{x + 9, y - 12}, 3)
			}
		}
	}
}
