// Package ffmpeg runs ffmpeg and ffprobe on files that strangers sent.
//
// Such a file is hostile until the contrary is shown, so the program that opens
// it is shut in first. [Runner.Run] starts this very binary again, and
// [Confined], at the top of main, turns that process into ffmpeg after it has
// given up all it does not need: it may read its input, the libraries and the
// fonts, write to one scratch folder, and open no socket and start no process.
// What the running kernel grants of this is told by [Runner.Confinement].
//
// An [Input] says which bytes are the source, a [Command] is one run as data,
// [Runner.Probe] tells what a source holds, and [Runner.Still] takes a picture
// of it.
package ffmpeg

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// Runner starts the programs. It may be used by many at the same time.
type Runner struct {
	Nice int // how far the programs stand behind others for the CPU: 0 to 19

	ffmpeg, ffprobe string // absolute, without symbolic links
	log             *slog.Logger

	shared atomic.Bool // namespaces are refused here: runs share the network of the system
}

// FindRunner looks for both programs in the PATH. They are to run with a Nice of
// 10. A nil log is silent.
func FindRunner(log *slog.Logger) (*Runner, error) {
	r := &Runner{Nice: 10, log: cmp.Or(log, slog.New(slog.DiscardHandler))}
	for name, place := range map[string]*string{"ffmpeg": &r.ffmpeg, "ffprobe": &r.ffprobe} {
		path, err := exec.LookPath(name)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err == nil {
			path, err = filepath.EvalSymlinks(path)
		}
		if err != nil {
			return nil, fmt.Errorf("%s is missing: install ffmpeg (Debian: apt-get install ffmpeg): %w", name, err)
		}
		*place = path
	}
	return r, nil
}

// Check runs both programs in confinement and answers the version of ffmpeg,
// such as "5.1.9-0+deb12u1".
func (r *Runner) Check(ctx context.Context) (version string, err error) {
	for _, program := range []string{"ffprobe", "ffmpeg"} {
		var out bytes.Buffer
		if err := r.Run(ctx, Command{Program: program, Args: []string{"-version"}, Stdout: &out}); err != nil {
			return "", err
		}
		_, after, _ := strings.Cut(out.String(), " version ")
		version, _, _ = strings.Cut(after, " ")
	}
	return version, nil
}

// Names is what one of the lists of ffmpeg holds, such as "-encoders".
func (r *Runner) Names(ctx context.Context, list string) (map[string]bool, error) {
	var out bytes.Buffer
	if err := r.Run(ctx, Command{Program: "ffmpeg", Args: []string{list}, Stdout: &out}); err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for line := range strings.Lines(out.String()) { // flags, name, what it is
		if words := strings.Fields(line); len(words) > 1 {
			names[words[1]] = true
		}
	}
	return names, nil
}
