// Package livetest makes publishers for tests, out of films that ffmpeg made.
package livetest

import (
	"bytes"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"

	"stoa/video/internal/ffmpeg/ffmpegtest"
	"stoa/video/internal/live"
)

// Frames makes a film with numbered pictures and reads what a publisher would send of it.
func Frames(t testing.TB, s ffmpegtest.Spec) ([]live.Format, []live.Frame) {
	t.Helper()
	s.Options += " -movflags +frag_keyframe+delay_moov+default_base_moof"
	file, err := os.ReadFile(ffmpegtest.Source(t, s))
	if err != nil {
		t.Fatal(err)
	}
	var head fmp4.Init
	if err := head.Unmarshal(bytes.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	var parts fmp4.Parts
	if err := parts.Unmarshal(file); err != nil {
		t.Fatal(err)
	}
	var formats []live.Format
	for _, track := range head.Tracks {
		formats = append(formats, track.Codec)
	}
	var frames []live.Frame
	for _, p := range parts {
		for _, track := range p.Tracks {
			frames = append(frames, trackFrames(head, track)...)
		}
	}
	slices.SortStableFunc(frames, func(a, b live.Frame) int { return int(a.DTS - b.DTS) })
	return formats, frames
}

func trackFrames(head fmp4.Init, track *fmp4.PartTrack) (frames []live.Frame) {
	number := slices.IndexFunc(head.Tracks, func(t *fmp4.InitTrack) bool { return t.ID == track.ID })
	clock := time.Duration(head.Tracks[number].TimeScale)
	at := time.Duration(track.BaseTime)
	for _, s := range track.Samples {
		frames = append(frames, live.Frame{
			Track: number, DTS: at * time.Second / clock, PTS: (at + time.Duration(s.PTSOffset)) * time.Second / clock,
			Key: !head.Tracks[number].Codec.IsVideo() || isKey(s.Payload), Payload: s.Payload,
		})
		at += time.Duration(s.Duration)
	}
	return frames
}

// isKey looks into a picture: ffmpeg says it where the reader does not look.
func isKey(payload []byte) bool {
	var units h264.AVCC
	return units.Unmarshal(payload) == nil && h264.IsRandomAccess(units)
}
