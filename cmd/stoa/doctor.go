package main

import (
	"context"
	"encoding/json"
	"fmt"

	"stoa/app"
	"stoa/internal/env"
)

type doctorCommand struct {
	outputFlag
	app.Settings `embed:""`
}

// Help is shown by --help.
func (doctorCommand) Help() string {
	return `Looks at the same settings as serve, from the environment and the settings file,
changes nothing, and exits with 1 when something is not in order.

  REDIS_SOCKET_TYPE=tcp REDIS_URL=localhost:6379 stoa doctor`
}

func (c *doctorCommand) Run(ctx context.Context, p process) error {
	findings := app.Examine(ctx, c.Settings, env.Map(p.environ))
	sound := true
	for _, f := range findings {
		sound = sound && f.OK
	}
	if c.Output == "json" {
		if err := json.NewEncoder(p.stdout).Encode(findings); err != nil {
			return err
		}
	} else {
		for _, f := range findings {
			mark := "ok      "
			if !f.OK {
				mark = "MISSING "
			}
			fmt.Fprintf(p.stdout, "%s%s: %s\n", mark, f.What, f.Detail)
			if f.Fix != "" {
				fmt.Fprintf(p.stdout, "        %s\n", f.Fix)
			}
		}
	}
	if !sound {
		return errFaulty
	}
	return nil
}
