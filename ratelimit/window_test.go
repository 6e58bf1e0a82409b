package ratelimit_test

import (
	"testing"

	"pgregory.net/rapid"

	"stoa/ratelimit"
)

func TestWindowHoldsItsSecond(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := ratelimit.Limit{
			Unit:       ratelimit.Unit(rapid.IntRange(int(ratelimit.Second), int(ratelimit.Year)).Draw(t, "unit")),
			Multiplier: rapid.Uint32().Draw(t, "multiplier"),
		}
		if !l.Valid() {
			return
		}
		now := rapid.Int64Range(0, 1<<33).Draw(t, "now")
		w := l.Window(now)
		if w.Start%l.Seconds() != 0 || w.Start > now || now >= w.End() || w.End() != w.Start+l.Seconds() {
			t.Errorf("%v at %d: got %d to %d", l, now, w.Start, w.End())
		}
		if reset := w.Reset(now); reset != l.Seconds()-now%l.Seconds() {
			t.Errorf("%v at %d: got reset %d", l, now, reset)
		}
		if late := w.Kept() - w.End(); late < 0 || late > l.Seconds()/8 {
			t.Errorf("%v at %d: kept %d seconds after its end", l, now, late)
		}
		if l.Multiplier <= 1 && w.Kept() != w.End() {
			t.Errorf("%v at %d: kept until %d, want its end %d", l, now, w.Kept(), w.End())
		}
	})
}

// A caller may bring a window of any length. However many, few of them end apart.
func TestFewWindowsEndApart(t *testing.T) {
	const now = 1794700842
	ends := make(map[int64]bool)
	for multiplier := uint32(1); multiplier < 3_000_000_000; multiplier += 1 + multiplier/500 {
		ends[ratelimit.Limit{Unit: ratelimit.Second, Multiplier: multiplier}.Window(now).Kept()] = true
	}
	for multiplier := uint32(1); multiplier < 52_000_000; multiplier += 99 {
		ends[ratelimit.Limit{Unit: ratelimit.Minute, Multiplier: multiplier}.Window(now).Kept()] = true
	}
	if len(ends) > 5000 {
		t.Errorf("got %d different ends, want at most 5000", len(ends))
	}
}
