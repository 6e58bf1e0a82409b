package main

import (
	"context"

	"stoa/app"
	"stoa/internal/env"
)

type workCommand struct {
	app.Settings `embed:""`
}

// Help is shown by --help.
func (workCommand) Help() string {
	return `Does what servers leave to be done, and serves nothing: add machines to encode faster.
They need the database, the files and the secret of the server, so PostgreSQL and S3 or
folders that all of them see; on one machine the data folder is enough.

  stoa work
  STOA_DB=postgres://stoa@db/stoa STOA_BLOB=s3://media?endpoint=… STOA_SECRET=… stoa work --video-encoders 8`
}

func (c *workCommand) Run(ctx context.Context, p process) error {
	cfg, err := app.ReadConfig(c.Settings, env.Map(p.environ))
	if err != nil {
		return usageError{err}
	}
	a, err := app.NewWorker(cfg, app.Options{Stdout: p.stdout, Stderr: p.stderr})
	if err != nil {
		return err
	}
	return a.Run(ctx)
}
