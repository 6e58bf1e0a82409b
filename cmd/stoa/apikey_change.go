package main

import (
	"context"
	"fmt"

	"stoa/video"
)

type apiKeySuspendCommand struct{ apiKeyFlags }

// Help is shown by --help.
func (apiKeySuspendCommand) Help() string {
	return `Every call with the key or its tokens is refused until stoa apikey resume.

  stoa apikey suspend my-site`
}

func (c *apiKeySuspendCommand) Run(ctx context.Context, p process) error {
	return c.change(ctx, p, "suspended", func(s *video.Service) error { return s.SuspendKey(ctx, c.Name, true) })
}

type apiKeyResumeCommand struct{ apiKeyFlags }

// Help is shown by --help.
func (apiKeyResumeCommand) Help() string {
	return `Calls with the key, and with its tokens that have not ended meanwhile, are answered again.

  stoa apikey resume my-site`
}

func (c *apiKeyResumeCommand) Run(ctx context.Context, p process) error {
	return c.change(ctx, p, "resumed", func(s *video.Service) error { return s.SuspendKey(ctx, c.Name, false) })
}

type apiKeyDeleteCommand struct{ apiKeyFlags }

// Help is shown by --help.
func (apiKeyDeleteCommand) Help() string {
	return `Calls with the key or its tokens are refused from then on.

  stoa apikey delete my-site`
}

func (c *apiKeyDeleteCommand) Run(ctx context.Context, p process) error {
	return c.change(ctx, p, "deleted", func(s *video.Service) error { return s.DeleteKey(ctx, c.Name) })
}

// apiKeyFlags name one key.
type apiKeyFlags struct {
	environmentFlags
	Name string `arg:"" help:"Name of the key."`
}

func (f *apiKeyFlags) change(ctx context.Context, p process, done string, change func(*video.Service) error) error {
	err := f.video(ctx, p, change)
	if err == nil {
		fmt.Fprintf(p.stderr, "%s key %s\n", done, f.Name)
	}
	return err
}
