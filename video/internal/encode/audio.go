package encode

import (
	"context"
	"fmt"
	"io"

	"stoa/internal/fault"
	"stoa/video/internal/ffmpeg"
)

// ErrNoSound says that the sound of the source could not be decoded.
var ErrNoSound = fault.New(fault.Invalid, "the source has no sound that can be decoded: it is cut off or broken")

// Audio encodes the sound of the whole video: as long as the picture, filled up
// with silence. A second run makes the same segments again.
func Audio(ctx context.Context, r *ffmpeg.Runner, s Source, p Plan, sink Sink) error {
	t := &track{
		init:    func(bytes []byte, codec string) error { return sink.Init(ctx, AudioTrack, bytes, codec) },
		segment: func(number int, s Segment) error { return sink.Segment(ctx, AudioTrack, number, s) },
	}
	err := r.Run(ctx, ffmpeg.Command{
		Program: "ffmpeg", Args: audioArgs(s, p), Input: s.Input, Outputs: []func(io.Reader) error{t.split},
	})
	if err == nil && t.number == 0 {
		err = ErrNoSound
	}
	if err != nil {
		return fmt.Errorf("encode sound: %w", err)
	}
	return nil
}

// Remux joins a track of pictures and one of sound ("" none) into an MP4 file
// that plays while it loads. All three are names in the folder; a track is a file
// of its head and all of its segments.
func Remux(ctx context.Context, r *ffmpeg.Runner, folder, video, audio, out string) error {
	err := r.Run(ctx, ffmpeg.Command{Program: "ffmpeg", Args: remuxArgs(video, audio, out), Folder: folder})
	if err != nil {
		return fmt.Errorf("make MP4: %w", err)
	}
	return nil
}
