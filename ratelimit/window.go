package ratelimit

import "strconv"

// Window is a fixed span of time, aligned to the epoch, in unix seconds.
type Window struct {
	Start   int64
	Seconds int64
}

// End is the first second after the window.
func (w Window) End() int64 { return w.Start + w.Seconds }

// Kept is when what is kept for the window may go: at its end, or up to an eighth
// of its length later. Windows of any number of units end at any second; this
// way few of them end apart, and whoever keeps many can let go of them together.
func (w Window) Kept() int64 {
	grain := int64(1)
	for _, u := range [...]Unit{Minute, Hour, Day, Year} {
		if u.Seconds() <= w.Seconds/8 {
			grain = u.Seconds()
		}
	}
	return (w.End() + grain - 1) / grain * grain
}

// Reset is the number of whole seconds from now to the end of the window: at
// least 1 for a now inside it.
func (w Window) Reset(now int64) int64 { return w.End() - now }

// Window is the window of the limit that holds the second now.
func (l Limit) Window(now int64) Window {
	seconds := l.Seconds()
	return Window{Start: now / seconds * seconds, Seconds: seconds}
}

// appendWindow writes the last part of a counter key. A window of several units
// carries its length, so that it never meets the counter of a window of another
// length that starts at the same second.
func appendWindow(key []byte, l Limit, w Window) []byte {
	key = strconv.AppendInt(key, w.Start, 10)
	if l.Multiplier > 1 {
		key = append(key, '/')
		key = strconv.AppendInt(key, w.Seconds, 10)
	}
	return key
}
