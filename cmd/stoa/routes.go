package main

import (
	"stoa/app"
)

type routesCommand struct {
	outputFlag
}

// Help is shown by --help.
func (routesCommand) Help() string {
	return `Asks no server: these are the routes of this program, whatever the settings.

  stoa routes | grep debug`
}

func (c *routesCommand) Run(p process) error {
	return printRows(p.stdout, c.outputFlag, app.Routes(), func(r app.Route) []string { return []string{r.Port, r.Path, r.Help} })
}
