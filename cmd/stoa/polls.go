package main

import (
	"context"
	"encoding/json"
	"fmt"

	"stoa/polls"
)

type pollsCommand struct {
	Recount recountCommand `cmd:"" help:"Compare the counters with the votes."`
}

type recountCommand struct {
	environmentFlags
	outputFlag
	Repair bool `help:"Bring the counters to what the votes say."`
}

// Help is shown by --help.
func (recountCommand) Help() string {
	return `Lists every counter that does not say what its rows say. The exit status is 1 when
there is one, unless it was repaired. People may vote meanwhile.

  stoa polls recount
  stoa polls recount --repair`
}

// jsonDifference is a counter that is wrong.
type jsonDifference struct {
	Poll    int64  `json:"poll"`
	Counter string `json:"counter"`
	Kept    int64  `json:"kept"`
	Rows    int64  `json:"rows"`
}

func (c *recountCommand) Run(ctx context.Context, p process) error {
	found := []jsonDifference{}
	err := c.polls(ctx, p, func(s *polls.Service) error {
		return s.Recount(ctx, c.Repair, func(d polls.Difference) {
			found = append(found, jsonDifference{d.Poll, d.Counter, d.Kept, d.Rows})
			if c.Output == "text" {
				fmt.Fprintln(p.stdout, d)
			}
		})
	})
	if err != nil {
		return err
	}
	if c.Output == "json" {
		if err := json.NewEncoder(p.stdout).Encode(found); err != nil {
			return err
		}
	}
	switch {
	case len(found) == 0:
		fmt.Fprintln(p.stderr, "every counter is right")
	case c.Repair:
		fmt.Fprintf(p.stderr, "repaired counters: %d\n", len(found))
	default:
		fmt.Fprintf(p.stderr, "wrong counters: %d; stoa polls recount --repair mends them\n", len(found))
		return errFaulty
	}
	return nil
}
