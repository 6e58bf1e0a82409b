package ffmpeg

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// probed is the answer of ffprobe. It writes most numbers as text and leaves out
// what it does not know.
type probed struct {
	Format struct {
		Name     string `json:"format_name"`
		Start    string `json:"start_time"`
		Duration string `json:"duration"`
		Bitrate  string `json:"bit_rate"`
	} `json:"format"`
	Streams []probedStream `json:"streams"`
}

type probedStream struct {
	Index       int    `json:"index"`
	Type        string `json:"codec_type"`
	Codec       string `json:"codec_name"`
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	Aspect      string `json:"sample_aspect_ratio"`
	Average     string `json:"avg_frame_rate"`
	Grid        string `json:"r_frame_rate"`
	PixelFormat string `json:"pix_fmt"`
	Transfer    string `json:"color_transfer"`
	Bitrate     string `json:"bit_rate"`
	Start       string `json:"start_time"`
	Duration    string `json:"duration"`
	SampleRate  string `json:"sample_rate"`
	Channels    int    `json:"channels"`
	Disposition struct {
		Default   int `json:"default"`
		Cover     int `json:"attached_pic"`
		Thumbnail int `json:"timed_thumbnails"`
		Still     int `json:"still_image"`
	} `json:"disposition"`
	SideData []struct {
		Rotation float64 `json:"rotation"`
	} `json:"side_data_list"`
}

func (p probed) media() (Media, error) {
	start := seconds(p.Format.Start)
	m := Media{Container: p.Format.Name, Start: start, Duration: seconds(p.Format.Duration), Bitrate: whole(p.Format.Bitrate)}
	pictures, sounds := p.candidates()
	if len(pictures) == 0 && len(sounds) == 0 {
		return m, fmt.Errorf("%w: %d streams, none with pictures or sound", ErrNotVideo, len(p.Streams))
	}
	if len(pictures) > 0 {
		v, err := pictures[0].video(start)
		if err != nil {
			return m, err
		}
		m.Video = v
	}
	if len(sounds) > 0 {
		m.Audio = sounds[0].audio(start)
	}
	return m, nil
}

// candidates are the streams that may be taken, the best first. Sound of an
// unknown kind is none; a film can do without.
func (p probed) candidates() (pictures, sounds []probedStream) {
	for _, s := range p.Streams {
		aside := s.Disposition.Cover + s.Disposition.Thumbnail + s.Disposition.Still
		switch {
		case s.Type == "video" && aside == 0:
			pictures = append(pictures, s)
		case s.Type == "audio" && s.known() && s.Channels > 0 && whole(s.SampleRate) > 0:
			sounds = append(sounds, s)
		}
	}
	slices.SortStableFunc(pictures, func(a, b probedStream) int {
		return cmp.Or(cmp.Compare(b.Disposition.Default, a.Disposition.Default), cmp.Compare(b.Width*b.Height, a.Width*a.Height))
	})
	slices.SortStableFunc(sounds, func(a, b probedStream) int {
		return cmp.Compare(b.Disposition.Default, a.Disposition.Default)
	})
	return pictures, sounds
}

func (s probedStream) known() bool {
	return s.Codec != "" && s.Codec != "unknown" && s.Codec != "none"
}

func (s probedStream) video(start time.Duration) (*VideoStream, error) {
	switch {
	case !s.known() || s.Width <= 0 || s.Height <= 0:
		return nil, fmt.Errorf("%w: codec %q, %d x %d", ErrUnsupported, s.Codec, s.Width, s.Height)
	case s.Width > MaxPixels || s.Height > MaxPixels || s.Width*s.Height > MaxPixels:
		return nil, fmt.Errorf("%w: %d x %d", ErrTooLarge, s.Width, s.Height)
	}
	v := &VideoStream{
		Index: s.Index, Codec: s.Codec, PixelFormat: s.PixelFormat, Bitrate: whole(s.Bitrate),
		HDR:   s.Transfer == "smpte2084" || s.Transfer == "arib-std-b67",
		Start: seconds(s.Start) - start, Duration: seconds(s.Duration),
	}
	v.FrameRate, v.Variable = chooseRate(s.Average, s.Grid)
	v.Width, v.Height = squarePixels(s.Width, s.Height, s.Aspect)
	for _, d := range s.SideData {
		if d.Rotation != 0 && math.Abs(d.Rotation) <= 360 {
			v.Rotation = (360 - int(math.Round(d.Rotation))) % 360 // ffprobe counts the other way round
		}
	}
	if v.Rotation == 90 || v.Rotation == 270 {
		v.Width, v.Height = v.Height, v.Width
	}
	return v, nil
}

func (s probedStream) audio(start time.Duration) *AudioStream {
	return &AudioStream{
		Index: s.Index, Codec: s.Codec, Bitrate: whole(s.Bitrate),
		SampleRate: int(whole(s.SampleRate)), Channels: s.Channels,
		Start: seconds(s.Start) - start, Duration: seconds(s.Duration),
	}
}

// squarePixels makes pictures of wide or narrow pixels wider or narrower. An
// aspect that no camera has is not believed.
func squarePixels(width, height int, aspect string) (w, h int) {
	num, den, _ := strings.Cut(aspect, ":")
	n, d := whole(num), whole(den)
	if n <= 0 || d <= 0 {
		return width, height
	}
	ratio := float64(n) / float64(d)
	if ratio > 4 || ratio < 0.25 {
		return width, height
	}
	return max(1, int(math.Round(float64(width)*ratio))), height
}

// seconds reads a time; 0 if there is none. What is longer than a hundred years
// is a hundred years.
func seconds(s string) time.Duration {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) {
		return 0
	}
	const most = 100 * 365 * 24 * 3600
	return time.Duration(math.Round(min(max(f, -most), most)*1e6)) * time.Microsecond
}

func whole(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
