package main

import (
	"context"
	"fmt"

	"stoa/app"
	"stoa/internal/env"
)

type migrateCommand struct {
	app.Storage `embed:""`
}

// Help is shown by --help.
func (migrateCommand) Help() string {
	return `Brings the database of each environment up to date. serve does so by itself; this
does it beforehand, while an older server runs.

  stoa migrate
  STOA_DB=postgres://stoa@db/stoa stoa migrate`
}

func (c *migrateCommand) Run(ctx context.Context, p process) error {
	return app.Migrate(ctx, c.Storage, env.Map(p.environ), p.stderr, func(environment string, files int) {
		if files == 0 {
			fmt.Fprintf(p.stderr, "%s: nothing to do\n", environment)
			return
		}
		fmt.Fprintf(p.stderr, "%s: brought up to date, files: %d\n", environment, files)
	})
}
