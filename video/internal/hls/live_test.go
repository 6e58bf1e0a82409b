package hls_test

import (
	"testing"
	"time"

	"stoa/internal/goldentest"
	"stoa/video/internal/hls"
)

// broadcast is a window of segments of two seconds, the last with its parts.
func broadcast(segments int) hls.Live {
	parts := []hls.LivePart{{Duration: 36000, Independent: true}, {Duration: 36000}, {Duration: 18000}}
	l := hls.Live{
		Timescale: 90000, Target: 6 * time.Second, PartTarget: 400 * time.Millisecond,
		First: 41, Breaks: 2, Open: parts[:2], OpenHead: 1,
	}
	for n := range segments {
		s := hls.LiveSegment{Duration: 180000, At: time.Date(2026, 5, 1, 12, 0, 2*n, 1e6*n, time.UTC)}
		if n >= segments-2 {
			s.Head, s.Break = 1, n == segments-2
			s.Parts = parts
		}
		s.Gap = n == 1
		l.Segments = append(l.Segments, s)
	}
	return l
}

func TestLiveLists(t *testing.T) {
	t.Parallel()
	list := func(change func(*hls.Live)) []byte {
		l := broadcast(5)
		change(&l)
		return l.Append(nil)
	}
	reports := []hls.Report{{URL: "../audio/manifest.m3u8", Segment: 46, Part: 1}, {URL: "../480p/manifest.m3u8", Segment: 45, Part: -1}}
	high := hls.LiveRendition{URL: "720p/manifest.m3u8", Codec: "avc1.64001f", Width: 1280, Height: 720, Peak: 3_000_000, Average: 2_500_000}
	low := hls.LiveRendition{URL: "240p/manifest.m3u8", Codec: "avc1.640015", Width: 426, Height: 240}
	sound := &hls.LiveRendition{URL: "audio/manifest.m3u8", Codec: "mp4a.40.2", Peak: 130_000, Average: 128_000}
	for name, got := range map[string][]byte{
		"live":              hls.AppendReports(list(func(*hls.Live) {}), reports),
		"live_carry":        list(func(l *hls.Live) { l.Carry = "?avh=s" }),
		"live_ended":        list(func(l *hls.Live) { l.Ended = true }),
		"live_break":        list(func(l *hls.Live) { l.OpenHead = 2 }),
		"live_first":        list(func(l *hls.Live) { l.First, l.Breaks, l.Segments = 0, 0, nil }),
		"live_skip_nothing": list(func(l *hls.Live) { l.Skip = true }),
		"live_skip": list(func(l *hls.Live) {
			l.Skip, l.Segments = true, broadcast(30).Segments
		}),
		"live_master":        hls.LiveMaster([]hls.LiveRendition{high, low}, sound),
		"live_master_silent": hls.LiveMaster([]hls.LiveRendition{high}, nil),
		"live_master_sound":  hls.LiveMaster(nil, sound),
	} {
		goldentest.Check(t, "testdata/"+name+".golden", got)
	}
}
