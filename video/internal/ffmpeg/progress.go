package ffmpeg

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"time"
)

// Progress is how far ffmpeg has come.
type Progress struct {
	Frames int64         // of the first video output
	Time   time.Duration // of the output
	Done   bool          // nothing more comes
}

// progressReader reads the lines key=value of -progress; a group of them ends
// with the key "progress".
func progressReader(tell func(Progress)) func(io.Reader) error {
	return func(r io.Reader) error {
		var now Progress
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			key, value, _ := strings.Cut(lines.Text(), "=")
			value = strings.TrimSpace(value)
			switch key {
			case "frame":
				now.Frames, _ = strconv.ParseInt(value, 10, 64)
			case "out_time_us": // N/A at first
				us, _ := strconv.ParseInt(value, 10, 64)
				now.Time = time.Duration(max(us, 0)) * time.Microsecond
			case "progress":
				now.Done = value == "end"
				tell(now)
			}
		}
		return nil // progress that cannot be read is no reason to stop
	}
}
