package video

import (
	"context"
	"fmt"

	"stoa/video/internal/ffmpeg"
)

// Confined must be the first call of the program: it is started again as the step that
// shuts ffmpeg in, and then never returns from here.
func Confined() { ffmpeg.Confined() }

// Machine tells what encodes on this machine and how well it is shut in; complete is
// false when something is missing there.
func Machine(ctx context.Context) (text string, complete bool, err error) {
	runner, err := ffmpeg.FindRunner(nil)
	if err != nil {
		return "", false, err
	}
	version, err := runner.Check(ctx)
	if err != nil {
		return "", false, err
	}
	shut, err := runner.Confinement(ctx)
	if err != nil {
		return "", false, err
	}
	return fmt.Sprintf("%s, shut in by %s", version, shut), shut.Complete(), nil
}
