package ffmpegtest

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// Spec says what a film is like. The zero value is two seconds of 320x180 at 25
// frames a second without sound, H.264 in MP4.
type Spec struct {
	Seconds       float64
	Width, Height int
	Rate          string // "25", "30000/1001"
	GOP           int    // frames between keyframes; 0: 50
	Audio         bool   // a tone of 440 Hz, AAC, mono
	Container     string // "mp4", "mkv", "webm", "mov", "ts", …
	Options       string // more options of the output, separated by spaces
}

// Source makes a film with numbered frames.
func Source(t testing.TB, s Spec) string {
	t.Helper()
	s.Container = cmp.Or(s.Container, "mp4")
	video, audio := "libx264 -preset ultrafast -crf 20 -bf 2", "aac"
	if s.Container == "webm" {
		video, audio = "libvpx -deadline realtime -cpu-used 8 -b:v 1M", "libopus"
	}
	args := []string{"-f", "lavfi", "-i", Pictures(s)}
	if s.Audio {
		args = append(args, "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration="+s.seconds(),
			"-c:a", audio)
	}
	args = append(args, "-pix_fmt", "yuv420p", "-g", strconv.Itoa(cmp.Or(s.GOP, 50)), "-threads", "1", "-c:v")
	args = append(args, strings.Fields(video)...)
	args = append(args, strings.Fields(s.Options)...)
	return Make(t, "source."+s.Container, args...)
}

func (s Spec) seconds() string {
	return strconv.FormatFloat(cmp.Or(s.Seconds, 2), 'f', -1, 64)
}

// Pictures is a lavfi source of the numbered frames of a film.
func Pictures(s Spec) string {
	width, height := cmp.Or(s.Width, 320), cmp.Or(s.Height, 180)
	var graph strings.Builder
	fmt.Fprintf(&graph, "testsrc2=size=%dx%d:rate=%s:duration=%s", width, height, cmp.Or(s.Rate, "25"), s.seconds())
	graph.WriteString(",drawbox=x=0:y=0:w=iw:h=ih/6:color=black:t=fill")
	for block := range blocks {
		if when := shown(block); when != "" {
			// The edges are multiples of 2, as colour is kept for 2x2 pixels.
			left, right := block*width/blocks&^1, (block+1)*width/blocks&^1
			fmt.Fprintf(&graph, ",drawbox=x=%d:y=0:w=%d:h=ih/6:color=white:t=fill:enable='%s'", left, right-left, when)
		}
	}
	return graph.String()
}

// The number is in the upper sixth of the picture: a white block, a black one,
// and 16 bits of it, the highest first.
const (
	bits   = 16
	blocks = bits + 2
)

// shown says when a block is white, as an expression of the frame number n.
func shown(block int) string {
	switch block {
	case 0:
		return "1"
	case 1:
		return ""
	}
	return fmt.Sprintf("mod(floor(n/%d),2)", 1<<(blocks-1-block))
}
