package hls

import (
	"fmt"
	"slices"
)

// Rendition is one size of a video in the master playlist, or its sound alone, which has
// none.
type Rendition struct {
	URL       string // of its playlist
	IFrames   string // of the playlist of its key frames; "": none
	Width     int
	Height    int
	FrameRate float64
	Codec     string // such as "avc1.64001f"
	Track     Track
}

// Audio is the sound of all renditions.
type Audio struct {
	URL   string // of its playlist
	Codec string
	Track Track
}

// Caption is a track of subtitles.
type Caption struct {
	URL      string // of its playlist
	Language string // a tag of BCP 47
	Name     string // for the menu
	Default  bool
}

// Master is the playlist of playlists. The first rendition is what players start
// with. A nil audio is a silent video.
func Master(renditions []Rendition, audio *Audio, captions []Caption) []byte {
	var b playlist
	b.head(7)
	if !slices.ContainsFunc(renditions, func(r Rendition) bool { return r.Track.Dependent }) {
		b.line("#EXT-X-INDEPENDENT-SEGMENTS")
	}
	if audio != nil {
		b.line(`#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI=%s`, quoted(audio.URL))
	}
	for _, c := range captions {
		b.line(`#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME=%s,LANGUAGE=%s,DEFAULT=%s,AUTOSELECT=YES,FORCED=NO,URI=%s`,
			quoted(c.Name), quoted(c.Language), yesNo(c.Default), quoted(c.URL))
	}
	for _, r := range renditions {
		b.line("#EXT-X-STREAM-INF:%s", r.attributes(audio, len(captions) > 0))
		b.line("%s", r.URL)
	}
	for _, r := range renditions {
		if r.IFrames != "" {
			peak, _ := rates(r.Track, firstFrame)
			b.line(`#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=%d,RESOLUTION=%dx%d,CODECS=%s,URI=%s`,
				peak, r.Width, r.Height, quoted(r.Codec), quoted(r.IFrames))
		}
	}
	return b.bytes()
}

func (r Rendition) attributes(audio *Audio, captions bool) string {
	peak, average := rates(r.Track, whole)
	codecs := r.Codec
	if audio != nil {
		p, a := rates(audio.Track, whole)
		peak, average = peak+p, average+a
		codecs += "," + audio.Codec
	}
	all := fmt.Sprintf("BANDWIDTH=%d,AVERAGE-BANDWIDTH=%d", peak, average)
	if r.Width > 0 {
		all += fmt.Sprintf(",RESOLUTION=%dx%d,FRAME-RATE=%.3f", r.Width, r.Height, r.FrameRate)
	}
	all += ",CODECS=" + quoted(codecs)
	if audio != nil {
		all += `,AUDIO="audio"`
	}
	if captions {
		all += `,SUBTITLES="captions"`
	}
	return all + ",CLOSED-CAPTIONS=NONE"
}

func whole(s Segment) int64      { return s.Bytes }
func firstFrame(s Segment) int64 { return s.FirstFrameBytes }

// rates are the bits per second of the worst segment and of all together, at
// least 1 as the format wants them positive. A segment much shorter than the
// others, as the last can be, counts for as long as the others are: players load
// it in the time of a whole one.
func rates(t Track, size func(Segment) int64) (peak, average int64) {
	var bytes, units, longest int64
	for _, s := range t.Segments {
		bytes, units, longest = bytes+size(s), units+s.Duration, max(longest, s.Duration)
	}
	peak = 1
	for _, s := range t.Segments {
		duration := s.Duration
		if 2*duration < longest {
			duration = longest
		}
		peak = max(peak, t.bitRate(size(s), duration))
	}
	return peak, max(1, t.bitRate(bytes, units))
}

// bitRate is bits per second, rounded up; 0 for what has no length.
func (t Track) bitRate(bytes, units int64) int64 {
	if units <= 0 {
		return 0
	}
	return (8*bytes*t.Timescale + units - 1) / units
}

func yesNo(b bool) string {
	if b {
		return "YES"
	}
	return "NO"
}
