package transcode

import (
	"context"
	"io"
	"time"

	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/live"
)

// renewal is after how many frames another encoder goes on: ffmpeg remembers something of
// every frame that it has read.
const renewal = 200_000

// run encodes from a key frame on, until the source changes or ends, or the encoder is
// renewed.
func (l *Ladder) run(ctx context.Context, s *source, first live.Frame) error {
	command := ffmpeg.Command{
		Program: "ffmpeg", Args: args(s, l.o.Threads),
		Stdin:  func(ctx context.Context, w io.Writer) error { return l.feed(ctx, w, s.head, first) },
		Limits: ffmpeg.Limits{CPU: 48 * time.Hour, Wall: 24 * time.Hour},
	}
	for _, step := range s.steps {
		command.Outputs = append(command.Outputs, func(r io.Reader) error { return step.read(r, s) })
	}
	return l.o.Runner.Run(ctx, command)
}

// feed writes frames as they come, each in a fragment of its own.
func (l *Ladder) feed(ctx context.Context, w io.Writer, h live.Head, f live.Frame) error {
	if _, err := w.Write(h.Bytes); err != nil {
		return err
	}
	lasts := 40 * time.Millisecond // until the second frame tells
	for n := 0; ; n++ {
		if _, err := w.Write(h.Fragment(f, lasts)); err != nil {
			return err
		}
		next, ok := l.queue.take(ctx, func(i item) bool { return i.start == nil && (n < renewal || !i.frame.Key) })
		if !ok {
			return nil
		}
		lasts = next.frame.DTS - f.DTS
		f = next.frame
	}
}
