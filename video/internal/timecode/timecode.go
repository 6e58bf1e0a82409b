// Package timecode reads places in a video: "00:01:30", "00:01:30.250",
// "00:01:30:12" (frame 12 of that second) and "90" (whole seconds).
package timecode

import (
	"regexp"
	"strconv"
	"time"
)

// Timecode is a place in a video. Where it is exactly is known once the frame
// rate is.
type Timecode struct {
	Whole time.Duration // without the frames
	Frame int           // 0 to 99, counted from Whole on
}

// Form says how to write one, for whoever wrote something else.
const Form = `Write a timecode as "00:01:30", "00:01:30.250", "00:01:30:12" (with a frame) or "90" (seconds).`

var pattern = regexp.MustCompile(`^(?:(\d{2,3}):([0-5]\d):([0-5]\d)(?:\.(\d{1,3})|:(\d{1,2}))?|(\d{1,7}))$`)

// Parse reads a timecode, if it is one.
func Parse(text string) (t Timecode, ok bool) {
	m := pattern.FindStringSubmatch(text)
	if m == nil {
		return Timecode{}, false
	}
	if m[6] != "" {
		return Timecode{Whole: units(m[6], time.Second)}, true
	}
	return Timecode{
		Whole: units(m[1], time.Hour) + units(m[2], time.Minute) + units(m[3], time.Second) + fraction(m[4]),
		Frame: int(units(m[5], 1)),
	}, true
}

// units is so many of a unit. No digits are 0.
func units(digits string, unit time.Duration) time.Duration {
	n, _ := strconv.Atoi(digits) // the pattern has a few digits at most
	return time.Duration(n) * unit
}

// fraction reads the digits behind the point: "5" is half a second.
func fraction(digits string) time.Duration {
	return units((digits + "000")[:3], time.Millisecond)
}

// At is the place in a video of so many frames per second. If that is not known,
// so 0, frames do not count.
func (t Timecode) At(rate float64) time.Duration {
	if t.Frame == 0 || !(rate > 0) {
		return t.Whole
	}
	return t.Whole + time.Duration(float64(t.Frame)/rate*float64(time.Second))
}
