package main

import (
	"context"

	"stoa/app"
	"stoa/internal/env"
	"stoa/polls"
	"stoa/video"
)

// environmentFlags is for commands of operators, which act on the database of one
// environment, also while a server runs.
type environmentFlags struct {
	app.Storage `embed:""`
	Environment string `help:"Act on ${enum}." enum:"production,staging" default:"production"`
}

func (f *environmentFlags) polls(ctx context.Context, p process, do func(*polls.Service) error) error {
	return f.operator(p).Polls(ctx, do)
}

func (f *environmentFlags) video(ctx context.Context, p process, do func(*video.Service) error) error {
	return f.operator(p).Video(ctx, do)
}

func (f *environmentFlags) operator(p process) app.Operator {
	return app.Operator{Storage: f.Storage, Environment: f.Environment, Environ: env.Map(p.environ), Stderr: p.stderr}
}
