package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"stoa/app"
	"stoa/internal/config"
	"stoa/internal/env"
)

type serveCommand struct {
	Services     []string `arg:"" optional:"" help:"Services to run: ${services}. Default: all."`
	app.Settings `embed:""`
}

// Help is shown by --help.
func (serveCommand) Help() string {
	return `Polls and videos keep everything in the data folder: database, files, keys. On an empty
one an account for the operator and an API key for the videos are made, and shown once.
deploy/stoa.yaml explains each setting. The rate limit service takes its settings from the environment variables that
Envoy's rate limit service has: RUNTIME_ROOT, REDIS_URL, USE_STATSD, LOG_LEVEL …
docs/ratelimit/settings.md lists them all.

  stoa serve                      # everything in ./stoa-data, on this machine only
  STOA_LISTEN=:8000 STOA_PUBLIC_URL=https://polls.example.com stoa serve polls
  REDIS_SOCKET_TYPE=tcp REDIS_URL=localhost:6379 stoa serve ratelimit`
}

func (c *serveCommand) Run(ctx context.Context, p process, command *kong.Context, sources *config.Sources) error {
	for _, name := range c.Services {
		if !slices.Contains(app.Services(), name) {
			return usageError{fmt.Errorf("no service %q: want some of %s", name, strings.Join(app.Services(), ", "))}
		}
	}
	cfg, err := app.ReadConfig(c.Settings, env.Map(p.environ))
	if err != nil {
		return usageError{err}
	}
	a, err := app.New(cfg, app.Options{Stdout: p.stdout, Stderr: p.stderr, Version: version, Settings: sources.Settings(command)}, c.Services...)
	if err != nil {
		return err
	}
	return a.Run(ctx)
}
