package encode

import (
	"fmt"
	"strconv"
	"time"

	"stoa/video/internal/ffmpeg"
)

// Source is what is encoded, and the place to do it.
type Source struct {
	Input  ffmpeg.Input
	Images []string // paths of the images of the plan's overlays, in Folder
	Folder string   // scratch folder; needed only for images
}

// chunkArgs encodes the segments first..last of all renditions, the first
// rendition to pipe:3 and so on, and the storyboard to the pipe after them.
func chunkArgs(s Source, p Plan, first, last int) []string {
	from, to := p.firstFrame(first), p.firstFrame(last+1)
	args := []string{"-filter_complex_threads", "1"}
	if p.Video >= 0 {
		args = append(args, p.open(s.Input, from)...)
	}
	for i, o := range p.Overlays {
		args = append(args, "-threads", "1", "-protocol_whitelist", "file", "-max_pixels", strconv.Itoa(ffmpeg.MaxPixels),
			"-f", o.Format+"_pipe", "-i", s.Images[i])
	}
	args = append(args, "-filter_complex", filter(p, from, to))
	for i, r := range p.Renditions {
		args = append(args, "-map", fmt.Sprintf("[v%d]", i))
		args = append(args, p.picture(r)...)
		args = append(args, "-movflags", "+empty_moov+default_base_moof+skip_trailer+frag_keyframe",
			"-f", "mp4", pipe(i))
	}
	return append(args, "-map", "[board]", "-fps_mode", "passthrough", "-c:v", "mjpeg", "-threads", "1", "-q:v", "5",
		"-f", "mpjpeg", pipe(len(p.Renditions)))
}

// keepTimes keeps the times of the source. Where ffmpeg is to count from 0, it does so
// from the beginning of what it reads in some formats, and would move a picture and a
// sound that begin apart to each other. So that is left to the filters; see begin.
func (p Plan) keepTimes() []string {
	if p.Origin == 0 { // ffmpeg 5 also moves what begins at 0, unless it is told to move it by something else
		return []string{"-copyts", "-start_at_zero", "-itsoffset", "0.000001"}
	}
	return []string{"-copyts"}
}

// begin is when the video begins on the clock of the source, in microseconds.
func (p Plan) begin() int64 { return (p.Origin + p.Start).Microseconds() }

// open seeks to the key frame before a frame and keeps the times of the source.
// A change of size in the middle is left to the scaler: a new graph would begin to
// count anew.
func (p Plan) open(in ffmpeg.Input, frame int) []string {
	args := append([]string{"-threads", "1", "-reinit_filter", "0"}, p.keepTimes()...)
	at := p.Start + time.Duration(p.Rate.seconds(frame)*float64(time.Second)) - p.Lead
	if at > 0 {
		args = append(args, "-noaccurate_seek", "-ss", seconds(at))
	}
	return append(args, in.Args()...)
}

// picture is how a rendition is encoded: one group of pictures per segment, and
// nothing that differs from one chunk to the next.
func (p Plan) picture(r Rendition) []string {
	group := strconv.Itoa(p.SegmentFrames)
	clock, _ := p.Rate.clock()
	return []string{
		"-c:v", "libx264", "-preset", "veryfast", "-threads", "1",
		"-profile:v", "high", "-level:v", fmt.Sprintf("%d.%d", r.Level/10, r.Level%10),
		"-crf", "23", "-maxrate", strconv.Itoa(r.MaxRate), "-bufsize", strconv.Itoa(2 * r.MaxRate),
		"-g", group, "-keyint_min", group, "-sc_threshold", "0", "-flags:v", "+cgop",
		"-video_track_timescale", strconv.FormatInt(clock, 10),
		"-map_metadata", "-1", "-bitexact",
	}
}

// audioArgs encodes the whole sound to pipe:3.
//
// The encoder puts a frame of its own before the sound. Left there it would move
// the sound away from the picture, as there are no times below zero; so the sound
// gives up its first frame.
func audioArgs(s Source, p Plan) []string {
	args := append([]string{"-filter_complex_threads", "1", "-threads", "1"}, p.keepTimes()...)
	if at := p.Start - max(p.Lead, time.Second); at > 0 {
		args = append(args, "-noaccurate_seek", "-ss", seconds(at))
	}
	args = append(args, s.Input.Args()...)
	return append(args,
		"-filter_complex", fmt.Sprintf("[0:%d]asetpts=PTS%+d/1000000/TB,aresample=%d:async=1:first_pts=0,"+
			"aformat=sample_fmts=fltp:channel_layouts=stereo,apad,atrim=start_sample=%d:end_sample=%d,asetpts=N[sound]",
			p.Audio, -p.begin(), audioClock, audioSamples, max(p.samples(), audioSamples+1)),
		"-map", "[sound]", "-c:a", "aac", "-threads", "1", "-b:a", "128k",
		"-map_metadata", "-1", "-bitexact",
		"-movflags", "+empty_moov+default_base_moof+skip_trailer", "-frag_duration", strconv.Itoa(segmentSeconds*1_000_000),
		"-f", "mp4", pipe(0))
}

// remuxArgs joins a track of pictures and one of sound ("" none).
func remuxArgs(video, audio, out string) []string {
	args := []string{"-protocol_whitelist", "file", "-f", "mp4", "-i", video}
	if audio != "" {
		args = append(args, "-protocol_whitelist", "file", "-f", "mp4", "-i", audio, "-map", "0:v:0", "-map", "1:a:0")
	}
	return append(args, "-c", "copy", "-map_metadata", "-1", "-bitexact", "-movflags", "+faststart", "-f", "mp4", "-y", out)
}

// pipe is the address of an output of a command.
func pipe(output int) string { return fmt.Sprintf("pipe:%d", 3+output) }

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }
