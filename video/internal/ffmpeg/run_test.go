package ffmpeg_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

func TestMain(m *testing.M) {
	beParent() // see orphan_test.go
	ffmpegtest.Main(m)
}

func TestVersionIsTold(t *testing.T) {
	t.Parallel()
	version, err := ffmpegtest.Runner(t).Check(t.Context())
	if err != nil || version == "" || strings.Contains(version, " ") {
		t.Errorf("got %q, %v, want a version", version, err)
	}
}

// endless writes pictures to pipe:1 until it is stopped.
func endless() ffmpeg.Command {
	args := []string{"-f", "lavfi", "-i", "testsrc2=s=64x64", "-f", "rawvideo"}
	return ffmpeg.Command{Program: "ffmpeg", Args: append(args, "pipe:1")}
}

func TestOutputsAreReadAtTheSameTime(t *testing.T) {
	t.Parallel()
	var sizes [3]int64
	count := func(i int) func(io.Reader) error {
		return func(r io.Reader) (err error) {
			sizes[i], err = io.Copy(io.Discard, r)
			return err
		}
	}
	err := ffmpegtest.Runner(t).Run(t.Context(), ffmpeg.Command{
		Program: "ffmpeg",
		Args: []string{"-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2", "-filter_complex", "split=3[a][b][c]",
			"-map", "[a]", "-f", "rawvideo", "-pix_fmt", "gray", "pipe:3",
			"-map", "[b]", "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:4",
			"-map", "[c]", "-f", "rawvideo", "-pix_fmt", "yuv420p", "pipe:5"},
		Outputs: []func(io.Reader) error{count(0), count(1), count(2)},
	})
	const frame = 320 * 180 * 50
	if want := [3]int64{frame, frame * 3, frame * 3 / 2}; err != nil || sizes != want {
		t.Errorf("got %v, %v, want %v", sizes, err, want)
	}
}

func TestFailingReaderEndsTheRun(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	c := ffmpeg.Command{
		Program: "ffmpeg",
		Args:    []string{"-f", "lavfi", "-i", "testsrc2=s=64x64", "-f", "rawvideo", "pipe:3"},
		Outputs: []func(io.Reader) error{func(r io.Reader) error {
			_, _ = io.CopyN(io.Discard, r, 1000)
			return full
		}},
	}
	if err := ffmpegtest.Runner(t).Run(t.Context(), c); !errors.Is(err, full) {
		t.Errorf("got %v, want the error of the reader", err)
	}
}

func TestReaderMayLeaveTheRest(t *testing.T) {
	t.Parallel()
	c := ffmpeg.Command{
		Program: "ffmpeg",
		Args:    []string{"-f", "lavfi", "-i", "testsrc2=s=320x180:d=2", "-f", "rawvideo", "pipe:3"},
		Outputs: []func(io.Reader) error{func(io.Reader) error { return nil }},
	}
	if err := ffmpegtest.Runner(t).Run(t.Context(), c); err != nil {
		t.Error(err)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c := endless()
	c.Stdout = writerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })
	if err := ffmpegtest.Runner(t).Run(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestRunTakesNoLongerThanItMay(t *testing.T) {
	t.Parallel()
	c := endless()
	c.Limits.Wall = time.Second
	err := ffmpegtest.Runner(t).Run(t.Context(), c)
	if failed, ok := errors.AsType[*ffmpeg.Error](err); !ok || !failed.TimedOut {
		t.Errorf("got %v, want an Error that timed out", err)
	}
}

func TestRunUsesNoMoreCPUThanItMay(t *testing.T) {
	t.Parallel()
	c := endless()
	c.Limits.CPU = time.Second
	err := ffmpegtest.Runner(t).Run(t.Context(), c)
	if failed, ok := errors.AsType[*ffmpeg.Error](err); !ok || !failed.Killed || failed.TimedOut {
		t.Errorf("got %v, want an Error of a killed program", err)
	}
}

func TestRunUsesNoMoreMemoryThanItMay(t *testing.T) {
	t.Parallel()
	c := ffmpeg.Command{
		Program: "ffmpeg", Args: []string{"-f", "lavfi", "-i", "color=s=8000x8000:d=0.04", "-f", "null", "-"},
		Limits: ffmpeg.Limits{Memory: 800 << 20},
	}
	if err := ffmpegtest.Runner(t).Run(t.Context(), c); err != nil {
		t.Fatalf("got %v, want a picture of 96 MB to fit", err)
	}
	c.Args[3] = "color=s=16000x16000:d=1:r=5,split[a][b];[a]reverse[a];[b][a]hstack"
	_, failed := errors.AsType[*ffmpeg.Error](ffmpegtest.Runner(t).Run(t.Context(), c))
	if !failed {
		t.Error("got no Error, want pictures of 384 MB not to fit")
	}
}

func TestFilesGrowNoLargerThanTheyMay(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c := endless()
	c.Args[len(c.Args)-1] = filepath.Join(folder, "out.raw")
	c.Folder, c.Limits.FileSize = folder, 1<<20
	if err := ffmpegtest.Runner(t).Run(t.Context(), c); err == nil {
		t.Error("got no error")
	}
	if info, err := os.Stat(filepath.Join(folder, "out.raw")); err != nil || info.Size() != 1<<20 {
		t.Errorf("got %v, %v, want a file of 1 MiB", info, err)
	}
}

// ffmpeg 5 ends well when the last of a file does not go to the disk.
func TestFullDiskIsAnError(t *testing.T) {
	t.Parallel()
	err := ffmpegtest.Runner(t).Run(t.Context(), ffmpeg.Command{
		Program: "ffmpeg", Folder: "/dev",
		Args: []string{"-f", "lavfi", "-i", "testsrc2=s=64x64:d=1", "-f", "rawvideo", "-y", "full"},
	})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v want %v", err, syscall.ENOSPC)
	}
}

