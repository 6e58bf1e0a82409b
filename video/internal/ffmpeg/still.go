package ffmpeg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// ToneMap is the filter chain that brings HDR pictures into the range of other
// screens, as bt709 in 8 bits.
const ToneMap = "zscale=transfer=linear:npl=100,format=gbrpf32le,zscale=primaries=bt709," +
	"tonemap=hable:desat=0,zscale=transfer=bt709:matrix=bt709:range=tv,format=yuv420p"

// stillLimits bound one picture; the decoder may have to begin far before it.
var stillLimits = Limits{CPU: 5 * time.Minute, Wall: 15 * time.Minute, Memory: 4 << 30}

// maxStill is how many bytes a picture may have.
const maxStill = 64 << 20

// Still is the picture that is shown at a time after the start of the source, or
// the first one if none is shown then, as JPEG. It is at most maxWidth pixels
// wide; 0 leaves it as it is. The media is what Probe said of the source.
func (r *Runner) Still(ctx context.Context, in Input, m Media, at time.Duration, maxWidth int) ([]byte, error) {
	if m.Video == nil {
		return nil, fmt.Errorf("%w: it has no pictures", ErrNotVideo)
	}
	picture, err := r.still(ctx, in, stillArgs(in, m, at, maxWidth))
	if _, failed := errors.AsType[*Error](err); at > 0 && (failed || err == nil && len(picture) == 0) {
		picture, err = r.still(ctx, in, stillArgs(in, m, 0, maxWidth))
	}
	switch {
	case err != nil:
		return nil, blame(err)
	case len(picture) == 0:
		return nil, fmt.Errorf("%w: no picture can be decoded", ErrUnsupported)
	}
	return picture, nil
}

func (r *Runner) still(ctx context.Context, in Input, args []string) ([]byte, error) {
	out := &bounded{left: maxStill}
	err := r.Run(ctx, Command{Program: "ffmpeg", Args: args, Input: in, Stdout: out, Limits: stillLimits})
	return out.Bytes(), err
}

func stillArgs(in Input, m Media, at time.Duration, maxWidth int) []string {
	v := m.Video
	// The frame shown at a time began up to a frame before. It is the first one
	// after that, with an eighth of a frame left for rounding.
	at = max(0, at-v.FrameRate.Frame()*7/8)
	var seek time.Duration
	if at > seekMargin(m.Container) {
		seek = at - seekMargin(m.Container)
	}
	clock, from := stillClock(m, at, seek)
	args := append([]string{"-threads", "1"}, clock...)
	if seek > 0 {
		args = append(args, "-ss", fmt.Sprintf("%.6f", seek.Seconds()))
	}
	args = append(args, in.Args()...)

	width, height := v.Width, v.Height
	if maxWidth > 0 && width > maxWidth {
		width, height = maxWidth, max(1, int(math.Round(float64(height)*float64(maxWidth)/float64(width))))
	}
	filter := fmt.Sprintf("trim=start=%.6f,scale=%d:%d:flags=bicubic,setsar=1", from.Seconds(), width, height)
	if v.HDR {
		// Many do not say their colours, and the chain cannot do without.
		filter += ",setparams=color_primaries=bt2020:colorspace=bt2020nc," + ToneMap
	}
	return append(args, "-map", fmt.Sprintf("0:%d", v.Index), "-frames:v", "1",
		"-vf", filter+",scale=out_range=pc,format=yuvj420p", "-c:v", "mjpeg", "-q:v", "3", "-threads", "1",
		"-f", "image2pipe", "pipe:1")
}

// stillClock has the decoder count times so that the picture of a time is the first one
// at from. Left to itself, ffmpeg counts a transport stream from its first picture, even
// if the sound begins before. The clock of a source is not known where it was probed long
// ago, or not at all; then moving it by next to nothing keeps ffmpeg 5 from that.
func stillClock(m Media, at, seek time.Duration) (options []string, from time.Duration) {
	if m.Start == 0 {
		return []string{"-itsoffset", "0.000001"}, at - seek
	}
	return []string{"-copyts"}, m.Start + at
}

// seekMargin is how far before a time ffmpeg must be sent to be sure to come to
// a keyframe before it. Containers without an index are searched by their
// packets' times, and the search ends behind the keyframe.
func seekMargin(container string) time.Duration {
	if container == "mpegts" || container == "mpeg" {
		return 10 * time.Second
	}
	return 0
}
