package transcode

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/live"
)

// clock is that of the steps, and of all pictures of broadcasts.
const clock = 90_000

// args decodes the standard input and encodes each step to a pipe of its own, from
// pipe:3 on. Nothing looks ahead and every frame is handed on, with the time that it has.
func args(s *source, threads int) []string {
	if threads == 0 {
		threads = 2
	}
	all := []string{
		"-copyts", "-filter_complex_threads", "1", "-reinit_filter", "0",
		"-probesize", "32", "-analyzeduration", "0", "-fpsprobesize", "0", "-threads", "1",
		"-protocol_whitelist", "pipe", "-max_pixels", strconv.Itoa(ffmpeg.MaxPixels), "-max_streams", "1",
		"-f", "mp4", "-i", "pipe:0",
		"-filter_complex", filter(s.renditions),
	}
	group := strconv.Itoa(int(2*frameRate(s.format).FPS() + 0.5))
	for i, r := range s.renditions {
		all = append(all,
			"-map", fmt.Sprintf("[v%d]", i), "-fps_mode", "passthrough", "-enc_time_base", fmt.Sprintf("1:%d", clock),
			"-c:v", "libx264", "-preset", "veryfast", "-threads", strconv.Itoa(threads), "-bf", "0",
			"-x264-params", "rc-lookahead=0:sync-lookahead=0:mbtree=0:scenecut=0:sliced-threads=1",
			"-profile:v", "high", "-level:v", fmt.Sprintf("%d.%d", r.Level/10, r.Level%10),
			"-crf", "23", "-maxrate", strconv.Itoa(r.MaxRate), "-bufsize", strconv.Itoa(r.MaxRate),
			"-force_key_frames", "source", "-g", group,
			"-map_metadata", "-1", "-bitexact", "-video_track_timescale", strconv.Itoa(clock),
			"-avoid_negative_ts", "disabled", "-flush_packets", "1",
			"-movflags", "+empty_moov+default_base_moof+skip_trailer+frag_every_frame+frag_discont",
			"-f", "mp4", fmt.Sprintf("pipe:%d", 3+i))
	}
	return all
}

// filter makes all sizes of one picture, as [v0], [v1] and so on.
func filter(renditions []encode.Rendition) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[0:v]split=%d", len(renditions))
	for i := range renditions {
		fmt.Fprintf(&b, "[s%d]", i)
	}
	for i, r := range renditions {
		fmt.Fprintf(&b, ";[s%d]scale=%d:%d:flags=bicubic,setsar=1,format=yuv420p[v%d]", i, r.Width, r.Height, i)
	}
	return b.String()
}

// frameRate is what the format says of it, which need not be true.
func frameRate(f live.Format) encode.Rate {
	if f, ok := f.(*codecs.H264); ok {
		var sps h264.SPS
		if sps.Unmarshal(f.SPS) == nil && sps.FPS() >= 1 && sps.FPS() <= 120 {
			return encode.Rate{Num: int64(1000 * sps.FPS()), Den: 1000}
		}
	}
	return encode.Rate{Num: 30, Den: 1}
}
