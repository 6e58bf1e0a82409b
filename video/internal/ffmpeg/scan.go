package ffmpeg

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"
)

// scan finds the duration of a source that does not tell it, such as those that
// browsers record, from the time of every packet.
func (r *Runner) scan(ctx context.Context, in Input) (time.Duration, error) {
	args := []string{"-of", "compact=p=0:nk=0", "-show_entries", "packet=pts_time,dts_time,duration_time"}
	var seen span
	err := r.Run(ctx, Command{
		Program: "ffprobe", Args: append(args, in.Args()...), Input: in, Stdout: &seen, Limits: scanLimits,
	})
	switch {
	case seen.tooLong():
		return 0, fmt.Errorf("%w: it lasts %v or more", ErrTooLong, seen.last-seen.first)
	case err != nil:
		return 0, blame(err)
	case seen.last <= seen.first:
		return 0, fmt.Errorf("%w: its packets have no times", ErrNotVideo)
	}
	return seen.last - seen.first, nil
}

// span is the time from the first to the last of the packets whose lines are
// written to it. It takes no more once they are too far from each other.
type span struct {
	first, last time.Duration
	any         bool
	rest        []byte // the beginning of a line
}

func (s *span) tooLong() bool { return s.last-s.first > MaxDuration }

func (s *span) Write(p []byte) (int, error) {
	s.rest = append(s.rest, p...)
	for {
		line, rest, whole := bytes.Cut(s.rest, []byte("\n"))
		switch {
		case s.tooLong():
			return 0, ErrTooLong
		case !whole && len(line) > 4096:
			return 0, fmt.Errorf("a line of %d bytes", len(line))
		case !whole:
			return len(p), nil
		}
		s.add(string(line))
		s.rest = rest
	}
}

func (s *span) add(line string) {
	begin, end, ok := packetTimes(line)
	switch {
	case !ok:
	case !s.any:
		s.first, s.last, s.any = begin, end, true
	default:
		s.first, s.last = min(s.first, begin), max(s.last, end)
	}
}

// packetTimes reads a line "pts_time=1.2|dts_time=1.1|duration_time=0.04".
func packetTimes(line string) (begin, end time.Duration, ok bool) {
	var length time.Duration
	for field := range strings.SplitSeq(line, "|") {
		key, value, _ := strings.Cut(field, "=")
		switch {
		case value == "" || value == "N/A":
		case key == "pts_time", key == "dts_time" && !ok:
			begin, ok = seconds(value), true
		case key == "duration_time":
			length = max(0, seconds(value))
		}
	}
	return begin, begin + length, ok
}
