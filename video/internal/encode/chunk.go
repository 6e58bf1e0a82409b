package encode

import (
	"context"
	"fmt"
	"io"

	"stoa/internal/fault"
	"stoa/video/internal/ffmpeg"
)

// AudioTrack is the name of the track of sound; the others have those of their
// renditions.
const AudioTrack = "audio"

// A Sink keeps what is made, as it is made. Its methods are called from several
// goroutines: those of one track one after the other, Init first. An error ends
// the run. The bytes are its own.
type Sink interface {
	// Init takes the head of a track, which is the same bytes for every chunk,
	// and the name of its codec, such as "avc1.64001f".
	Init(ctx context.Context, track string, init []byte, codec string) error
	// Segment takes a segment, in order. The numbers count from 0 at the
	// beginning of the video.
	Segment(ctx context.Context, track string, number int, s Segment) error
	// Picture takes a picture of the storyboard, a JPEG; see Plan.PictureTime.
	Picture(ctx context.Context, number int, jpeg []byte) error
}

// ErrNoPicture says that nothing could be decoded where the plan expects it.
var ErrNoPicture = fault.New(fault.Invalid, "the source has no picture that can be decoded where it should: it is cut off or broken")

// Chunk encodes a chunk, from a segment on: plan.FirstSegment(n), or a later one
// if those before it are kept already. Every segment has exactly the frames of
// the plan, or the run fails.
func Chunk(ctx context.Context, r *ffmpeg.Runner, s Source, p Plan, n, first int, sink Sink) error {
	end := p.FirstSegment(n + 1)
	if n < 0 || first < p.FirstSegment(n) || first >= end {
		return fmt.Errorf("encode: chunk %d has no segment %d", n, first)
	}
	if len(s.Images) != len(p.Overlays) {
		return fmt.Errorf("encode: %d images for %d overlays", len(s.Images), len(p.Overlays))
	}
	var outputs []func(io.Reader) error
	var tracks []*track
	for _, rendition := range p.Renditions {
		t := p.track(ctx, rendition.Name, first, end, sink)
		tracks = append(tracks, t)
		outputs = append(outputs, t.split)
	}
	picture := (p.firstFrame(first) + p.PictureFrames - 1) / p.PictureFrames
	outputs = append(outputs, func(r io.Reader) error {
		return readPictures(r, func(jpeg []byte) error {
			picture++
			return sink.Picture(ctx, picture-1, jpeg)
		})
	})
	err := r.Run(ctx, ffmpeg.Command{
		Program: "ffmpeg", Args: chunkArgs(s, p, first, end-1), Input: s.Input, Folder: s.Folder, Outputs: outputs,
	})
	if err != nil {
		return fmt.Errorf("encode chunk %d: %w", n, err)
	}
	for i, t := range tracks {
		switch {
		case t.number == first:
			return fmt.Errorf("encode chunk %d: %w", n, ErrNoPicture)
		case t.number != end:
			return fmt.Errorf("encode chunk %d: %s ends after segment %d, want %d", n, p.Renditions[i].Name, t.number-1, end-1)
		}
	}
	return nil
}

// track is where the segments first..end-1 of a rendition go.
func (p Plan) track(ctx context.Context, name string, first, end int, sink Sink) *track {
	_, frame := p.Rate.clock()
	return &track{
		number: first, at: int64(p.firstFrame(first)) * frame, delay: reorder * frame,
		init: func(bytes []byte, codec string) error { return sink.Init(ctx, name, bytes, codec) },
		segment: func(number int, s Segment) error {
			want := p.firstFrame(number+1) - p.firstFrame(number)
			if number >= end || s.Frames != want || s.Duration != int64(want)*frame {
				return fmt.Errorf("%s: segment %d has %d frames, want %d", name, number, s.Frames, want)
			}
			return sink.Segment(ctx, name, number, s)
		},
	}
}
