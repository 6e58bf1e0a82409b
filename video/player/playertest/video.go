package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The video: a moving test picture with a tone.
const (
	seconds        = 24
	segmentSeconds = 2
	segmentCount   = seconds / segmentSeconds
	stillSeconds   = 2 // between two pictures of the storyboard, which has five in a row
)

// makeVideo writes the renditions v0 (360p), v1 (180p), a (sound), the MP4, the
// poster and the storyboard into a folder.
func makeVideo(ctx context.Context, folder string) error {
	picture := fmt.Sprintf("testsrc2=size=640x360:rate=25:duration=%d", seconds)
	tone := fmt.Sprintf("sine=frequency=330:sample_rate=48000:duration=%d", seconds)
	args := []string{
		"-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", tone,
		"-filter_complex", "[0:v]split=4[high][l][f][s];[l]scale=320:180[low];[f]trim=end_frame=1[first];" +
			fmt.Sprintf("[s]fps=1/%d,scale=160:90,tile=5x3[sheet]", stillSeconds),
	}
	for _, track := range [][]string{{"v0", "[high]", "-c:v", "libx264"}, {"v1", "[low]", "-c:v", "libx264"}, {"a", "1:a", "-c:a", "aac"}} {
		args = append(args, "-map", track[1])
		args = append(args, track[2:]...)
		if track[0] != "a" {
			args = append(args, "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "50", "-sc_threshold", "0")
		}
		args = append(args, "-f", "hls", "-hls_time", fmt.Sprint(segmentSeconds), "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4",
			"-hls_fmp4_init_filename", track[0]+".mp4", "-hls_segment_filename", filepath.Join(folder, track[0]+"-%d.m4s"), filepath.Join(folder, track[0]+".m3u8"))
	}
	args = append(args, "-map", "[first]", "-frames:v", "1", filepath.Join(folder, "poster.jpg"),
		"-map", "[sheet]", "-frames:v", "1", filepath.Join(folder, "sheet.jpg"))
	if err := ffmpeg(ctx, args...); err != nil {
		return err
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	if err := ffmpeg(ctx, "-i", in("v0.m3u8"), "-i", in("a.m3u8"), "-c", "copy", in("source.mp4")); err != nil {
		return err
	}
	for name, text := range texts() {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func ffmpeg(ctx context.Context, args ...string) error {
	args = append([]string{"-hide_banner", "-loglevel", "error", "-nostdin", "-y"}, args...)
	if out, err := exec.CommandContext(ctx, "ffmpeg", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, out)
	}
	return nil
}

// texts are the files beside the video.
func texts() map[string]string {
	var storyboard strings.Builder
	storyboard.WriteString("WEBVTT\n")
	for i := range seconds / stillSeconds {
		fmt.Fprintf(&storyboard, "\n%s --> %s\nsheet.jpg#xywh=%d,%d,160,90\n", stamp(i*stillSeconds), stamp((i+1)*stillSeconds), i%5*160, i/5*90)
	}
	return map[string]string{
		"storyboard.vtt": storyboard.String(),
		"en.vtt":         cues("A tone is heard", "The clock goes on", "Colours move <i>about</i>"),
		"ar.vtt":         cues("يُسمع صوت", "تمضي الساعة", "تتحرك الألوان (2024)!"),
		"chapters.vtt":   cues("Beginning", "The <b>middle</b> &amp; more", "End"),
	}
}

// cues are texts of equal length in time.
func cues(texts ...string) string {
	var b strings.Builder
	b.WriteString("WEBVTT\n")
	each := seconds / len(texts)
	for i, text := range texts {
		fmt.Fprintf(&b, "\n%s --> %s\n%s\n", stamp(i*each), stamp((i+1)*each), text)
	}
	return b.String()
}

func stamp(second int) string { return fmt.Sprintf("00:%02d.000", second) }
