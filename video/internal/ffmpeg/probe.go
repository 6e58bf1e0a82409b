package ffmpeg

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// probeLimits bound a look at the headers, scanLimits one at every packet.
var (
	probeLimits = Limits{CPU: time.Minute, Wall: 5 * time.Minute, Memory: 3 << 30}
	scanLimits  = Limits{CPU: 10 * time.Minute, Wall: 30 * time.Minute, Memory: 3 << 30}
)

// Probe tells what a source holds. A source with sound alone has no Video, and
// is no error. It answers ErrNotVideo, ErrTooLong, ErrTooLarge or ErrUnsupported
// when the fault is in the source; other errors are ours, and may pass.
func (r *Runner) Probe(ctx context.Context, in Input) (Media, error) {
	if in.Size() == 0 {
		return Media{}, fmt.Errorf("%w: it is empty", ErrNotVideo)
	}
	out := &bounded{left: 1 << 20}
	said, err := r.run(ctx, Command{
		Program: "ffprobe", Args: append(probeArgs(), in.Args()...), Input: in, Stdout: out, Limits: probeLimits,
	})
	m, err := read(out.Bytes(), err)
	if err != nil && tooManyPixels(said) {
		return Media{}, fmt.Errorf("%w: %w", ErrTooLarge, err)
	}
	if err != nil {
		return Media{}, err
	}
	if m.Duration <= 0 {
		if m.Duration, err = r.scan(ctx, in); err != nil {
			return Media{}, err
		}
	}
	if m.Duration > MaxDuration {
		return Media{}, fmt.Errorf("%w: it lasts %v", ErrTooLong, m.Duration)
	}
	return m, nil
}

// read makes sense of what ffprobe answered, or of its failure.
func read(answer []byte, err error) (Media, error) {
	if err != nil {
		return Media{}, blame(err)
	}
	var found probed
	if err := json.Unmarshal(answer, &found); err != nil {
		return Media{}, fmt.Errorf("%w: read what ffprobe says: %w", ErrNotVideo, err)
	}
	return found.media()
}

// probeArgs asks for no more than is needed, which bounds the answer.
func probeArgs() []string {
	return []string{"-of", "json", "-show_entries", "format=format_name,duration,start_time,bit_rate" +
		":stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,avg_frame_rate,r_frame_rate," +
		"pix_fmt,color_transfer,bit_rate,start_time,duration,sample_rate,channels" +
		":stream_disposition=default,attached_pic,timed_thumbnails,still_image" +
		":stream_side_data=rotation"}
}

// tooManyPixels knows the words of ffmpeg, which forgets the size of a picture
// that it refuses.
func tooManyPixels(said string) bool {
	return strings.Contains(said, "exceeds specified max pixel count") ||
		strings.Contains(said, "Picture size ") && strings.Contains(said, " is invalid")
}

// blame says whether a run failed because of the source.
func blame(err error) error {
	failed, ok := errors.AsType[*Error](err)
	switch {
	case ok && (failed.Killed || failed.TimedOut):
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	case ok && failed.Status == 1: // what both programs say of a file that they cannot read
		return fmt.Errorf("%w: %w", ErrNotVideo, err)
	}
	return err
}

// bounded keeps so many bytes, and fails when there are more.
type bounded struct {
	bytes.Buffer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errors.New("more output than is taken")
	}
	return b.Buffer.Write(p)
}
