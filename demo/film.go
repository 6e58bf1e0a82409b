package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// film is a video to be made of nothing: ffmpeg has sources of moving pictures.
type film struct {
	key         string // how it is found again, in its metadata
	title       string
	description string
	seconds     int
	pictures    string // a source of ffmpeg
	root        int    // of its music, hertz
	private     bool
	tags        []string
	dressed     bool // has captions, chapters, watermark and theme
}

// startPage is the tag of videos that the start page may show.
const startPage = "start-page"

// The newest comes last: it is the one that the start page shows.
var films = []film{
	{
		key: "colours", title: "Slow colours (private)", seconds: 12, root: 165, private: true, tags: []string{"demo"},
		description: "Only those who have a link with a token can watch this.",
		pictures:    "gradients=size=428x240:rate=25:n=4:c0=0x2b1a55:c1=0xff7a3d:c2=0x1f8fb5:c3=0xffe08a:seed=4:speed=0.02:type=spiral,scale=856:480",
	},
	{
		key: "life", title: "The game of life", seconds: 24, root: 196, tags: []string{"demo", "mathematics"},
		description: "A cell with three neighbours is born, one with two or three lives on, all others die.",
		pictures: "life=size=214x120:rate=20:mold=12:ratio=0.12:seed=7:life_color=0xffe08a:death_color=0x7d2a57:mold_color=0x1a1238," +
			"scale=856:480:flags=neighbor",
	},
	{
		key: "mandelbrot", title: "Falling into the Mandelbrot set", seconds: 40, root: 220, tags: []string{"demo", "mathematics", startPage}, dressed: true,
		description: "Forty seconds into the valley of the seahorses.",
		pictures: "mandelbrot=size=640x360:rate=25:start_scale=0.12:end_scale=0.00002:end_pts=1000:maxiter=400:inner=black:" +
			"outer=normalized_iteration_count:start_x=-0.743643887037158704752:start_y=-0.131825904205311970493," +
			"format=gray,format=yuv444p,pseudocolor=preset=inferno,gblur=sigma=0.7,scale=854:480:flags=bicubic",
	},
}

// music is a source of ffmpeg: a note each second over a quiet chord.
func music(root int) string {
	f := strconv.Itoa(root)
	return "aevalsrc='0.10*sin(2*PI*t*" + f + "*(1+mod(floor(t)\\,4)/4))*exp(-2*mod(t\\,1))" +
		"+0.05*sin(PI*" + f + "*t)+0.04*sin(1.5*PI*" + f + "*t)':s=48000"
}

// arguments are ffmpeg's for a film. It will be encoded again, so this is quick rather
// than small.
func (f film) arguments(path string) []string {
	return []string{
		"-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", f.pictures, "-f", "lavfi", "-i", music(f.root),
		"-t", strconv.Itoa(f.seconds), "-c:v", "libx264", "-preset", "ultrafast", "-crf", "27", "-pix_fmt", "yuv420p",
		"-c:a", "aac", "-movflags", "+faststart", path,
	}
}

// make lets ffmpeg make the film, and returns it as MP4.
func (f film) make(ctx context.Context) ([]byte, error) {
	folder, err := os.MkdirTemp("", "stoa-demo-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, f.key+".mp4")
	if err := runFFmpeg(ctx, f.arguments(path)); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// runFFmpeg runs until it ends or the context does, and returns what it complained of.
func runFFmpeg(ctx context.Context, arguments []string) error {
	var complaint strings.Builder
	cmd := exec.CommandContext(ctx, "ffmpeg", arguments...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopLimit
	cmd.Stderr = &complaint
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("there is no ffmpeg on this machine: \"stoa doctor\" says how to get it")
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		said := strings.TrimSpace(complaint.String())
		return fmt.Errorf("ffmpeg: %w: %s", err, said[max(0, len(said)-400):])
	}
	return nil
}
