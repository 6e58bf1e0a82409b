package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

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
	routes := app.Routes()
	if c.Output == "json" {
		return json.NewEncoder(p.stdout).Encode(routes)
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, r := range routes {
		fmt.Fprintln(table, strings.TrimRight(r.Port+"\t"+r.Path+"\t"+r.Help, "\t"))
	}
	return table.Flush()
}
