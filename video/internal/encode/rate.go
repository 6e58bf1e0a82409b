package encode

import (
	"math"

	"stoa/video/internal/ffmpeg"
)

// Rate is frames per second, as an exact fraction.
type Rate struct {
	Num int64 `json:"num"`
	Den int64 `json:"den"`
}

const (
	minFPS = 5  // below it, moving to a place in the video is coarse
	maxFPS = 60 // of the contract with our clients
)

// outputRate is the rate that a source is encoded with. A fast one is halved
// where that is enough, so that every second frame is kept in its place; a slow
// one is multiplied.
func outputRate(source ffmpeg.Rate) Rate {
	r := Rate{source.Num, source.Den}
	switch {
	case r.Num <= 0 || r.Den <= 0:
		return Rate{25, 1}
	case r.FPS() > 2*maxFPS:
		return Rate{maxFPS, 1}
	case r.FPS() > maxFPS && r.Num%2 == 0:
		return Rate{r.Num / 2, r.Den}
	case r.FPS() > maxFPS:
		return Rate{r.Num, 2 * r.Den}
	case r.FPS() < minFPS:
		return Rate{r.Num * int64(math.Ceil(minFPS/r.FPS())), r.Den}
	}
	return r
}

// FPS is the rate as a number.
func (r Rate) FPS() float64 { return float64(r.Num) / float64(r.Den) }

// seconds is when a frame is shown.
func (r Rate) seconds(frame int) float64 { return float64(frame) * float64(r.Den) / float64(r.Num) }

// clock is how many units of the track's clock a second and a frame have: whole
// numbers, and fine enough for players that round to them.
func (r Rate) clock() (second, frame int64) {
	second, frame = r.Num, r.Den
	for second < 10_000 {
		second, frame = 2*second, 2*frame
	}
	return second, frame
}
