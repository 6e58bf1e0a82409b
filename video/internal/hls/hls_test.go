package hls_test

import (
	"strings"
	"testing"

	"stoa/internal/goldentest"
	"stoa/video/internal/hls"
)

// ntsc is a track of three segments at 29.97 frames a second, the last a short
// one.
func ntsc(done bool) hls.Track {
	return hls.Track{
		Init: "720p/init.mp4?avh=s", Timescale: 30000, Done: done,
		Segments: []hls.Segment{
			{URL: "720p/0.m4s?avh=s", Duration: 120120, Bytes: 1_000_000, FirstFrameBytes: 40_000},
			{URL: "720p/1.m4s?avh=s", Duration: 120120, Bytes: 1_501_500, FirstFrameBytes: 60_000},
			{URL: "720p/2.m4s?avh=s", Duration: 1001, Bytes: 50_000, FirstFrameBytes: 50_000},
		},
	}
}

// recorded is a broadcast whose publisher changed the picture, left a gap, and sent key
// frames too far apart.
func recorded() hls.Track {
	return hls.Track{
		Init: "init.mp4", Timescale: 1000, Done: true, Dependent: true,
		Segments: []hls.Segment{
			{URL: "0.m4s", Duration: 2000, Bytes: 1000, FirstFrameBytes: 100},
			{URL: "1.m4s", Duration: 6000, Bytes: 3000},
			{URL: "2.m4s", Duration: 2000, Bytes: 1000, Init: "head1.mp4", Break: true},
			{URL: "3.m4s", Duration: 2000, Bytes: 1000, FirstFrameBytes: 100},
			{URL: "4.m4s", Duration: 2000, Gap: true},
			{URL: "../240p/5.m4s", Duration: 2000, Bytes: 1000, FirstFrameBytes: 90, Init: "../240p/init.mp4", Break: true},
		},
	}
}

func TestPlaylists(t *testing.T) {
	t.Parallel()
	sound := &hls.Audio{URL: "audio.m3u8", Codec: "mp4a.40.2", Track: hls.Track{
		Init: "audio/init.mp4", Timescale: 48000, Done: true,
		Segments: []hls.Segment{{URL: "audio/0.m4s", Duration: 192512, Bytes: 64_000}},
	}}
	high := hls.Rendition{
		URL: "720p.m3u8", IFrames: "720p-iframes.m3u8", Width: 1280, Height: 720,
		FrameRate: 30000.0 / 1001, Codec: "avc1.64001f", Track: ntsc(true),
	}
	low := high
	low.URL, low.IFrames, low.Width, low.Height, low.Codec = "240p.m3u8", "", 426, 240, "avc1.640015"
	captions := []hls.Caption{
		{URL: "captions/en.m3u8", Language: "en", Name: "English", Default: true},
		{URL: "captions/fr.m3u8", Language: "fr", Name: "Fran\u00e7ais \"vf\"\n"},
	}
	for name, got := range map[string][]byte{
		"master":        hls.Master([]hls.Rendition{high, low}, sound, captions),
		"master_silent": hls.Master([]hls.Rendition{low}, nil, nil),
		"media":         hls.Media(ntsc(true)),
		"media_growing": hls.Media(ntsc(false)),
		"media_empty":   hls.Media(hls.Track{Init: "240p/init.mp4", Timescale: 25}),
		"iframes":       hls.IFrames(ntsc(true)),
		"subtitles":     hls.Subtitles("../en.vtt?avh=s", 12.5),

		"media_recorded":   hls.Media(recorded()),
		"iframes_recorded": hls.IFrames(recorded()),
		"master_recorded":  hls.Master([]hls.Rendition{{URL: "360p.m3u8", Width: 640, Height: 360, FrameRate: 25, Codec: "avc1.64001f", Track: recorded()}}, nil, nil),
		"master_sound":     hls.Master([]hls.Rendition{{URL: sound.URL, Codec: sound.Codec, Track: sound.Track}}, nil, nil),
	} {
		goldentest.Check(t, "testdata/"+name+".golden", got)
	}
}

// The bandwidth is that of the worst segment, and a last one of a single frame is
// not the worst for being short.
func TestBandwidthIsThePeak(t *testing.T) {
	t.Parallel()
	got := string(hls.Master([]hls.Rendition{{URL: "v.m3u8", Track: ntsc(true)}}, nil, nil))
	if want := ":BANDWIDTH=3000000,AVERAGE-BANDWIDTH=2538375,"; !strings.Contains(got, want) {
		t.Errorf("got %s want %s", got, want)
	}
}

// What people type as a name must not add lines or attributes.
func TestNamesStayInTheirQuotes(t *testing.T) {
	t.Parallel()
	name := "a\",URI=\"evil\"\n#EXT-X-ENDLIST\r\n"
	got := string(hls.Master(nil, nil, []hls.Caption{{URL: "c.m3u8", Language: "en", Name: name}}))
	if n := strings.Count(got, "\n"); n != 4 {
		t.Errorf("got %d lines want 4:\n%s", n, got)
	}
	if strings.Contains(got, `URI="evil"`) {
		t.Errorf("got an attribute out of a name:\n%s", got)
	}
}