func TestProgramsStandBehindOthers(t *testing.T) {
	t.Parallel()
	r, err := ffmpeg.FindRunner(nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	found := false
	c := endless()
	c.Stdout = writerFunc(func(p []byte) (int, error) {
		found = found || hasNiceChild(10)
		cancel()
		return len(p), nil
	})
	if err := r.Run(ctx, c); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if !found {
		t.Error("got no program with a nice value of 10")
	}
}

// hasNiceChild looks for a running ffmpeg that this process has started.
func hasNiceChild(nice int) bool {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		stat, _ := os.ReadFile(path) // it may have ended
		_, rest, ok := strings.Cut(string(stat), " (ffmpeg) ")
		fields := strings.Fields(rest)
		if ok && len(fields) > 16 && fields[1] == strconv.Itoa(os.Getpid()) && fields[16] == strconv.Itoa(nice) {
			return true
		}
	}
	return false
}

func TestErrorHasTheLastWords(t *testing.T) {
	t.Parallel()
	err := ffmpegtest.Runner(t).Run(t.Context(), ffmpeg.Command{Program: "ffmpeg", Args: []string{"-no-such-option"}})
	failed, ok := errors.AsType[*ffmpeg.Error](err)
	if !ok || failed.Killed || failed.Status != 1 || !strings.Contains(failed.Stderr, "no-such-option") {
		t.Errorf("got %#v, want status 1 and the option named", err)
	}
}

func TestPartsAreOneSource(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(ffmpegtest.Source(t, ffmpegtest.Spec{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, parts := range []int{1, 2, 1500} { // more than the usual limit of open files
		in := split(t, source, parts)
		m, err := ffmpegtest.Runner(t).Probe(t.Context(), in)
		if err != nil || m.Duration != 2*time.Second {
			t.Errorf("%d parts: got %v, %v, want 2s", parts, m.Duration, err)
		}
		var out bytes.Buffer
		err = ffmpegtest.Runner(t).Run(t.Context(), ffmpeg.Command{
			Program: "ffmpeg", Args: append(in.Args(), "-f", "framemd5", "pipe:1"), Input: in, Stdout: &out,
		})
		if got := strings.Count(out.String(), "\n0,"); err != nil || got != 50 {
			t.Errorf("%d parts: got %d frames, %v, want 50", parts, got, err)
		}
	}
}

// split keeps bytes in files with odd names, each with something else behind.
func split(t *testing.T, source []byte, n int) (in ffmpeg.Input) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), `it's: a|b, \c`)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		part := source[len(source)*i/n : len(source)*(i+1)/n]
		path := filepath.Join(folder, strconv.Itoa(i))
		if err := os.WriteFile(path, append(bytes.Clone(part), "footer"...), 0o600); err != nil {
			t.Fatal(err)
		}
		in.Parts = append(in.Parts, ffmpeg.Part{Path: path, Size: int64(len(part))})
	}
	return in
}

func TestMissingPartIsNoFaultOfTheSource(t *testing.T) {
	t.Parallel()
	in := ffmpeg.Input{Parts: []ffmpeg.Part{{Path: filepath.Join(t.TempDir(), "gone"), Size: 10}}}
	_, err := ffmpegtest.Runner(t).Probe(t.Context(), in)
	if !errors.Is(err, os.ErrNotExist) || errors.Is(err, ffmpeg.ErrNotVideo) {
		t.Errorf("got %v, want os.ErrNotExist alone", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
