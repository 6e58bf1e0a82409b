package encode

import "math"

// Rendition is one size of the video.
type Rendition struct {
	Name    string `json:"name"` // of its track: "720p"
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	MaxRate int    `json:"max_rate"` // bit/s, over about two seconds
	Level   int    `json:"level"`    // of H.264, times ten
}

// rungs are the sizes of the shorter side, with the bit rate that is enough for
// hard pictures at up to 30 frames a second. Easy ones take less.
var rungs = []struct {
	name    string
	side    int
	maxRate int
}{
	{"2160p", 2160, 16_000_000},
	{"1080p", 1080, 5_500_000},
	{"720p", 720, 3_000_000},
	{"480p", 480, 1_500_000},
	{"360p", 360, 900_000},
	{"240p", 240, 450_000},
}

// What the encoder takes, and of small pictures common decoders.
const (
	minSide = 16
	maxSide = 16384
)

// Ladder lists the renditions of a picture of a display size, the largest first.
// None is larger than the picture, but for one smaller than 240 lines: it gets a
// single rendition of about its own size. A picture with a side that is too long
// counts as a smaller one of its shape.
func Ladder(width, height int, rate Rate) []Rendition {
	var ladder []Rendition
	if long := max(width, height); long > maxSide {
		width, height = width*maxSide/long, height*maxSide/long
	}
	side := min(width, height)
	for _, rung := range rungs {
		if rung.side <= side {
			scale := float64(rung.side) / float64(side)
			w, h := even(float64(width)*scale), even(float64(height)*scale)
			ladder = append(ladder, rendition(rung.name, w, h, rung.maxRate, rate))
		}
	}
	if len(ladder) == 0 {
		last := rungs[len(rungs)-1]
		ladder = append(ladder, rendition(last.name, even(float64(width)), even(float64(height)), last.maxRate, rate))
	}
	return ladder
}

func rendition(name string, width, height, maxRate int, rate Rate) Rendition {
	if rate.FPS() > 31 {
		maxRate += maxRate / 2
	}
	return Rendition{Name: name, Width: width, Height: height, MaxRate: maxRate, Level: level(width, height, rate)}
}

// even rounds a side to what 4:2:0 pictures can have.
func even(side float64) int { return max(minSide, 2*int(math.Round(side/2))) }

// level is the lowest level of H.264 that allows the size and the rate. The
// bit rates of our ladder are far below those of any level.
func level(width, height int, rate Rate) int {
	blocks := float64((width+15)/16) * float64((height+15)/16)
	for _, l := range []struct {
		level             int
		blocks, perSecond float64
	}{
		{21, 792, 19800}, {30, 1620, 40500}, {31, 3600, 108000}, {32, 5120, 216000},
		{40, 8192, 245760}, {42, 8704, 522240}, {50, 22080, 589824}, {51, 36864, 983040}, {52, 36864, 2073600},
	} {
		if blocks <= l.blocks && blocks*rate.FPS() <= l.perSecond {
			return l.level
		}
	}
	return 62
}
