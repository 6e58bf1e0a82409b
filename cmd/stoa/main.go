// Command stoa is an audience platform in one program. See README.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"stoa/video"
)

func main() {
	video.Confined() // returns, unless this is the step that shuts ffmpeg in
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends at once
	os.Exit(run(ctx, process{args: os.Args[1:], environ: os.Environ(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}))
}
