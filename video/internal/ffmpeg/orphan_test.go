package ffmpeg_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"stoa/video/internal/ffmpeg"
)

const parentName = "stoa-test-parent"

// beParent makes this process, if it was started as one, run ffmpeg without end.
// ffmpeg writes to the standard output of this process by itself.
func beParent() {
	if os.Args[0] != parentName {
		return
	}
	r, err := ffmpeg.FindRunner(nil)
	if err == nil {
		err = r.Run(context.Background(), ffmpeg.Command{
			Program: "ffmpeg", Args: []string{"-re", "-f", "lavfi", "-i", "testsrc2=s=64x64", "-f", "framecrc", "pipe:1"},
			Stdout: os.Stdout,
		})
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func TestProgramDiesWithAKilledParent(t *testing.T) {
	t.Parallel()
	parent := exec.Command("/proc/self/exe")
	parent.Args = []string{parentName}
	parent.Stderr = os.Stderr
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatalf("got %v, want the program to write", err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// The pipe ends when the program, too, is gone.
	giveUp := time.AfterFunc(time.Minute, func() { out.Close() })
	defer giveUp.Stop()
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Errorf("got %v, want the end of what the program writes", err)
	}
	_ = parent.Wait()
}
