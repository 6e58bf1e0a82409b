package ffmpeg_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

// frames counts the pictures of a film that comes by the standard input.
func frames(out io.Writer) ffmpeg.Command {
	return ffmpeg.Command{
		Program: "ffmpeg", Stdout: out,
		Args: []string{"-protocol_whitelist", "pipe", "-f", "matroska", "-i", "pipe:0", "-f", "framemd5", "pipe:1"},
	}
}

func TestStandardInput(t *testing.T) {
	t.Parallel()
	film, err := os.ReadFile(ffmpegtest.Source(t, ffmpegtest.Spec{Container: "mkv"}))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c := frames(&out)
	c.Stdin = func(_ context.Context, w io.Writer) error {
		_, err := w.Write(film)
		return err
	}
	err = ffmpegtest.Runner(t).Run(t.Context(), c)
	if got := strings.Count(out.String(), "\n0,"); err != nil || got != 50 {
		t.Errorf("got %d frames, %v, want 50", got, err)
	}
}

// A writer that has nothing to write does not outlive its program, and one that cannot
// go on ends it.
func TestStandardInputAndItsEnd(t *testing.T) {
	t.Parallel()
	r := ffmpegtest.Runner(t)
	c := ffmpeg.Command{Program: "ffmpeg", Args: []string{"-f", "lavfi", "-i", "testsrc2=d=0.1", "-f", "null", "-"}}
	c.Stdin = func(ctx context.Context, _ io.Writer) error {
		<-ctx.Done()
		return ctx.Err()
	}
	if err := r.Run(t.Context(), c); err != nil {
		t.Errorf("got %v from a program that does not read", err)
	}
	c.Stdin = func(_ context.Context, w io.Writer) error {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return err
			}
		}
	}
	if err := r.Run(t.Context(), c); err != nil {
		t.Errorf("got %v from a program that leaves what is written", err)
	}
	lost := errors.New("the publisher is lost")
	c = endless()
	c.Stdin = func(context.Context, io.Writer) error { return lost }
	if err := r.Run(t.Context(), c); !errors.Is(err, lost) {
		t.Errorf("got %v, want the error of the writer", err)
	}
}

func TestStandardInputOpensNothingElse(t *testing.T) {
	t.Parallel()
	r := guarded(t)
	for _, film := range []string{
		"ffconcat version 1.0\nfile /etc/passwd\n",
		"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
	} {
		var out bytes.Buffer
		c := ffmpeg.Command{
			Program: "ffmpeg", Stdout: &out,
			Args: []string{"-i", "pipe:0", "-f", "data", "-i", "/etc/passwd", "-map", "1", "-c", "copy", "-f", "data", "pipe:1"},
			Stdin: func(_ context.Context, w io.Writer) error {
				_, err := io.WriteString(w, film)
				return err
			},
		}
		if err := r.Run(t.Context(), c); err == nil || out.Len() > 0 {
			t.Errorf("got %v and %q", err, out.String())
		}
	}
	var out bytes.Buffer
	c := ffmpeg.Command{
		Program: "ffmpeg", Stdout: &out, Args: []string{"-f", "data", "-i", "/etc/passwd", "-map", "0", "-c", "copy", "-f", "data", "pipe:1"},
		Stdin: func(context.Context, io.Writer) error { return nil },
	}
	if err := r.Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "Permission denied") || out.Len() > 0 {
		t.Errorf("got %v and %q, want permission denied", err, out.String())
	}
}
