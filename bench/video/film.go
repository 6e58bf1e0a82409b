package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// rate is the frames a second of the film.
const rate = 30

// rung is a size that the film is encoded to, with the settings that the room has for it.
type rung struct {
	name          string
	width, height int
	maxRate       int // bit/s
	level         string
}

var rungs = []rung{
	{"1080p", 1920, 1080, 5_500_000, "4.0"},
	{"720p", 1280, 720, 3_000_000, "3.1"},
	{"480p", 854, 480, 1_500_000, "3.1"},
	{"360p", 640, 360, 900_000, "3.0"},
	{"240p", 426, 240, 450_000, "2.1"},
}

// ladder is the sizes of a film, the largest first.
func (s settings) ladder() ([]rung, error) {
	for i, r := range rungs {
		if r.height == s.lines {
			return rungs[i:], nil
		}
	}
	return nil, fmt.Errorf("lines: want the height of one of the sizes, got %d", s.lines)
}

// makeFilm makes a film with moving shapes, grain and sound.
func makeFilm(ctx context.Context, s settings, dir string, of rung) (string, error) {
	if s.source != "" {
		return filepath.Abs(s.source)
	}
	name, length := filepath.Join(dir, "film.mp4"), strconv.FormatFloat(s.film.Seconds(), 'f', -1, 64)
	cmd := ffmpeg(ctx, "-f", "lavfi", "-i", fmt.Sprintf("testsrc2=s=%dx%d:r=%d,noise=alls=5:allf=t,format=yuv420p", of.width, of.height, rate),
		"-f", "lavfi", "-i", "sine=frequency=440:beep_factor=4:sample_rate=48000", "-t", length,
		"-c:v", "libx264", "-preset", "superfast", "-crf", "20", "-maxrate", "16M", "-bufsize", "32M", "-g", "60", "-c:a", "aac", "-ac", "2", "-movflags", "+faststart", "-y", name)
	return name, cmd.Run()
}

// bareArgs makes all sizes in one pass with the settings that the room has: each from the
// next larger one, one thread for each coder, a key frame every four seconds, and the sound.
func bareArgs(film, dir string, ladder []rung) []string {
	var filter strings.Builder
	fmt.Fprintf(&filter, "[0:v:0]fps=%d,split=2[v0][rest0]", rate)
	for i, r := range ladder[1:] {
		fmt.Fprintf(&filter, ";[rest%d]scale=%d:%d:flags=bicubic,split=2[v%d][rest%d]", i, r.width, r.height, i+1, i+1)
	}
	graph := strings.TrimSuffix(filter.String(), fmt.Sprintf(",split=2[v%d][rest%d]", len(ladder)-1, len(ladder)-1))
	graph += fmt.Sprintf("[v%d]", len(ladder)-1)
	args := []string{"-filter_complex_threads", "1", "-threads", "1", "-i", film, "-filter_complex", graph}
	group := strconv.Itoa(4 * rate)
	for i, r := range ladder {
		args = append(args, "-map", fmt.Sprintf("[v%d]", i), "-c:v", "libx264", "-preset", "veryfast", "-threads", "1",
			"-profile:v", "high", "-level:v", r.level, "-crf", "23", "-maxrate", strconv.Itoa(r.maxRate), "-bufsize", strconv.Itoa(2*r.maxRate),
			"-g", group, "-keyint_min", group, "-sc_threshold", "0", "-flags:v", "+cgop",
			"-movflags", "+empty_moov+default_base_moof+frag_keyframe", "-f", "mp4", "-y", filepath.Join(dir, r.name+".mp4"))
	}
	return append(args, "-map", "0:a:0", "-c:a", "aac", "-threads", "1", "-b:a", "128k", "-ar", "48000", "-ac", "2",
		"-movflags", "+empty_moov+default_base_moof", "-frag_duration", "4000000", "-f", "mp4", "-y", filepath.Join(dir, "audio.mp4"))
}

// encodeBare is one process that makes all sizes.
func encodeBare(ctx context.Context, film, dir string, ladder []rung) (made encoded, err error) {
	out := filepath.Join(dir, "bare")
	if err := os.MkdirAll(out, 0o700); err != nil {
		return made, err
	}
	defer os.RemoveAll(out)
	cmd := ffmpeg(ctx, bareArgs(film, out, ladder)...)
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return made, fmt.Errorf("ffmpeg: %w", err)
	}
	made.whole = time.Since(start)
	made.ladder = made.whole
	made.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	made.bytes, err = folderSize(out)
	return made, err
}

func ffmpeg(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "ffmpeg", append([]string{"-hide_banner", "-nostdin", "-loglevel", "error"}, args...)...)
	cmd.Stderr = os.Stderr
	return cmd
}
