package main

import (
	"context"

	"stoa/app"
	"stoa/internal/env"
	"stoa/polls"
)

// environmentFlags is for commands of operators, which act on the database of one
// environment, also while a server runs.
type environmentFlags struct {
	app.Storage `embed:""`
	Environment string `help:"Act on ${enum}." enum:"production,staging" default:"production"`
}

func (f *environmentFlags) polls(ctx context.Context, p process, do func(*polls.Service) error) error {
	return app.Operate(ctx, f.Storage, f.Environment, env.Map(p.environ), p.stderr, do)
}
