package timecode_test

import (
	"math"
	"testing"
	"time"

	"stoa/video/internal/timecode"
)

func TestForms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]timecode.Timecode{
		"00:00:00":     {},
		"01:02:03":     {Whole: time.Hour + 2*time.Minute + 3*time.Second},
		"999:59:59":    {Whole: 999*time.Hour + 59*time.Minute + 59*time.Second},
		"00:00:01.5":   {Whole: 1500 * time.Millisecond},
		"00:00:01.05":  {Whole: 1050 * time.Millisecond},
		"00:00:01.250": {Whole: 1250 * time.Millisecond},
		"00:00:01:7":   {Whole: time.Second, Frame: 7},
		"00:00:01:07":  {Whole: time.Second, Frame: 7},
		"0":            {},
		"90":           {Whole: 90 * time.Second},
		"9999999":      {Whole: 9999999 * time.Second},
	} {
		if got, ok := timecode.Parse(text); !ok || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, ok, want)
		}
	}
}

func TestOtherForms(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", " 1", "1 ", "-1", "1.5", "12345678", "1:02:03", "0001:02:03", "00:60:00", "00:00:60", "00:00", "00:00:00.", "00:00:00.1234",
		"00:00:00:", "00:00:00:123", "00:00:00.1:1", "00:00:00;01", "1s", "00:00:00\n", "٠٠:٠٠:٠٠", "1e3",
	} {
		if got, ok := timecode.Parse(text); ok {
			t.Errorf("%q: got %+v, want it refused", text, got)
		}
	}
}

func TestFramesNeedARate(t *testing.T) {
	t.Parallel()
	code := timecode.Timecode{Whole: time.Second, Frame: 12}
	for rate, want := range map[float64]time.Duration{
		25: 1480 * time.Millisecond, 30000.0 / 1001: 1400400 * time.Microsecond,
		0: time.Second, -1: time.Second, math.NaN(): time.Second, math.Inf(1): time.Second,
	} {
		if got := code.At(rate); got.Round(time.Microsecond) != want {
			t.Errorf("at %v frames per second: got %v, want %v", rate, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"00:01:30", "00:01:30.250", "00:01:30:12", "90"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		code, ok := timecode.Parse(text)
		if ok && (code.Whole < 0 || code.Whole > 9999999*time.Second || code.Frame < 0 || code.Frame > 99) {
			t.Errorf("%q: got %+v, want it within bounds", text, code)
		}
	})
}
