package ffmpeg

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Rate is frames per second as a fraction in lowest terms.
type Rate struct{ Num, Den int64 }

func (r Rate) String() string {
	return strconv.FormatInt(r.Num, 10) + "/" + strconv.FormatInt(r.Den, 10)
}

// Float is the rate as a number.
func (r Rate) Float() float64 { return float64(r.Num) / float64(r.Den) }

// Frame is how long a frame lasts, rounded down; 0 for the zero Rate.
func (r Rate) Frame() time.Duration {
	if r.Num <= 0 {
		return 0
	}
	return time.Duration(int64(time.Second) * r.Den / r.Num)
}

// usualRates are those that cameras, screens and films have.
var usualRates = []Rate{
	{1, 1}, {5, 1}, {10, 1}, {12, 1}, {15, 1}, {20, 1}, {24000, 1001}, {24, 1}, {25, 1}, {30000, 1001}, {30, 1},
	{48, 1}, {50, 1}, {60000, 1001}, {60, 1}, {90, 1}, {100, 1}, {120000, 1001}, {120, 1}, {240, 1},
}

const (
	nearly     = 0.01 // two rates closer than this are one that was measured or written badly
	mostFrames = 1000 // no film has more in a second
)

// chooseRate makes one rate of the two that ffprobe tells: the average of the
// whole, and the one whose grid has every timestamp on it. They are the same
// in a film with even frames. The grid is twice the average where it counts
// fields, and some large number where frames are uneven.
func chooseRate(average, grid string) (rate Rate, variable bool) {
	avg, avgOK := parseRate(average)
	raw, rawOK := parseRate(grid)
	avgOK = avgOK && avg.Float() <= mostFrames
	switch {
	case !avgOK && (!rawOK || raw.Float() > mostFrames):
		return Rate{25, 1}, true
	case !avgOK:
		avg = raw
	case !rawOK:
		raw = avg
	}
	switch ratio := raw.Float() / avg.Float(); {
	case math.Abs(ratio-1) < 0.0005: // 24 and 23.976 are twice as far from each other
		return tidy(raw), false
	case math.Abs(ratio-2) < 0.001:
		return tidy(avg), false
	}
	if rate, ok := usual(avg); ok {
		return rate, true
	}
	for _, r := range usualRates { // rather show a frame twice than drop one
		if r.Float() >= avg.Float() {
			return r, true
		}
	}
	return usualRates[len(usualRates)-1], true
}

// parseRate reads "30000/1001"; "0/0" is no rate.
func parseRate(s string) (Rate, bool) {
	num, den, _ := strings.Cut(s, "/")
	n, err1 := strconv.ParseInt(num, 10, 64)
	d, err2 := strconv.ParseInt(den, 10, 64)
	if err1 != nil || err2 != nil || n <= 0 || d <= 0 || n > math.MaxInt32 || d > math.MaxInt32 {
		return Rate{}, false
	}
	return reduced(n, d), true
}

// tidy makes a rate that a clock can count: a usual one if it is near, at least
// one frame a second, and no long numbers.
func tidy(r Rate) Rate {
	if u, ok := usual(r); ok && math.Abs(u.Float()/r.Float()-1) < 0.0005 {
		return u
	}
	switch {
	case r.Float() < 1:
		return Rate{1, 1}
	case r.Num > 240_000 || r.Den > 1001:
		return reduced(int64(math.Round(r.Float()*1000)), 1000)
	}
	return r
}

// usual finds the nearest usual rate.
func usual(r Rate) (nearest Rate, ok bool) {
	best := nearly
	for _, u := range usualRates {
		if far := math.Abs(u.Float()/r.Float() - 1); far < best {
			nearest, best, ok = u, far, true
		}
	}
	return nearest, ok
}

func reduced(n, d int64) Rate {
	a, b := n, d
	for b != 0 {
		a, b = b, a%b
	}
	return Rate{n / a, d / a}
}
