package video

import (
	"context"
	"fmt"
	"slices"

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

// What is used of ffmpeg beyond what every build of it has.
var (
	usedEncoders = []string{"libx264", "aac", "mjpeg"}
	usedFilters  = []string{
		"scale", "fps", "format", "setsar", "setparams", "setpts", "overlay", "crop", "transpose", "yadif", "split", "trim", "select",
		"zscale", "tonemap", // of HDR
		"aresample", "aformat", "atrim", "asetpts",
	}
)

// Lacking is the encoders and filters that the ffmpeg of this machine does not have.
func Lacking(ctx context.Context) ([]string, error) {
	runner, err := ffmpeg.FindRunner(nil)
	if err != nil {
		return nil, err
	}
	var missing []string
	for list, used := range map[string][]string{"-encoders": usedEncoders, "-filters": usedFilters} {
		names, err := runner.Names(ctx, list)
		if err != nil {
			return nil, err
		}
		for _, name := range used {
			if !names[name] {
				missing = append(missing, name)
			}
		}
	}
	slices.Sort(missing)
	return missing, nil
}
